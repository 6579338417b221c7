package state

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Keys is the keys of groups, a column for each key column.
func (t *Table) Keys(groups []uint32) []arrow.Array {
	cols := make([]arrow.Array, len(t.layout.columns))
	for i, c := range t.layout.columns {
		cols[i] = t.keyColumn(i, c, groups)
	}
	return cols
}

func (t *Table) keyColumn(i int, c keyColumn, groups []uint32) arrow.Array {
	if c.dt.ID() == arrow.NULL {
		return array.NewNull(len(groups))
	}
	if c.nested != nil {
		return t.nestedColumn(i, c, groups)
	}
	words := t.rows.Field(8 * c.word)
	valid, nulls := t.keyValidity(i, c, groups)
	switch c.dt.ID() {
	case arrow.BOOL:
		buf, bits := vec.NewBitmap(t.mem, len(groups))
		for i, g := range groups {
			bitutil.SetBitTo(bits, i, *At[uint64](words, g) != 0)
		}
		return vec.MakeArray(c.dt, len(groups), nulls, valid, buf)
	case arrow.STRING, arrow.BINARY:
		return t.textColumn(c, groups, valid, nulls)
	}
	return vec.MakeArray(c.dt, len(groups), nulls, valid, t.fixedColumn(c, words, groups))
}

func (t *Table) fixedColumn(c keyColumn, words Rows, groups []uint32) *memory.Buffer {
	switch c.dt.ID() {
	case arrow.FLOAT32:
		return unpack(t.mem, groups, func(g uint32) float32 { return float32(math.Float64frombits(*At[uint64](words, g))) })
	case arrow.DECIMAL128:
		return unpack(t.mem, groups, func(g uint32) decimal128.Num {
			w := At[[2]uint64](words, g)
			return decimal128.New(int64(w[1]), w[0])
		})
	}
	switch c.dt.(arrow.FixedWidthDataType).Bytes() {
	case 1:
		return unpack(t.mem, groups, func(g uint32) uint8 { return uint8(*At[uint64](words, g)) })
	case 2:
		return unpack(t.mem, groups, func(g uint32) uint16 { return uint16(*At[uint64](words, g)) })
	case 4:
		return unpack(t.mem, groups, func(g uint32) uint32 { return uint32(*At[uint64](words, g)) })
	}
	buf, values := vec.NewFixed[uint64](t.mem, len(groups))
	for i, g := range groups {
		values[i] = *At[uint64](words, g)
	}
	return buf
}

func unpack[T any](mem memory.Allocator, groups []uint32, value func(uint32) T) *memory.Buffer {
	buf, values := vec.NewFixed[T](mem, len(groups))
	for i, g := range groups {
		values[i] = value(g)
	}
	return buf
}

func (t *Table) textColumn(c keyColumn, groups []uint32, valid *memory.Buffer, nulls int) arrow.Array {
	offBuf, offsets := vec.NewFixed[int32](t.mem, len(groups)+1)
	rows := t.rows.Field(8 * c.word)
	size := 0
	offsets[0] = 0
	for i, g := range groups {
		size += max(0, textLength(At[[2]uint64](rows, g)[1]))
		offsets[i+1] = int32(size)
	}
	data := vec.NewBuffer(t.mem, size)
	bytes := data.Bytes()
	for i, g := range groups {
		t.copyText(bytes[offsets[i]:offsets[i+1]], At[[2]uint64](rows, g))
	}
	return vec.MakeArray(c.dt, len(groups), nulls, valid, offBuf, data)
}

func (t *Table) nestedColumn(column int, c keyColumn, groups []uint32) arrow.Array {
	b := array.NewBuilder(t.mem, c.dt)
	defer b.Release()
	b.Reserve(len(groups))
	rows, isNull := t.rows.Field(8*c.word), t.nullTest(column, c)
	var short [vec.ShortText]byte
	for _, g := range groups {
		if isNull(g) {
			b.AppendNull()
			continue
		}
		text := At[[2]uint64](rows, g)
		n := textLength(text[1])
		if isLongText(text[1]) {
			c.nested.decode(b, t.texts.Get(Ref(text[1]), n))
			continue
		}
		t.copyText(short[:n], text)
		c.nested.decode(b, short[:n])
	}
	return b.NewArray()
}

// copyText writes the bytes of a text to dst, which has its length.
func (t *Table) copyText(dst []byte, text *[2]uint64) {
	if isLongText(text[1]) {
		copy(dst, t.texts.Get(Ref(text[1]), len(dst)))
		return
	}
	for i := range dst {
		dst[i] = byte(text[i>>3] >> (8 * (i & 7)))
	}
}

// keyValidity is the validity bitmap of a key column, nil if it has no NULL.
func (t *Table) keyValidity(column int, c keyColumn, groups []uint32) (valid *memory.Buffer, nulls int) {
	isNull := t.nullTest(column, c)
	for i, g := range groups {
		if !isNull(g) {
			continue
		}
		if valid == nil {
			valid = vec.NewBuffer(t.mem, int(bitutil.BytesForBits(int64(len(groups)))))
			memory.Set(valid.Bytes(), 0xff)
		}
		bitutil.ClearBit(valid.Bytes(), i)
		nulls++
	}
	return valid, nulls
}

func (t *Table) nullTest(column int, c keyColumn) func(group uint32) bool {
	if at := t.layout.nullWord(); at >= 0 {
		nulls := t.rows.Field(8 * at)
		return func(g uint32) bool { return *At[uint64](nulls, g)>>column&1 != 0 }
	}
	if c.kind == textKey {
		rest := t.rows.Field(8 * (c.word + 1))
		return func(g uint32) bool { return *At[uint64](rest, g) == nullText }
	}
	return func(g uint32) bool { return int64(g) == t.nullGroup }
}
