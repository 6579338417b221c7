package expr

import (
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

func init() {
	Register(Function{
		Name: "AT TIME ZONE", Category: categoryTemporal, form: atZoneForm,
		Doc:     "The instant at which clocks of the zone show a TIMESTAMP, or what they show at a TIMESTAMP_LTZ.",
		Example: "TIMESTAMP_LTZ '2024-02-29 12:00:00Z' AT TIME ZONE 'Asia/Tokyo'", ExampleResult: "2024-02-29 21:00:00",
		Overloads: []Overload{{
			Params: []Param{timestampParam, zoneParam}, Returns: otherZone, Fails: Sometimes, Slow: true, Check: validZones(1), Compile: atZone,
		}},
	})
	Register(Function{
		Name: "CONVERT_TZ", Category: categoryTemporal,
		Doc:     "The time, as text in the form YYYY-MM-DD HH:MM:SS, that clocks of the second zone show when those of the first show the given one; NULL if the text has not the form.",
		Example: "CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles')", ExampleResult: "1969-12-31 16:00:00",
		Overloads: []Overload{{
			Params: []Param{named(stringParam, "time"), named(zoneParam, "from"), named(zoneParam, "to")}, Returns: returns(String),
			Nulls: PropagateOrNull, Fails: Sometimes, Slow: true, Check: validZones(1, 2), Compile: convertZones,
		}},
	})
}

// zoneParam is the name of a time zone.
var zoneParam = named(stringParam, "zone")

func atZoneForm(args []Expr) (string, level) {
	return operand(args[0], levelPrimary) + " AT TIME ZONE " + operand(args[1], levelPrimary), levelUnary
}

// otherZone is TIMESTAMP for TIMESTAMP_LTZ, and the other way round.
func otherZone(args []Expr) arrow.DataType {
	t := args[0].Type().(*arrow.TimestampType)
	if t.TimeZone == "" {
		return &arrow.TimestampType{Unit: t.Unit, TimeZone: "UTC"}
	}
	return &arrow.TimestampType{Unit: t.Unit}
}

// zoneNames are the short names that stand for a place.
var zoneNames = map[string]string{
	"PST": "America/Los_Angeles", "MST": "America/Denver", "CST": "America/Chicago", "EST": "America/New_York", "CET": "Europe/Paris",
	"EET": "Europe/Helsinki", "JST": "Asia/Tokyo", "IST": "Asia/Kolkata", "CTT": "Asia/Shanghai", "Z": "UTC",
}

// findZone finds a zone by its name in the tz database, a short name, or an offset: +02:00, GMT-8.
func findZone(name string) (*time.Location, bool) {
	if place := zoneNames[name]; place != "" {
		name = place
	}
	if zone, ok := offsetZone(name); ok {
		return zone, true
	}
	if name == "" || name == "Local" {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// offsetZone reads +02:00, +0200 or +2, with GMT or UTC in front or not.
func offsetZone(name string) (*time.Location, bool) {
	offset := strings.TrimPrefix(strings.TrimPrefix(name, "GMT"), "UTC")
	if len(offset) < 2 || offset[0] != '+' && offset[0] != '-' {
		return nil, false
	}
	hours, minutes, _ := strings.Cut(offset[1:], ":")
	if len(hours) > 2 {
		hours, minutes = hours[:2], hours[2:]
	}
	h, err := strconv.ParseUint(hours, 10, 8)
	m := uint64(0)
	if err == nil && minutes != "" {
		m, err = strconv.ParseUint(minutes, 10, 8)
	}
	if err != nil || h > 18 || m > 59 {
		return nil, false
	}
	seconds := int(h*3600 + m*60)
	if offset[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone(name, seconds), true
}

// validZones is a Check that literal names of zones exist.
func validZones(places ...int) func([]Expr) *ArgumentError {
	return func(args []Expr) *ArgumentError {
		for _, i := range places {
			if i >= len(args) {
				continue
			}
			if name, ok := literalText(args[i]); ok {
				if _, ok := findZone(name); !ok {
					return &ArgumentError{Arg: i, Msg: noZone(name)}
				}
			}
		}
		return nil
	}
}

func noZone(name string) string { return "there is no time zone " + quote(cut(name)) }

// zoneCache keeps the last zone, so that one that stays the same is looked up once.
type zoneCache struct {
	known bool
	name  string
	zone  *time.Location
	found bool
}

func (c *zoneCache) find(name []byte) (zone *time.Location, ok bool) {
	if !c.known || string(name) != c.name {
		c.known, c.name = true, string(name)
		c.zone, c.found = findZone(c.name)
	}
	return c.zone, c.found
}

func atZone(s *Site) Kernel {
	unit := s.Arg(0).(*arrow.TimestampType).Unit
	move := text.ToUTC
	if isLTZ(s.Arg(0)) {
		move = text.ToLocal
	}
	var cache zoneCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[int64](out), numberArg[int64](args[0])
		for _, row := range f.Rows() {
			zone, ok := cache.find(args[1].bytes(row))
			if ok {
				o[row] = move(x.row(row), unit, zone)
				continue
			}
			if err := f.FailWith(row, func() string { return noZone(args[1].str(row)) }); err != nil {
				return err
			}
		}
		return nil
	}
}

func convertZones(*Site) Kernel {
	var from, to zoneCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			zone, ok := from.find(args[1].bytes(row))
			target, targetOK := to.find(args[2].bytes(row))
			if !ok || !targetOK {
				wrong := args[1]
				if ok {
					wrong = args[2]
				}
				if err := f.FailWith(row, func() string { return noZone(wrong.str(row)) }); err != nil {
					return err
				}
				continue
			}
			v, err := text.ParseTimestamp(args[0].bytes(row), arrow.Second)
			if err != nil {
				f.SetNull(row)
				continue
			}
			v = text.ToLocal(text.ToUTC(v, arrow.Second, zone), arrow.Second, target)
			out.data = text.AppendTimestamp(out.data, v, arrow.Second)
			out.end(row)
		}
		return nil
	}
}
