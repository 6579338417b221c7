package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// load makes v a view of an array; bitmaps are copied into words of the pool.
func (v *Vector) load(p *pool, arr arrow.Array) {
	n, data := arr.Len(), arr.Data()
	*v = Vector{t: arr.DataType(), rowMask: -1}
	if arr.DataType().ID() == arrow.NULL {
		v.setNull()
		return
	}
	if arr.NullN() > 0 {
		v.allocValid(p, n)
		loadBits(v.valid, arr.NullBitmapBytes(), data.Offset(), n)
	}
	switch {
	case arrow.IsNested(v.t.ID()):
		v.nested = arr
	case n > 0:
		v.loadValues(p, data, n)
	case isText(v.t):
		v.offsets = noText
	}
}

// noText are the offsets of no value, and of one that is empty.
var noText = []int32{0, 0}

func (v *Vector) loadValues(p *pool, data arrow.ArrayData, n int) {
	buffers := data.Buffers()
	switch {
	case v.t.ID() == arrow.BOOL:
		v.allocBits(p, n)
		loadBits(v.bits, buffers[1].Bytes(), data.Offset(), n)
	case isText(v.t):
		v.offsets = slice[int32](buffers[1].Bytes(), data.Offset()+n+1)[data.Offset():]
		v.data = contents(buffers[2])
	default:
		if width := widthOf(v.t); width > 0 {
			v.fixed = buffers[1].Bytes()[data.Offset()*width:][:n*width]
		}
	}
}

func contents(b *memory.Buffer) []byte {
	if b == nil {
		return nil
	}
	return b.Bytes()
}

func (v *Vector) allocValid(p *pool, n int) {
	v.owned.valid = p.takeWords(wordsFor(n))
	v.valid = v.owned.valid
}

func (v *Vector) allocBits(p *pool, n int) {
	v.owned.bits = p.takeWords(wordsFor(n))
	v.bits = v.owned.bits
}

// alloc gives v, which is empty, room for n values of its type.
func (v *Vector) alloc(p *pool, n int) {
	v.rowMask = -1
	width := widthOf(v.t)
	switch {
	case v.t.ID() == arrow.BOOL:
		v.allocBits(p, n)
	case isText(v.t):
		v.owned.offsets = p.takeWords(n/2 + 1)
		v.offsets = slice[int32](asBytes(v.owned.offsets), n+1)
		v.offsets[0] = 0
		v.data, v.owned.data = p.takeBytes(), true
	case width > 0:
		v.owned.fixed = p.takeWords((n*width + 7) / 8)
		v.fixed = asBytes(v.owned.fixed)[:n*width]
	}
}

// release gives v's buffers back.
func (v *Vector) release(p *pool) {
	p.giveWords(v.owned.valid)
	p.giveWords(v.owned.bits)
	p.giveWords(v.owned.fixed)
	p.giveWords(v.owned.offsets)
	if v.owned.data {
		p.giveBytes(v.data)
	}
	if v.owned.buffer != nil {
		v.owned.buffer.Release()
	}
	v.releaseNested()
	*v = Vector{}
}

// nullValue serves as the values of all NULL constants.
var nullValue struct {
	fixed [spread * 2]uint64
	bits  [spread / 64]uint64
}

// setNull makes v, of any type, the constant NULL.
func (v *Vector) setNull() {
	v.rowMask = 0
	v.valid = nullValue.bits[:]
	v.bits = nullValue.bits[:]
	v.fixed = asBytes(nullValue.fixed[:])[:spread*widthOf(v.t)]
	v.offsets = noText
	if arrow.IsNested(v.t.ID()) {
		v.releaseNested()
		v.nested = array.MakeArrayOfNull(memory.DefaultAllocator, v.t, 1)
	}
}

func (v *Vector) releaseNested() {
	if v.owned.nested {
		v.nested.Release()
		v.owned.nested = false
	}
}

// allNull reports whether v is the constant NULL.
func (v *Vector) allNull() bool { return v.isConst() && v.valid != nil && v.valid[0]&1 == 0 }

// setNullAt makes the value of a row NULL; n is the number of rows.
func (v *Vector) setNullAt(p *pool, row uint32, n int) {
	if v.valid == nil {
		v.allocValid(p, n)
		fill(v.valid, ^uint64(0))
	}
	clearBit(v.valid, int(row))
}

// spreadOut makes v, which holds a single value, a constant.
func (v *Vector) spreadOut(p *pool) {
	v.rowMask = 0
	if v.valid != nil {
		if !bit(v.valid, 0) {
			v.setNull()
			return
		}
		v.valid = nil
	}
	if v.bits != nil {
		on := -(v.bits[0] & 1)
		p.giveWords(v.owned.bits)
		v.owned.bits = p.takeWords(spread / 64)
		v.bits = v.owned.bits
		fill(v.bits, on)
	}
	if len(v.fixed) > 0 {
		v.spreadFixed(p)
	}
}

func (v *Vector) spreadFixed(p *pool) {
	width := len(v.fixed)
	words := p.takeWords(spread * width / 8)
	all := asBytes(words)
	for n := copy(all, v.fixed); n < len(all); n *= 2 {
		copy(all[n:], all[:n])
	}
	p.giveWords(v.owned.fixed)
	v.owned.fixed, v.fixed = words, all
}

// setNested makes v the values of arr, whose reference it takes.
func (v *Vector) setNested(p *pool, arr arrow.Array) {
	v.nested, v.owned.nested = arr, true
	if arr.NullN() > 0 {
		v.allocValid(p, arr.Len())
		loadBits(v.valid, arr.NullBitmapBytes(), arr.Data().Offset(), arr.Len())
	}
}
