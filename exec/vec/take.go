package vec

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Take returns a new array of the rows idx of arr, in that order; a row may be taken any number of times.
func Take(mem memory.Allocator, arr arrow.Array, idx []uint32) arrow.Array {
	if idx == nil {
		idx = []uint32{}
	}
	return gather(mem, arr.DataType(), []part{{arr, idx}})
}

// Compact returns b without a selection: only its selected rows, in new columns. It consumes b.
func Compact(mem memory.Allocator, b Batch) Batch {
	if b.Sel == nil {
		return b
	}
	return Concat(mem, []Batch{b})
}

// Concat appends the selected rows of batches, which are of the same types, into one batch without a selection. It consumes them.
func Concat(mem memory.Allocator, batches []Batch) Batch {
	if len(batches) == 1 && batches[0].Sel == nil {
		return batches[0]
	}
	var out Batch
	for _, b := range batches {
		out.Rows += b.Len()
	}
	if len(batches) == 0 {
		return out
	}
	parts := make([]part, len(batches))
	out.Cols = make([]arrow.Array, len(batches[0].Cols))
	for c := range out.Cols {
		for i, b := range batches {
			parts[i] = part{b.Cols[c], b.Sel}
		}
		out.Cols[c] = gather(mem, parts[0].arr.DataType(), parts)
	}
	out.Kinds = concatKinds(batches, out.Rows)
	out.Marks = concatMarks(batches, out.Rows)
	for _, b := range batches {
		b.Release()
	}
	return out
}

// ConcatArrays returns a new array of the rows of arrays, of which there is at least one and which are of the same type. Unlike
// array.Concatenate it does not count on the allocator for clean memory.
func ConcatArrays(mem memory.Allocator, arrays ...arrow.Array) arrow.Array {
	parts := make([]part, len(arrays))
	for i, a := range arrays {
		parts[i].arr = a
	}
	return gather(mem, arrays[0].DataType(), parts)
}

func concatKinds(batches []Batch, rows int) []Kind {
	var kinds []Kind
	at := 0
	for _, b := range batches {
		if b.Kinds != nil {
			if kinds == nil {
				kinds = make([]Kind, rows)
			}
			gatherFixed(kinds[at:], b.Kinds, b.Sel)
		}
		at += b.Len()
	}
	return kinds
}

// concatMarks gives the rows of a batch without marks the mark MinTime: nothing is known of what came before them.
func concatMarks(batches []Batch, rows int) []int64 {
	var marks []int64
	at := 0
	for _, b := range batches {
		if b.Marks != nil && marks == nil {
			marks = make([]int64, rows)
			for i := range marks[:at] {
				marks[i] = MinTime
			}
		}
		if b.Marks != nil {
			gatherFixed(marks[at:], b.Marks, b.Sel)
		} else if marks != nil {
			for i := range b.Len() {
				marks[at+i] = MinTime
			}
		}
		at += b.Len()
	}
	return marks
}

// part is some rows of an array; idx nil means all of them.
type part struct {
	arr arrow.Array
	idx []uint32
}

func (p part) len() int {
	if p.idx == nil {
		return p.arr.Len()
	}
	return len(p.idx)
}

// gather returns a new array of the rows of all parts, which are of type dt.
func gather(mem memory.Allocator, dt arrow.DataType, parts []part) arrow.Array {
	rows := 0
	for _, p := range parts {
		rows += p.len()
	}
	switch t := dt.(type) {
	case *arrow.NullType:
		return array.NewNull(rows)
	case *arrow.BooleanType:
		return gatherBool(mem, dt, parts, rows)
	case *arrow.StringType, *arrow.BinaryType:
		return gatherBinary[int32](mem, dt, parts, rows)
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return gatherBinary[int64](mem, dt, parts, rows)
	case *arrow.StructType:
		return gatherStruct(mem, t, parts, rows)
	case *arrow.ListType, *arrow.MapType:
		return gatherList(mem, dt, parts, rows)
	case arrow.FixedWidthDataType:
		return gatherWidth(mem, dt, t.Bytes(), parts, rows)
	}
	panic(fmt.Errorf("vec.Take: cannot gather type %s", dt))
}

func gatherWidth(mem memory.Allocator, dt arrow.DataType, width int, parts []part, rows int) arrow.Array {
	switch width {
	case 1:
		return gatherValues[uint8](mem, dt, parts, rows)
	case 2:
		return gatherValues[uint16](mem, dt, parts, rows)
	case 4:
		return gatherValues[uint32](mem, dt, parts, rows)
	case 8:
		return gatherValues[uint64](mem, dt, parts, rows)
	case 16:
		return gatherValues[[2]uint64](mem, dt, parts, rows)
	}
	panic(fmt.Errorf("vec.Take: cannot gather type %s of %d bytes", dt, width))
}

func gatherValues[T any](mem memory.Allocator, dt arrow.DataType, parts []part, rows int) arrow.Array {
	buf, values := NewFixed[T](mem, rows)
	at := 0
	for _, p := range parts {
		gatherFixed(values[at:], Values[T](p.arr), p.idx)
		at += p.len()
	}
	valid, nulls := gatherValidity(mem, parts, rows)
	return MakeArray(dt, rows, nulls, valid, buf)
}

func gatherFixed[T any](dst, src []T, idx []uint32) {
	if idx == nil {
		copy(dst, src)
		return
	}
	dst = dst[:len(idx)]
	for i, x := range idx {
		dst[i] = src[x]
	}
}

func gatherBool(mem memory.Allocator, dt arrow.DataType, parts []part, rows int) arrow.Array {
	buf, bitmap := NewBitmap(mem, rows)
	at := 0
	for _, p := range parts {
		if p.len() > 0 {
			gatherBits(bitmap, at, p.arr.Data().Buffers()[1].Bytes(), p.arr.Data().Offset(), p)
		}
		at += p.len()
	}
	valid, nulls := gatherValidity(mem, parts, rows)
	return MakeArray(dt, rows, nulls, valid, buf)
}

// gatherValidity returns nil if no part has a NULL.
func gatherValidity(mem memory.Allocator, parts []part, rows int) (valid *memory.Buffer, nulls int) {
	for _, p := range parts {
		nulls += p.arr.NullN()
	}
	if nulls == 0 || rows == 0 {
		return nil, 0
	}
	buf, bitmap := NewBitmap(mem, rows)
	at := 0
	for _, p := range parts {
		if bits, off := Validity(p.arr); bits != nil {
			gatherBits(bitmap, at, bits, off, p)
		} else {
			bitutil.SetBitsTo(bitmap, int64(at), int64(p.len()), true)
		}
		at += p.len()
	}
	if nulls = rows - bitutil.CountSetBits(bitmap, 0, rows); nulls == 0 {
		buf.Release()
		return nil, 0
	}
	return buf, nulls
}

// gatherBits writes p's bits of src to dst, whose bits from at on are clear.
func gatherBits(dst []byte, at int, src []byte, off int, p part) {
	if p.idx == nil {
		bitutil.CopyBitmap(src, off, p.arr.Len(), dst, at)
		return
	}
	for i, x := range p.idx {
		from, to := uint(off)+uint(x), uint(at+i)
		dst[to>>3] |= src[from>>3] >> (from & 7) & 1 << (to & 7)
	}
}

// checkTotal panics if n, the bytes or elements of a batch's column, exceeds what offsets of type O can count.
func checkTotal[O int32 | int64](dt arrow.DataType, n int64) {
	if int64(O(n)) != n {
		panic(fmt.Errorf("a batch's %s column exceeds %d bytes or elements; use a smaller batch size", dt, math.MaxInt32))
	}
}
