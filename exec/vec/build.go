package vec

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// NewBuffer returns a buffer of size bytes whose contents are undefined.
func NewBuffer(mem memory.Allocator, size int) *memory.Buffer {
	return memory.NewBufferWithAllocator(mem.Allocate(size), mem)
}

// NewFixed returns a buffer for n values of T, a type without pointers, and the values as a slice to be filled.
func NewFixed[T any](mem memory.Allocator, n int) (*memory.Buffer, []T) {
	var zero T
	buf := NewBuffer(mem, n*int(unsafe.Sizeof(zero)))
	return buf, cast[T](buf.Bytes(), n)
}

// NewBitmap returns a buffer of n cleared bits and its bytes: validity (1 = not NULL) or the values of a BOOLEAN column.
func NewBitmap(mem memory.Allocator, n int) (*memory.Buffer, []byte) {
	buf := NewBuffer(mem, int(bitutil.BytesForBits(int64(n))))
	clear(buf.Bytes())
	return buf, buf.Bytes()
}

// MakeArray returns an array of n values over buffers laid out as Arrow lays out dt: the validity bitmap first (nil: no NULL).
// nulls is the number of NULLs, or -1 to have them counted. It consumes one reference to each buffer.
func MakeArray(dt arrow.DataType, n, nulls int, buffers ...*memory.Buffer) arrow.Array {
	return makeNested(dt, n, nulls, buffers, nil)
}

// makeNested is MakeArray for types with children; it consumes them too.
func makeNested(dt arrow.DataType, n, nulls int, buffers []*memory.Buffer, children []arrow.ArrayData) arrow.Array {
	if nulls < 0 {
		nulls = 0
		if buffers[0] != nil {
			nulls = n - bitutil.CountSetBits(buffers[0].Bytes(), 0, n)
		}
	}
	data := array.NewData(dt, n, buffers, children, nulls, 0)
	arr := array.MakeFromData(data)
	data.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	for _, c := range children {
		c.Release()
	}
	return arr
}

// MakeList returns n lists without NULLs: list i is elements[offsets[i]:offsets[i+1]]. It consumes the offsets, n+1 of int32, and
// the elements.
func MakeList(n int, offsets *memory.Buffer, elements arrow.Array) arrow.Array {
	return makeNested(arrow.ListOf(elements.DataType()), n, 0, []*memory.Buffer{nil, offsets}, []arrow.ArrayData{detach(elements)})
}

// Values is the fixed-width values of arr as a slice of T, which must have the width of arr's type. Slots of NULLs hold anything.
func Values[T any](arr arrow.Array) []T {
	data := arr.Data()
	if data.Len() == 0 || data.Buffers()[1] == nil {
		return nil
	}
	return cast[T](data.Buffers()[1].Bytes(), data.Offset()+data.Len())[data.Offset():]
}

// Validity is arr's validity bitmap and the bit of its first row. It is nil if arr has no NULLs, or is of type NULL and has nothing
// else.
func Validity(arr arrow.Array) (bits []byte, offset int) {
	if arr.NullN() == 0 {
		return nil, 0
	}
	return arr.NullBitmapBytes(), arr.Data().Offset()
}

// Bit is the i-th bit of a bitmap.
func Bit(bits []byte, i int) bool { return bits[uint(i)>>3]>>(uint(i)&7)&1 != 0 }

// Slice returns rows [from, to) of arr as an array that shares its memory and may be read by several goroutines: unlike those of
// array.NewSlice its NULLs have been counted.
func Slice(arr arrow.Array, from, to int) arrow.Array {
	s := array.NewSlice(arr, int64(from), int64(to))
	s.NullN()
	return s
}

// cast views the first n values of T in b.
func cast[T any](b []byte, n int) []T {
	if n == 0 {
		return nil
	}
	var zero T
	_ = b[n*int(unsafe.Sizeof(zero))-1]
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// Texts is the values of a STRING or BYTES column: row i is bytes[offsets[i]:offsets[i+1]].
func Texts(arr arrow.Array) (offsets []int32, bytes []byte) { return binaryValues[int32](arr) }
