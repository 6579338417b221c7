package text

import (
	"fmt"
	"strconv"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Append appends the text of one value. Column.Render is faster for many.
func (s *Style) Append(dst []byte, arr arrow.Array, i int) []byte {
	if arr.IsNull(i) {
		return append(dst, s.Null...)
	}
	switch a := arr.(type) {
	case *array.Boolean:
		return s.appendBool(dst, a.Value(i))
	case *array.Int8:
		return strconv.AppendInt(dst, int64(a.Value(i)), 10)
	case *array.Int16:
		return strconv.AppendInt(dst, int64(a.Value(i)), 10)
	case *array.Int32:
		return strconv.AppendInt(dst, int64(a.Value(i)), 10)
	case *array.Int64:
		return strconv.AppendInt(dst, a.Value(i), 10)
	case *array.Uint64:
		return strconv.AppendUint(dst, a.Value(i), 10)
	case *array.Float32:
		return s.appendFloat(dst, float64(a.Value(i)), 32)
	case *array.Float64:
		return s.appendFloat(dst, a.Value(i), 64)
	case *array.Decimal128:
		return s.appendDecimal(dst, a.Value(i), a.DataType().(*arrow.Decimal128Type).Scale)
	case *array.String:
		return s.String(dst, bytesOf(a.Value(i)))
	case *array.Binary:
		return s.Bytes(dst, a.Value(i))
	}
	if dst, ok := s.appendTemporal(dst, arr, i); ok {
		return dst
	}
	return s.appendNested(dst, arr, i)
}

// bytesOf is the bytes of a string, which are only read.
func bytesOf(v string) []byte { return unsafe.Slice(unsafe.StringData(v), len(v)) }

func (s *Style) appendDecimal(dst []byte, v decimal128.Num, scale int32) []byte {
	if !s.QuoteDecimals {
		return AppendDecimal(dst, v, scale)
	}
	return s.quote(AppendDecimal(s.quote(dst), v, scale))
}

func (s *Style) appendTemporal(dst []byte, arr arrow.Array, i int) ([]byte, bool) {
	switch a := arr.(type) {
	case *array.Timestamp:
		return s.appendTimestamp(dst, int64(a.Value(i)), a.DataType().(*arrow.TimestampType)), true
	case *array.Date32:
		return s.quote(AppendDate(s.quote(dst), int32(a.Value(i)))), true
	case *array.Time32:
		return s.quote(AppendTime(s.quote(dst), int64(a.Value(i)), a.DataType().(*arrow.Time32Type).Unit)), true
	case *array.Time64:
		return s.quote(AppendTime(s.quote(dst), int64(a.Value(i)), a.DataType().(*arrow.Time64Type).Unit)), true
	case *array.Duration:
		return s.quote(appendDuration(s.quote(dst), int64(a.Value(i)), a.DataType().(*arrow.DurationType).Unit)), true
	case *array.MonthInterval:
		return s.quote(appendMonths(s.quote(dst), int64(a.Value(i)))), true
	}
	return dst, false
}

// appendDuration appends an interval of days to seconds: +1 02:03:04.500.
func appendDuration(dst []byte, v int64, unit arrow.TimeUnit) []byte {
	dst, u := appendSign(dst, v)
	day := uint64(perSecond[unit]) * secondsPerDay
	dst = strconv.AppendUint(dst, u/day, 10)
	return AppendTime(append(dst, ' '), int64(u%day), unit)
}

// appendMonths appends an interval of years and months: +1-02.
func appendMonths(dst []byte, v int64) []byte {
	dst, u := appendSign(dst, v)
	dst = strconv.AppendUint(dst, u/12, 10)
	return appendTwo(append(dst, '-'), int(u%12))
}

func appendSign(dst []byte, v int64) ([]byte, uint64) {
	if v < 0 {
		return append(dst, '-'), -uint64(v)
	}
	return append(dst, '+'), uint64(v)
}

func (s *Style) appendNested(dst []byte, arr arrow.Array, i int) []byte {
	inner := s
	if s.Nested != nil {
		inner = s.Nested
	}
	start := len(dst)
	switch a := arr.(type) {
	case *array.Null:
		return append(dst, s.Null...)
	case *array.Map: // before List: a map is a list of entries
		dst = inner.appendMap(dst, a, i)
	case *array.Struct:
		dst = inner.appendStruct(dst, a, i)
	case array.ListLike:
		dst = inner.appendList(dst, a, i)
	default:
		dst = fmt.Appendf(dst, "%v", arr.ValueStr(i))
	}
	if s.Nested == nil {
		return dst
	}
	return s.String(dst[:start], []byte(string(dst[start:])))
}

func (s *Style) separator() string {
	if s.JSON {
		return ","
	}
	return ", "
}

func (s *Style) appendList(dst []byte, a array.ListLike, i int) []byte {
	lo, hi := a.ValueOffsets(i)
	dst = append(dst, '[')
	for j := lo; j < hi; j++ {
		if j > lo {
			dst = append(dst, s.separator()...)
		}
		dst = s.Append(dst, a.ListValues(), int(j))
	}
	return append(dst, ']')
}

func (s *Style) appendMap(dst []byte, a *array.Map, i int) []byte {
	lo, hi := a.ValueOffsets(i)
	dst = append(dst, '{')
	for j := lo; j < hi; j++ {
		if j > lo {
			dst = append(dst, s.separator()...)
		}
		if s.JSON {
			dst = append(s.appendKey(dst, a.Keys(), int(j)), ':')
		} else {
			dst = append(s.Append(dst, a.Keys(), int(j)), '=')
		}
		dst = s.Append(dst, a.Items(), int(j))
	}
	return append(dst, '}')
}

// appendKey appends a key of a JSON object, which is a string whatever its type.
func (s *Style) appendKey(dst []byte, keys arrow.Array, j int) []byte {
	if k, ok := keys.(*array.String); ok {
		return AppendJSONString(dst, []byte(k.Value(j)))
	}
	plain := *s
	plain.Quote = 0
	plain.Bytes = appendHex
	return AppendJSONString(dst, plain.Append(nil, keys, j))
}

func (s *Style) appendStruct(dst []byte, a *array.Struct, i int) []byte {
	opening, closing := byte('('), byte(')')
	if s.JSON {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	fields := a.DataType().(*arrow.StructType).Fields()
	for j := range a.NumField() {
		if j > 0 {
			dst = append(dst, s.separator()...)
		}
		if s.JSON {
			dst = append(AppendJSONString(dst, []byte(fields[j].Name)), ':')
		}
		dst = s.Append(dst, a.Field(j), i)
	}
	return append(dst, closing)
}
