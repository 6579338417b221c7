package expr

import (
	"math"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/internal/text"
)

// castToString writes values of any type.
func castToString(from arrow.DataType, s Settings) conversion {
	if from.ID() == arrow.BINARY {
		return conversion{kernel: bytesToString, slow: true}
	}
	style := text.SQL(s.zone())
	var column text.Column
	return conversion{slow: true, kernel: func(f *Frame, args []*Vector, out *Vector) error {
		arr := args[0].store(f.mem, from, f.n)
		defer arr.Release()
		rows := f.Rows()
		column.Render(arr, rows, style)
		for i, row := range rows {
			out.data = append(out.data, column.Row(i)...)
			out.end(row)
		}
		return nil
	}}
}

// bytesToString replaces what is not UTF-8.
func bytesToString(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		b := args[0].bytes(row)
		for len(b) > 0 {
			r, size := utf8.DecodeRune(b)
			out.data = utf8.AppendRune(out.data, r)
			b = b[size:]
		}
		out.end(row)
	}
	return nil
}

// castFromString reads values; blanks around them do not matter.
func castFromString(to arrow.DataType, s Settings) conversion {
	switch t := to.(type) {
	case *arrow.BinaryType:
		return conversion{}
	case *arrow.BooleanType:
		return parsing(parseBools)
	case *arrow.Int8Type:
		return parsing(parseRows(parseInteger[int8], to))
	case *arrow.Int16Type:
		return parsing(parseRows(parseInteger[int16], to))
	case *arrow.Int32Type:
		return parsing(parseRows(parseInteger[int32], to))
	case *arrow.Int64Type:
		return parsing(parseRows(parseInteger[int64], to))
	case *arrow.Float32Type:
		return parsing(parseRows(text.ParseFloat32, to))
	case *arrow.Float64Type:
		return parsing(parseRows(text.ParseFloat64, to))
	case *arrow.Decimal128Type:
		return parsing(parseRows(func(b []byte) (decimal128.Num, error) { return text.ParseDecimal(b, t.Precision, t.Scale) }, to))
	}
	return parseTemporal(to, s)
}

func parseTemporal(to arrow.DataType, s Settings) conversion {
	switch t := to.(type) {
	case *arrow.Date32Type:
		return parsing(parseRows(orPadded(parseDate), to))
	case *arrow.Time32Type:
		return parsing(parseRows(orPadded(func(b []byte) (int32, error) {
			v, err := text.ParseTime(b, arrow.Millisecond)
			return int32(v), err
		}), to))
	case *arrow.DurationType:
		return parsing(parseRows(func(b []byte) (int64, error) { return parseIntervalText(b, "DAY", "SECOND") }, to))
	case *arrow.MonthIntervalType:
		return parsing(parseRows(func(b []byte) (int32, error) {
			v, err := parseIntervalText(b, "YEAR", "MONTH")
			return int32(v), err
		}, to))
	case *arrow.TimestampType:
		if t.TimeZone == "" {
			return parsing(parseRows(orPadded(func(b []byte) (int64, error) { return parseTimestamp(b, t.Unit) }), to))
		}
		zone := s.zone()
		return parsing(parseRows(orPadded(func(b []byte) (int64, error) {
			if len(b) == dateLength {
				v, err := parseTimestamp(b, t.Unit)
				return text.ToUTC(v, t.Unit, zone), err
			}
			return text.ParseTimestampLTZ(b, t.Unit, zone)
		}), to))
	}
	return conversion{}
}

// orPadded reads times whose fields have two digits, or one where that cannot be read: 2024-2-9 9:05:00.
func orPadded[R any](parse func([]byte) (R, error)) func([]byte) (R, error) {
	var scratch []byte
	return func(b []byte) (R, error) {
		v, err := parse(b)
		if err == nil {
			return v, nil
		}
		if scratch = appendPaddedFields(scratch[:0], b); len(scratch) == len(b) {
			return v, err
		}
		return parse(scratch)
	}
}

// appendPaddedFields appends a time with a 0 in front of every field that is a single digit.
func appendPaddedFields(dst, b []byte) []byte {
	starts, fraction := true, false
	for i, c := range b {
		digit := c-'0' <= 9
		if digit && starts && !fraction && (i+1 == len(b) || b[i+1]-'0' > 9) {
			dst = append(dst, '0')
		}
		dst, starts, fraction = append(dst, c), !digit, fraction && digit || c == '.'
	}
	return dst
}

// parseRows makes a kernel of a function that reads a value.
func parseRows[R any](parse func([]byte) (R, error), to arrow.DataType) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[R](out)
		for _, row := range f.Rows() {
			v, err := parse(text.TrimSpace(args[0].bytes(row)))
			if o[row] = v; err == nil {
				continue
			}
			if err := f.failText(row, args[0].bytes(row), to); err != nil {
				return err
			}
		}
		return nil
	}
}

func parseBools(f *Frame, args []*Vector, out *Vector) error {
	clear(out.bits)
	for _, row := range f.Rows() {
		v, err := text.ParseBool(text.TrimSpace(args[0].bytes(row)))
		if v {
			setBit(out.bits, int(row))
		}
		if err == nil {
			continue
		}
		if err := f.failText(row, args[0].bytes(row), Boolean); err != nil {
			return err
		}
	}
	return nil
}

// failText fails for text that does not spell a value of the type.
func (f *Frame) failText(row uint32, b []byte, to arrow.DataType) error {
	return f.FailWith(row, func() string { return quote(cut(string(b))) + " is not a value of type " + TypeName(to) })
}

// parseInteger reads an integer; a fraction is cut off.
func parseInteger[T integer](b []byte) (T, error) {
	whole := wholePart(b)
	if n := len(whole); n == 0 && len(b) > 1 || n == 1 && len(b) > 2 && (b[0] == '-' || b[0] == '+') {
		return 0, nil // .5
	}
	v, err := text.ParseInt64(whole)
	if err == nil && int64(T(v)) != v {
		return 0, text.ErrRange
	}
	return T(v), err
}

// wholePart is the text in front of a well-formed fraction, or all of it if there is none.
func wholePart(b []byte) []byte {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == '.' {
			return b[:i]
		}
		if b[i]-'0' > 9 {
			break
		}
	}
	return b
}

// dateLength is the length of YYYY-MM-DD.
const dateLength = 10

// parseDate reads a date, or the date of a timestamp.
func parseDate(b []byte) (int32, error) {
	if len(b) <= dateLength {
		return text.ParseDate(b)
	}
	seconds, err := text.ParseTimestamp(b, arrow.Second)
	return int32(floorDiv(seconds, day/second)), err
}

// parseTimestamp reads a timestamp, or a date as its midnight.
func parseTimestamp(b []byte, unit arrow.TimeUnit) (int64, error) {
	if len(b) != dateLength {
		return text.ParseTimestamp(b, unit)
	}
	days, err := text.ParseDate(b)
	perDay := unitsPerSecond[unit] * (day / second)
	if v := int64(days) * perDay; v/perDay == int64(days) {
		return v, err
	}
	return 0, text.ErrRange
}

// parseIntervalText reads an interval as CAST AS STRING writes it, in months or milliseconds.
func parseIntervalText(b []byte, from, to string) (int64, error) {
	negative := len(b) > 0 && b[0] == '-'
	if negative || len(b) > 0 && b[0] == '+' {
		b = b[1:]
	}
	v, months, ok := parseInterval(string(b), from, to)
	if !ok {
		return 0, text.ErrSyntax
	}
	if negative {
		v = -v
	}
	if months && (v > math.MaxInt32 || v < math.MinInt32) {
		return 0, text.ErrRange
	}
	return v, nil
}
