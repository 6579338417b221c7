package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	registerInstant("TIMESTAMP_SECONDS", 0, "The instant so many seconds after 1970-01-01 00:00:00 UTC.", "TIMESTAMP_SECONDS(1709209800) = TIMESTAMP_LTZ '2024-02-29 12:30:00Z'")
	registerInstant("TIMESTAMP_MILLIS", 3, "The instant so many milliseconds after 1970-01-01 00:00:00 UTC.", "TIMESTAMP_MILLIS(1709209800000) = TIMESTAMP_LTZ '2024-02-29 12:30:00Z'")
	registerEpochCount("UNIX_SECONDS", 1, nil, "The whole seconds from 1970-01-01 00:00:00 UTC to the time; a TIMESTAMP is taken to be of UTC.", "UNIX_SECONDS(TIMESTAMP '1970-01-02 00:00:00.5')", "86400")
	registerEpochCount("UNIX_MILLIS", 1000, nil, "The whole milliseconds from 1970-01-01 00:00:00 UTC to the time; a TIMESTAMP is taken to be of UTC.", "UNIX_MILLIS(TIMESTAMP '1970-01-01 00:00:00.5')", "500")
	registerEpochCount("EPOCH_MS", 1000, []Overload{{
		Params: []Param{intParam}, Returns: returns(Timestamp(3)), Compile: only(unaryOp(func(out, x []int64) { copy(out, x) })),
	}}, "The whole milliseconds from 1970-01-01 00:00:00 to the time, or the TIMESTAMP(3) so many milliseconds after it.", "EPOCH_MS(TIMESTAMP '1970-01-01 00:00:00.5')", "500")
	Register(Function{
		Name: "EPOCH", Category: categoryTemporal,
		Doc:     "The seconds, with their fraction, from 1970-01-01 00:00:00 UTC to the time, or of an interval.",
		Example: "EPOCH(TIMESTAMP '1970-01-01 00:00:01.5')", ExampleResult: "1.5",
		Overloads: []Overload{
			{Params: []Param{timestampParam}, Returns: returns(Double), Compile: func(s *Site) Kernel {
				return secondsKernel(float64(unitsPerSecond[s.Arg(0).(*arrow.TimestampType).Unit]))
			}},
			{Params: []Param{dayTimeParam}, Returns: returns(Double), Compile: func(*Site) Kernel { return secondsKernel(1000) }},
		},
	})
	Register(Function{
		Name: "FROM_UNIXTIME", Category: categoryTemporal,
		Doc:     "The text, in a pattern of Java's date formats or as yyyy-MM-dd HH:mm:ss, of the time so many seconds after 1970-01-01 00:00:00 UTC in the session's time zone.",
		Example: "FROM_UNIXTIME(44)", ExampleResult: "1970-01-01 00:00:44",
		Overloads: []Overload{{
			Params: []Param{intParam, named(stringParam, "pattern")}, Optional: 1, Returns: returns(String), Fails: Sometimes, Slow: true, Expand: fromUnixTime,
		}},
	})
	Register(Function{
		Name: "UNIX_TIMESTAMP", Category: categoryTemporal,
		Doc:     "The seconds from 1970-01-01 00:00:00 UTC to now, or to the time that text in a pattern of Java's date formats, 'yyyy-MM-dd HH:mm:ss' if none is given, stands for in the session's time zone unless the text has an offset; more text behind it does not count. The least BIGINT if the text does not follow the pattern.",
		Example: "UNIX_TIMESTAMP('1970-01-02 00:00:00')", ExampleResult: "86400",
		Overloads: []Overload{
			{Returns: returns(BigInt), PerBatch: true, Expand: func(_ []Expr, s Settings) (Expr, error) {
				now, err := NewCall("CURRENT_TIMESTAMP", nil, s)
				if err != nil {
					return nil, err
				}
				return NewCall("UNIX_SECONDS", []Expr{now}, s)
			}},
			{Params: []Param{stringParam, named(stringParam, "pattern")}, Optional: 1, Returns: returns(BigInt), Fails: Sometimes, Slow: true, Compile: unixTimestamp},
		},
	})
}

func registerInstant(name string, precision int32, doc, example string) {
	Register(Function{
		Name: name, Category: categoryTemporal, Doc: doc, Example: example, ExampleResult: "TRUE",
		Overloads: []Overload{{
			Params: []Param{intParam}, Returns: returns(TimestampLTZ(3)), Fails: Sometimes,
			Expand: func(args []Expr, s Settings) (Expr, error) {
				return NewCall("TO_TIMESTAMP_LTZ", []Expr{args[0], NewInt(precision)}, s)
			},
		}},
	})
}

// registerEpochCount adds a function that counts units since 1970, of which a second has perSecond.
func registerEpochCount(name string, perSecond int64, more []Overload, doc, example, result string) {
	count := Overload{Params: []Param{timestampParam}, Returns: returns(BigInt), Fails: Sometimes, Compile: func(s *Site) Kernel {
		return epochCount(unitsPerSecond[s.Arg(0).(*arrow.TimestampType).Unit], perSecond)
	}}
	Register(Function{
		Name: name, Category: categoryTemporal, Doc: doc, Example: example, ExampleResult: result, Overloads: append([]Overload{count}, more...),
	})
}

// epochCount converts a count of units of which a second has so many into wanted ones.
func epochCount(perSecond, wanted int64) Kernel {
	return convertRows(func(v int64) (int64, bool) {
		if perSecond >= wanted {
			return floorDiv(v, perSecond/wanted), true
		}
		ratio := wanted / perSecond
		return v * ratio, v <= math.MaxInt64/ratio && v >= math.MinInt64/ratio
	}, BigInt)
}

func secondsKernel(perSecond float64) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[float64](out), numberArg[int64](args[0])
		for _, row := range f.Rows() {
			o[row] = float64(x.row(row)) / perSecond
		}
		return nil
	}
}

func fromUnixTime(args []Expr, s Settings) (Expr, error) {
	instant, err := NewCall("TO_TIMESTAMP_LTZ", []Expr{args[0], NewInt(0)}, s)
	if err != nil {
		return nil, err
	}
	pattern := Expr(NewString("yyyy-MM-dd HH:mm:ss"))
	if len(args) == 2 {
		pattern = args[1]
	}
	return NewCall("DATE_FORMAT", []Expr{instant, pattern}, s)
}

// unixTimestamp reads text by a pattern, and takes no notice of what stands behind what it has read.
func unixTimestamp(s *Site) Kernel {
	usual, _ := parseDatePattern("yyyy-MM-dd HH:mm:ss")
	cache := patternCache{parse: parseDatePattern}
	zone := s.Settings.zone()
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, pattern := values[int64](out), usual
		for _, row := range f.Rows() {
			if len(args) == 2 {
				var err error
				if pattern, err = cache.find(args[1].bytes(row)); err != nil {
					if err := f.Fail(row, err.Error()); err != nil {
						return err
					}
					continue
				}
			}
			d, _, ok := pattern.parsePrefix(args[0].bytes(row))
			if o[row] = math.MinInt64; ok {
				o[row] = floorDiv(d.timestamp(true, zone), second)
			}
		}
		return nil
	}
}
