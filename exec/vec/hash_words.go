package vec

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/zeebo/xxh3"
)

const (
	stringKey = uint64(0xa0761d6478bd642f)
	lengthKey = uint64(0xe7037ed1a0b428db)
)

// A wordReader fills words with those of the selected rows lo, lo+1, … of its column. It is called once per block of rows.
type wordReader func(words []uint64, lo int, sel []uint32)

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func newWordReader(arr arrow.Array) wordReader {
	switch dt := arr.DataType().(type) {
	case *arrow.NullType:
		return func([]uint64, int, []uint32) {}
	case *arrow.BooleanType:
		return boolReader(arr)
	case *arrow.Int8Type:
		return intReader[int8](arr, 1)
	case *arrow.Int16Type:
		return intReader[int16](arr, 1)
	case *arrow.Int32Type, *arrow.MonthIntervalType:
		return intReader[int32](arr, 1)
	case *arrow.Int64Type:
		return intReader[int64](arr, 1)
	case *arrow.Uint8Type:
		return intReader[uint8](arr, 1)
	case *arrow.Uint16Type:
		return intReader[uint16](arr, 1)
	case *arrow.Uint32Type:
		return intReader[uint32](arr, 1)
	case *arrow.Uint64Type:
		return intReader[uint64](arr, 1)
	case *arrow.Float32Type:
		return floatReader[float32](arr)
	case *arrow.Float64Type:
		return floatReader[float64](arr)
	case *arrow.Date32Type:
		return intReader[int32](arr, 24*3600*1e9)
	case *arrow.Date64Type:
		return intReader[int64](arr, 1e6)
	case *arrow.Time32Type:
		return intReader[int32](arr, uint64(dt.Unit.Multiplier()))
	case *arrow.Time64Type:
		return intReader[int64](arr, uint64(dt.Unit.Multiplier()))
	case *arrow.TimestampType:
		return intReader[int64](arr, uint64(dt.Unit.Multiplier()))
	case *arrow.DurationType:
		return intReader[int64](arr, uint64(dt.Unit.Multiplier()))
	case *arrow.StringType, *arrow.BinaryType:
		return binaryReader[int32](arr)
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return binaryReader[int64](arr)
	case *arrow.Decimal128Type:
		return decimalReader(arr, dt.Scale)
	case *arrow.StructType:
		return structReader(arr.(*array.Struct))
	}
	if list, ok := arr.(array.ListLike); ok {
		return listReader(list)
	}
	panic(fmt.Errorf("vec.Hash: no hash for type %s", arr.DataType()))
}

// intReader multiplies by unit, wrapping around, so that times of different units meet in nanoseconds.
func intReader[T integer](arr arrow.Array, unit uint64) wordReader {
	values := Values[T](arr)
	return func(words []uint64, lo int, sel []uint32) {
		if sel == nil {
			run := values[lo:][:len(words)]
			for i := range words {
				words[i] = uint64(run[i]) * unit
			}
			return
		}
		for i, row := range sel[lo:][:len(words)] {
			words[i] = uint64(values[row]) * unit
		}
	}
}

func floatReader[T float32 | float64](arr arrow.Array) wordReader {
	values := Values[T](arr)
	return func(words []uint64, lo int, sel []uint32) {
		if sel == nil {
			for i, v := range values[lo : lo+len(words)] {
				words[i] = FloatBits(float64(v))
			}
			return
		}
		for i, row := range sel[lo : lo+len(words)] {
			words[i] = FloatBits(float64(values[row]))
		}
	}
}

// FloatBits is the bits of v after -0.0 has become 0.0 and every NaN the same NaN: equal bits are equal keys.
func FloatBits(v float64) uint64 {
	if v != v {
		return 0x7ff8000000000001
	}
	return math.Float64bits(v + 0)
}

func boolReader(arr arrow.Array) wordReader {
	data := arr.Data()
	off := data.Offset()
	var bitmap []byte
	if data.Len() > 0 {
		bitmap = data.Buffers()[1].Bytes()
	}
	return func(words []uint64, lo int, sel []uint32) {
		for i := range words {
			row := lo + i
			if sel != nil {
				row = int(sel[row])
			}
			words[i] = uint64(bitmap[uint(off+row)>>3] >> (uint(off+row) & 7) & 1)
		}
	}
}

func binaryReader[O int32 | int64](arr arrow.Array) wordReader {
	offsets, bytes := binaryValues[O](arr)
	return func(words []uint64, lo int, sel []uint32) {
		if sel == nil {
			offs := offsets[lo : lo+len(words)+1]
			for i := range words {
				words[i] = hashBytes(bytes[offs[i]:offs[i+1]])
			}
			return
		}
		for i, row := range sel[lo : lo+len(words)] {
			words[i] = hashBytes(bytes[offsets[row]:offsets[row+1]])
		}
	}
}

// binaryValues is the offsets of arr's rows (one more than rows) into its bytes.
func binaryValues[O int32 | int64](arr arrow.Array) ([]O, []byte) {
	data := arr.Data()
	if data.Len() == 0 {
		return []O{0}, nil
	}
	var bytes []byte
	if b := data.Buffers()[2]; b != nil {
		bytes = b.Bytes()
	}
	return cast[O](data.Buffers()[1].Bytes(), data.Offset()+data.Len()+1)[data.Offset():], bytes
}

// ShortText is the bytes up to which TextWords holds a whole text.
const ShortText = 12

// TextWords is two words for a text: its first eight bytes, and its length over the four bytes that follow or, if it has more than
// ShortText bytes, over zero. Missing bytes are zero. Short texts are equal if and only if their words are.
func TextWords(b []byte) (first, rest uint64) {
	n := len(b)
	p := unsafe.Pointer(unsafe.SliceData(b))
	rest = uint64(n) << 32
	switch {
	case n > ShortText:
		return load64(p), rest
	case n >= 8:
		return load64(p), rest | uint64(load32(unsafe.Add(p, n-4)))>>(8*(ShortText-n))
	case n >= 4:
		return uint64(load32(p)) | uint64(load32(unsafe.Add(p, n-4)))<<(8*(n-4)), rest
	}
	for i, c := range b {
		first |= uint64(c) << (8 * i)
	}
	return first, rest
}

// TextHash is the hash of a row whose only column is the text b with the words first and rest.
func TextHash(first, rest uint64, b []byte) uint64 { return finish(textWord(first, rest, b)) }

func hashBytes(b []byte) uint64 {
	first, rest := TextWords(b)
	return textWord(first, rest, b)
}

func textWord(first, rest uint64, b []byte) uint64 {
	if len(b) > ShortText {
		return xxh3.Hash(b)
	}
	hi, lo := bits.Mul64(first^stringKey, rest^lengthKey)
	return hi ^ lo
}
