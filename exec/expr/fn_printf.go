package expr

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/internal/text"
)

func init() {
	Register(Function{
		Name: "PRINTF", Aliases: []string{"FORMAT"}, Category: categoryString,
		Doc:     "The format with each directive, of the kind of %5.2f, replaced by the next value; a NULL value is written null. NULL if the format does not fit the values.",
		Example: "PRINTF('%s has %,d rows', 't', 12345)", ExampleResult: "t has 12,345 rows",
		Overloads: []Overload{{
			Params: []Param{named(stringParam, "format"), anyParam}, Optional: 1, Variadic: true, Check: validPrintf, Returns: returns(String),
			Nulls: PropagateFirstOrNull, Slow: true, Compile: printfKernel,
		}},
	})
}

// validPrintf is a Check that a literal format fits the values.
func validPrintf(args []Expr) *ArgumentError {
	format, ok := literalText(args[0])
	if !ok {
		return nil
	}
	p, err := parsePrintf(format)
	if err != nil {
		return &ArgumentError{Arg: 0, Msg: err.Error()}
	}
	if arg, msg := p.misfit(typesOf(args[1:])); msg != "" {
		return &ArgumentError{Arg: arg, Msg: msg}
	}
	return nil
}

// misfit tells which argument of PRINTF is wrong, and why.
func (p printfFormat) misfit(types []arrow.DataType) (arg int, msg string) {
	for _, d := range p {
		switch {
		case d.verb == 0:
		case d.arg >= len(types):
			return 0, fmt.Sprintf("the format has a directive for value %d, and there are %d", d.arg+1, len(types))
		case !d.takes(types[d.arg]):
			return d.arg + 1, fmt.Sprintf("%%%c does not write a value of type %s", d.verb, TypeName(types[d.arg]))
		}
	}
	return 0, ""
}

func (d *printfDirective) takes(t arrow.DataType) bool {
	switch d.verb {
	case 'd', 'o', 'x':
		return isInteger(t) || t.ID() == arrow.NULL
	case 'e', 'f', 'g':
		return isFloat(t) || isDecimal(t) || t.ID() == arrow.NULL
	case 'c':
		return isInteger(t) || t.ID() == arrow.NULL
	}
	return true
}

// printfCache keeps the last format, so that one that stays the same is taken apart once.
type printfCache struct {
	known bool
	text  string
	parts printfFormat
	fits  bool
}

func (c *printfCache) find(format []byte, types []arrow.DataType) (printfFormat, bool) {
	if !c.known || string(format) != c.text {
		c.known, c.text = true, string(format)
		parts, err := parsePrintf(c.text)
		_, msg := parts.misfit(types)
		c.parts, c.fits = parts, err == nil && msg == ""
	}
	return c.parts, c.fits
}

func printfKernel(s *Site) Kernel {
	types := typesOf(s.Args[1:])
	style := *text.SQL(s.Settings.zone())
	style.True, style.False = "true", "false"
	var cache printfCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		arrays := make([]arrow.Array, len(args)-1)
		for i, a := range args[1:] {
			arrays[i] = f.arrayOf(a)
		}
		defer releaseAll(arrays)
		for _, row := range f.Rows() {
			parts, ok := cache.find(args[0].bytes(row), types)
			if !ok {
				f.SetNull(row)
				continue
			}
			for i := range parts {
				d := &parts[i]
				if d.verb == 0 {
					out.data = append(out.data, d.text...)
					continue
				}
				start := len(out.data)
				out.data = d.append(out.data, arrays[d.arg], args[1+d.arg].at(int(row)), &style)
				out.data = d.pad(out.data, start)
			}
			out.end(row)
		}
		return nil
	}
}

// append writes a value of an array.
func (d *printfDirective) append(dst []byte, arr arrow.Array, i int, style *text.Style) []byte {
	null := arr.IsNull(i) || arr.DataType().ID() == arrow.NULL
	switch {
	case d.verb == 'b' && (null || arr.DataType().ID() != arrow.BOOL):
		return d.cut(strconv.AppendBool(dst, !null), len(dst))
	case null:
		return d.cut(append(dst, "null"...), len(dst))
	case d.verb == 's' || d.verb == 'b':
		return d.cut(style.Append(dst, arr, i), len(dst))
	case isDecimal(arr.DataType()):
		return d.appendDecimal(dst, arr.(*array.Decimal128).Value(i), arr.DataType().(*arrow.Decimal128Type))
	case isFloat(arr.DataType()):
		return d.appendFloat(dst, floatAt(arr, i))
	case d.verb == 'c':
		v, _ := integerAt(arr, i)
		return append(dst, string(rune(v))...)
	}
	v, bits := integerAt(arr, i)
	return d.appendInteger(dst, v, bits)
}

// cut shortens what dst holds from start on to as many characters as the precision says.
func (d *printfDirective) cut(dst []byte, start int) []byte {
	if d.precision < 0 {
		return dst
	}
	return dst[:start+runeStart(dst[start:], int64(d.precision))]
}

// appendDecimal writes all digits of a DECIMAL by %f.
func (d *printfDirective) appendDecimal(dst []byte, n decimal128.Num, t *arrow.Decimal128Type) []byte {
	precision := int32(d.precision)
	if precision < 0 {
		precision = 6
	}
	if d.verb != 'f' {
		return d.appendFloat(dst, decimalToFloat(n, t.Scale))
	}
	negative := n.Sign() < 0
	var room [80]byte
	digits := room[:0]
	if precision < t.Scale {
		n, _ = roundHalfUp.round(n, t.Scale-precision, maxPrecision)
		digits = text.AppendDecimal(digits, n.Abs(), precision)
	} else {
		digits = text.AppendDecimal(digits, n.Abs(), t.Scale)
		if t.Scale == 0 && precision > 0 {
			digits = append(digits, '.')
		}
		for range precision - t.Scale {
			digits = append(digits, '0')
		}
	}
	return d.appendSigned(dst, negative && n.Sign() != 0, digits)
}
