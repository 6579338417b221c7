package expr

func init() {
	Register(Function{
		Name: "FORMAT_TIMESTAMP", Category: categoryTemporal,
		Doc:     "The text of a time in a format of strftime, such as %Y-%m-%d %H:%M:%S; of a TIMESTAMP_LTZ in the zone given last or in the session's.",
		Example: "FORMAT_TIMESTAMP('%d %b %Y', TIMESTAMP '2024-02-29 12:30:00')", ExampleResult: "29 Feb 2024",
		Overloads: []Overload{
			{
				Params: []Param{formatParam, timestampParam}, Check: validStrftime, Returns: returns(String), Fails: Sometimes, Slow: true,
				Compile: func(s *Site) Kernel { return formatTimes(s, 1, 0, parseStrftime) },
			},
			{
				Params: []Param{formatParam, instantParam, zoneParam}, Check: validStrftime, Returns: returns(String), Fails: Sometimes, Slow: true,
				Expand: func(args []Expr, s Settings) (Expr, error) {
					local, err := NewCall("AT TIME ZONE", []Expr{args[1], args[2]}, s)
					if err != nil {
						return nil, err
					}
					return NewCall("FORMAT_TIMESTAMP", []Expr{args[0], local}, s)
				},
			},
		},
	})
	Register(Function{
		Name: "PARSE_TIMESTAMP", Category: categoryTemporal,
		Doc:     "The TIMESTAMP_LTZ(6) that text in a format of strftime stands for, in the zone given last or in the session's unless the text has an offset.",
		Example: "PARSE_TIMESTAMP('%d %b %Y %z', '29 Feb 2024 +0000') = TIMESTAMP_LTZ '2024-02-29 00:00:00Z'", ExampleResult: "TRUE",
		Overloads: []Overload{{
			Params: []Param{formatParam, stringParam, zoneParam}, Optional: 1, Check: validStrftime, Returns: returns(TimestampLTZ(6)), Fails: Sometimes,
			Slow: true, Compile: parseTimes,
		}},
	})
}

// formatParam is a format of strftime, instantParam a TIMESTAMP_LTZ.
var (
	formatParam  = named(stringParam, "format")
	instantParam = Param{Name: "timestamp", What: "a TIMESTAMP_LTZ", Accepts: isLTZ, Null: TimestampLTZ(3)}
)

// validStrftime is a Check of a literal format, and of a literal zone behind it.
func validStrftime(args []Expr) *ArgumentError {
	if format, ok := literalText(args[0]); ok {
		if _, err := parseStrftime(format); err != nil {
			return &ArgumentError{Arg: 0, Msg: err.Error()}
		}
	}
	return validZones(2)(args)
}

func parseTimes(s *Site) Kernel {
	patterns := patternCache{parse: parseStrftime}
	var zones zoneCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, zone := values[int64](out), s.Settings.zone()
		for _, row := range f.Rows() {
			pattern, err := patterns.find(args[0].bytes(row))
			what := ""
			if err != nil {
				what = err.Error()
			}
			if len(args) == 3 {
				var ok bool
				if zone, ok = zones.find(args[2].bytes(row)); !ok {
					what = noZone(args[2].str(row))
				}
			}
			if what == "" {
				d, ok := pattern.parse(args[1].bytes(row))
				if ok {
					o[row] = d.timestamp(true, zone)*1000 + d.nanos/1e3%1000
					continue
				}
				if !f.lenient() {
					what = quote(cut(args[1].str(row))) + " does not follow the format " + quote(cut(args[0].str(row)))
				}
			}
			if err := f.Fail(row, what); err != nil {
				return err
			}
		}
		return nil
	}
}
