package agg

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/exec/vec"
)

// codec turns the values of a column type into bytes and back. The bytes of two values compare as the values do, and none are the
// beginning of another's. Equal values have equal bytes: -0.0 becomes 0.0, and every NaN the same one, which comes last.
type codec struct {
	// reader gives the function that appends the bytes of a row's value, which is not NULL.
	reader func(arr arrow.Array) func(dst []byte, row int) []byte
	// write appends the value whose bytes begin src to b and gives the rest of src.
	write func(b array.Builder, src []byte) (rest []byte)
}

// codecOf is the codec of a type. There is one for every type of the dialect.
func codecOf(dt arrow.DataType) (codec, error) {
	if c, ok := scalarCodecs[dt.ID()]; ok {
		return c, nil
	}
	switch dt := dt.(type) {
	case *arrow.ListType:
		return listCodec(dt)
	case *arrow.StructType:
		return structCodec(dt)
	case *arrow.MapType:
		return mapCodec(dt)
	}
	return codec{}, fmt.Errorf("values of type %s cannot be kept", typeName(dt))
}

var scalarCodecs = map[arrow.Type]codec{
	arrow.NULL:            nullCodec,
	arrow.BOOL:            booleanCodec,
	arrow.INT8:            integerCodec[int8](true),
	arrow.INT16:           integerCodec[int16](true),
	arrow.INT32:           integerCodec[int32](true),
	arrow.INT64:           integerCodec[int64](true),
	arrow.UINT8:           integerCodec[uint8](false),
	arrow.UINT16:          integerCodec[uint16](false),
	arrow.UINT32:          integerCodec[uint32](false),
	arrow.UINT64:          integerCodec[uint64](false),
	arrow.DATE32:          integerCodec[arrow.Date32](true),
	arrow.DATE64:          integerCodec[arrow.Date64](true),
	arrow.TIME32:          integerCodec[arrow.Time32](true),
	arrow.TIME64:          integerCodec[arrow.Time64](true),
	arrow.TIMESTAMP:       integerCodec[arrow.Timestamp](true),
	arrow.DURATION:        integerCodec[arrow.Duration](true),
	arrow.INTERVAL_MONTHS: integerCodec[arrow.MonthInterval](true),
	arrow.FLOAT32:         floatCodec,
	arrow.FLOAT64:         doubleCodec,
	arrow.DECIMAL128:      decimalCodec,
	arrow.STRING:          textCodec(func(b array.Builder, v []byte) { b.(*array.StringBuilder).Append(string(v)) }),
	arrow.BINARY:          textCodec(func(b array.Builder, v []byte) { b.(*array.BinaryBuilder).Append(v) }),
}

// nullCodec is of columns that hold nothing but NULL.
var nullCodec = codec{
	reader: func(arrow.Array) func([]byte, int) []byte { return func(dst []byte, _ int) []byte { return dst } },
	write: func(b array.Builder, src []byte) []byte {
		b.AppendNull()
		return src
	},
}

// appendWord appends the lower width bytes of v, the highest first.
func appendWord(dst []byte, v uint64, width int) []byte {
	switch width {
	case 1:
		return append(dst, byte(v))
	case 2:
		return binary.BigEndian.AppendUint16(dst, uint16(v))
	case 4:
		return binary.BigEndian.AppendUint32(dst, uint32(v))
	}
	return binary.BigEndian.AppendUint64(dst, v)
}

// word is the inverse of appendWord.
func word(src []byte, width int) (v uint64, rest []byte) {
	for _, b := range src[:width] {
		v = v<<8 | uint64(b)
	}
	return v, src[width:]
}

// integerCodec is of integers and of times, which are kept as integers.
func integerCodec[T ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64](signed bool) codec {
	var zero T
	width := int(unsafe.Sizeof(zero))
	flip := uint64(0) // of the sign, so that negative numbers come first
	if signed {
		flip = 1 << (8*width - 1)
	}
	return codec{
		reader: func(arr arrow.Array) func([]byte, int) []byte {
			values := vec.Values[T](arr)
			return func(dst []byte, row int) []byte { return appendWord(dst, uint64(values[row])^flip, width) }
		},
		write: func(b array.Builder, src []byte) []byte {
			v, rest := word(src, width)
			b.(interface{ Append(T) }).Append(T(v ^ flip))
			return rest
		},
	}
}

var booleanCodec = codec{
	reader: func(arr arrow.Array) func([]byte, int) []byte {
		values := arr.(*array.Boolean)
		return func(dst []byte, row int) []byte {
			if values.Value(row) {
				return append(dst, 1)
			}
			return append(dst, 0)
		}
	},
	write: func(b array.Builder, src []byte) []byte {
		b.(*array.BooleanBuilder).Append(src[0] != 0)
		return src[1:]
	},
}

var doubleCodec = codec{
	reader: func(arr arrow.Array) func([]byte, int) []byte {
		values := vec.Values[float64](arr)
		return func(dst []byte, row int) []byte { return appendDouble(dst, values[row]) }
	},
	write: func(b array.Builder, src []byte) []byte {
		v, rest := word(src, 8)
		b.(*array.Float64Builder).Append(doubleOf(v))
		return rest
	},
}

// appendDouble inverts negative numbers, whose bits otherwise grow with their distance from 0, and the sign of the others.
func appendDouble(dst []byte, v float64) []byte {
	bits := vec.FloatBits(v)
	if int64(bits) < 0 {
		return appendWord(dst, ^bits, 8)
	}
	return appendWord(dst, bits|1<<63, 8)
}

// doubleOf is the double whose bytes make the word.
func doubleOf(word uint64) float64 {
	if int64(word) < 0 {
		return math.Float64frombits(word &^ (1 << 63))
	}
	return math.Float64frombits(^word)
}

// floatCodec keeps floats as the doubles they are.
var floatCodec = codec{
	reader: func(arr arrow.Array) func([]byte, int) []byte {
		values := vec.Values[float32](arr)
		return func(dst []byte, row int) []byte { return appendDouble(dst, float64(values[row])) }
	},
	write: func(b array.Builder, src []byte) []byte {
		v, rest := word(src, 8)
		b.(*array.Float32Builder).Append(float32(doubleOf(v)))
		return rest
	},
}

var decimalCodec = codec{
	reader: func(arr arrow.Array) func([]byte, int) []byte {
		values := vec.Values[decimal128.Num](arr)
		return func(dst []byte, row int) []byte {
			dst = appendWord(dst, uint64(values[row].HighBits())^1<<63, 8)
			return appendWord(dst, values[row].LowBits(), 8)
		}
	},
	write: func(b array.Builder, src []byte) []byte {
		hi, rest := word(src, 8)
		lo, rest := word(rest, 8)
		b.(*array.Decimal128Builder).Append(decimal128.New(int64(hi^1<<63), lo))
		return rest
	},
}

// textCodec ends a text in two zero bytes and writes a zero byte in it as 0, 1.
func textCodec(appendTo func(b array.Builder, v []byte)) codec {
	return codec{
		reader: func(arr arrow.Array) func([]byte, int) []byte {
			offsets, data := vec.Texts(arr)
			return func(dst []byte, row int) []byte { return appendText(dst, data[offsets[row]:offsets[row+1]]) }
		},
		write: func(b array.Builder, src []byte) []byte {
			v, rest := textOf(src)
			appendTo(b, v)
			return rest
		},
	}
}

func appendText(dst, v []byte) []byte {
	for {
		zero := bytes.IndexByte(v, 0)
		if zero < 0 {
			return append(append(dst, v...), 0, 0)
		}
		dst = append(append(dst, v[:zero]...), 0, 1)
		v = v[zero+1:]
	}
}

// textOf is the inverse of appendText. The text may be part of src.
func textOf(src []byte) (v, rest []byte) {
	end := bytes.IndexByte(src, 0)
	if src[end+1] == 0 {
		return src[:end], src[end+2:]
	}
	v = bytes.Clone(src[:end])
	for src = src[end:]; src[1] != 0; {
		src = src[2:]
		end = bytes.IndexByte(src, 0)
		v = append(append(v, 0), src[:end]...)
		src = src[end:]
	}
	return v, src[2:]
}
