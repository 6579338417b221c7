package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// store makes an array of type t of the n values of v.
func (v *Vector) store(mem memory.Allocator, t arrow.DataType, n int) arrow.Array {
	if t.ID() == arrow.NULL {
		return array.NewNull(n)
	}
	if v.allNull() {
		return nullArray(mem, t, n)
	}
	if v.nested != nil {
		return v.storeNested(mem, n)
	}
	valid, nulls := v.storeValid(mem, n)
	switch {
	case t.ID() == arrow.BOOL:
		buf, bitmap := vec.NewBitmap(mem, n)
		v.storeWords(bitmap, v.bits, n)
		return vec.MakeArray(t, n, nulls, valid, buf)
	case isText(t):
		offsets, data := v.storeText(mem, n)
		return vec.MakeArray(t, n, nulls, valid, offsets, data)
	}
	return vec.MakeArray(t, n, nulls, valid, v.storeFixed(mem, t, n))
}

// nullArray is n NULLs. array.MakeArrayOfNull would take it for granted that the allocator clears its memory.
func nullArray(mem memory.Allocator, t arrow.DataType, n int) arrow.Array {
	b := array.NewBuilder(mem, t)
	defer b.Release()
	b.AppendNulls(n)
	return b.NewArray()
}

// storeNested returns the values themselves, or copies of a constant.
func (v *Vector) storeNested(mem memory.Allocator, n int) arrow.Array {
	if v.isConst() && n != 1 {
		return vec.Take(mem, v.nested, make([]uint32, n))
	}
	v.nested.Retain()
	return v.nested
}

func (v *Vector) storeValid(mem memory.Allocator, n int) (*memory.Buffer, int) {
	if v.valid == nil || n == 0 || v.isConst() {
		return nil, 0
	}
	nulls := n - countBits(v.valid, n)
	if nulls == 0 {
		return nil, 0
	}
	buf := vec.NewBuffer(mem, (n+7)/8)
	storeBits(buf.Bytes(), v.valid, n)
	return buf, nulls
}

// storeWords writes the bits of v, or the bit of a constant for all rows.
func (v *Vector) storeWords(dst []byte, words []uint64, n int) {
	if n == 0 {
		return
	}
	if !v.isConst() {
		storeBits(dst, words, n)
		return
	}
	for i := range dst {
		dst[i] = byte(words[0])
	}
	if n&7 != 0 {
		dst[len(dst)-1] &= 1<<(n&7) - 1
	}
}

func (v *Vector) storeFixed(mem memory.Allocator, t arrow.DataType, n int) *memory.Buffer {
	if v.owned.buffer != nil && !v.isConst() {
		v.owned.buffer.Retain()
		return v.owned.buffer
	}
	buf := vec.NewBuffer(mem, n*widthOf(t))
	for dst := buf.Bytes(); len(dst) > 0; {
		dst = dst[copy(dst, v.fixed):] // a constant holds fewer values than rows
	}
	return buf
}

// textSize is the number of bytes of the n values of a STRING or BYTES vector.
func (v *Vector) textSize(n int) int64 {
	if v.isConst() {
		return int64(n) * int64(v.offsets[1])
	}
	return int64(v.offsets[n]) - int64(v.offsets[0])
}

func (v *Vector) storeText(mem memory.Allocator, n int) (offsets, data *memory.Buffer) {
	offsets, ends := vec.NewFixed[int32](mem, n+1)
	data = vec.NewBuffer(mem, int(v.textSize(n)))
	if !v.isConst() {
		copy(data.Bytes(), v.data[v.offsets[0]:v.offsets[n]])
		for i := range ends {
			ends[i] = v.offsets[i] - v.offsets[0]
		}
		return offsets, data
	}
	for i := range ends {
		ends[i] = int32(i) * v.offsets[1]
	}
	for dst := data.Bytes(); len(dst) > 0; {
		dst = dst[copy(dst, v.data[:v.offsets[1]]):]
	}
	return offsets, data
}
