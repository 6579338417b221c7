package expr

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// spread is how many copies of a constant a vector holds, so that loops over blocks of as many rows need no form of their own
// for constants. It is a multiple of 64.
const spread = 256

// Vector is a value for each row of a batch, inside a program: raw slices of a column, or of buffers of the program. A
// constant stands for all rows.
type Vector struct {
	t       arrow.DataType
	rowMask int      // ANDed with a row gives the index of its value: all ones, or 0 for a constant
	valid   []uint64 // nil: no NULLs
	bits    []uint64 // BOOLEAN
	fixed   []byte   // types of fixed width
	offsets []int32  // STRING and BYTES: value i is data[offsets[i]:offsets[i+1]]
	data    []byte
	nested  arrow.Array // ARRAY, MAP and ROW: the values, with their validity; never nil

	owned   owned
	written int // STRING and BYTES being written: values finished
	start   int // and where the next value starts in data
}

// owned are the buffers of a vector that go back to the pool.
type owned struct {
	valid, bits, fixed, offsets []uint64
	data, nested                bool
	buffer                      *memory.Buffer // or the buffer of the result that fixed views
}

func (v *Vector) isConst() bool { return v.rowMask == 0 }

// at is the index of row's value.
func (v *Vector) at(row int) int { return row & v.rowMask }

// word is the k-th word of a bitmap of v.
func (v *Vector) word(words []uint64, k int) uint64 { return words[k&v.rowMask] }

// validWord is the k-th word of v's validity.
func (v *Vector) validWord(k int) uint64 {
	if v.valid == nil {
		return ^uint64(0)
	}
	return v.valid[k&v.rowMask]
}

// trueWord is the k-th word of the rows for which v, a BOOLEAN, is TRUE.
func (v *Vector) trueWord(k int) uint64 { return v.validWord(k) & v.bits[k&v.rowMask] }

// falseWord is the k-th word of the rows for which v, a BOOLEAN, is FALSE.
func (v *Vector) falseWord(k int) uint64 { return v.validWord(k) &^ v.bits[k&v.rowMask] }

// values views the values of a fixed-width vector.
func values[T any](v *Vector) []T {
	var zero T
	return slice[T](v.fixed, len(v.fixed)/int(unsafe.Sizeof(zero)))
}

// isValid reports whether the value for a row is not NULL.
func (v *Vector) isValid(row uint32) bool { return v.valid == nil || bit(v.valid, v.at(int(row))) }

// bytes is the value of a STRING or BYTES vector for a row; it must not be kept or changed.
func (v *Vector) bytes(row uint32) []byte {
	i := int(row) & v.rowMask
	return v.data[v.offsets[i]:v.offsets[i+1]]
}

// str is bytes as a string.
func (v *Vector) str(row uint32) string {
	b := v.bytes(row)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// end finishes the value of row, which is what was appended to data since the last call. Rows come in ascending order; those
// left out are empty.
func (v *Vector) end(row uint32) {
	for ; v.written < int(row); v.written++ {
		v.offsets[v.written+1] = int32(v.start)
	}
	v.start = len(v.data)
	v.written++
	v.offsets[v.written] = int32(v.start)
}

// widthOf is the number of bytes of a value of a fixed-width type other than BOOLEAN, or 0.
func widthOf(t arrow.DataType) int {
	if f, ok := t.(arrow.FixedWidthDataType); ok && t.ID() != arrow.BOOL {
		return f.Bytes()
	}
	return 0
}

// isText reports whether values are bytes of any length.
func isText(t arrow.DataType) bool { return t.ID() == arrow.STRING || t.ID() == arrow.BINARY }
