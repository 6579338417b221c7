package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// missing is the pick of a row that has no value.
const missing = -1

// picker gathers one value for each row. Kernels keep one from batch to batch.
type picker struct{ picks []int32 }

// gather makes the value of each row that matters the one of from that pick names.
func (p *picker) gather(f *Frame, out *Vector, from arrow.Array, pick func(row uint32) int) {
	p.picks = p.picks[:0]
	for range f.n {
		p.picks = append(p.picks, missing)
	}
	for _, row := range f.Rows() {
		p.picks[row] = int32(pick(row))
	}
	f.gather(out, from, p.picks)
}

// gather makes the value of each row of out the one of from that is picked for it, NULL if it is missing.
func (f *Frame) gather(out *Vector, from arrow.Array, picks []int32) {
	f.gatherNulls(from, picks)
	switch t := out.t; {
	case t.ID() == arrow.NULL:
		out.setNull()
	case arrow.IsNested(t.ID()):
		f.gatherNested(out, from, picks)
	case t.ID() == arrow.BOOL:
		gatherBits(out, from, picks)
	case isText(t):
		gatherText(out, from, picks)
	default:
		gatherWidth(out, from, picks)
	}
}

func (f *Frame) gatherNulls(from arrow.Array, picks []int32) {
	nulls := from.NullN() > 0
	for row, p := range picks {
		if p < 0 || nulls && from.IsNull(int(p)) {
			f.SetNull(uint32(row))
		}
	}
}

// gatherNested takes any value for the rows that are NULL.
func (f *Frame) gatherNested(out *Vector, from arrow.Array, picks []int32) {
	if from.Len() == 0 {
		out.nested, out.owned.nested = nullArray(f.mem, out.t, f.n), true
		return
	}
	rows := make([]uint32, len(picks))
	for row, p := range picks {
		rows[row] = uint32(max(p, 0))
	}
	taken := vec.Take(f.mem, from, rows)
	defer taken.Release()
	valid, nulls := out.storeValid(f.mem, f.n)
	buffers := append([]*memory.Buffer{valid}, taken.Data().Buffers()[1:]...)
	data := array.NewData(out.t, f.n, buffers, taken.Data().Children(), nulls, 0)
	defer data.Release()
	if valid != nil {
		valid.Release()
	}
	out.nested, out.owned.nested = array.MakeFromData(data), true
}

func gatherBits(out *Vector, from arrow.Array, picks []int32) {
	clear(out.bits)
	values := from.(*array.Boolean)
	for row, p := range picks {
		if p >= 0 && values.Value(int(p)) {
			setBit(out.bits, row)
		}
	}
}

func gatherText(out *Vector, from arrow.Array, picks []int32) {
	offsets, data := vec.Texts(from)
	for row, p := range picks {
		if p >= 0 {
			out.data = append(out.data, data[offsets[p]:offsets[p+1]]...)
		}
		out.end(uint32(row))
	}
}

func gatherWidth(out *Vector, from arrow.Array, picks []int32) {
	switch widthOf(out.t) {
	case 1:
		gatherFixed[uint8](out, from, picks)
	case 2:
		gatherFixed[uint16](out, from, picks)
	case 4:
		gatherFixed[uint32](out, from, picks)
	case 8:
		gatherFixed[uint64](out, from, picks)
	case 16:
		gatherFixed[[2]uint64](out, from, picks)
	}
}

func gatherFixed[T any](out *Vector, from arrow.Array, picks []int32) {
	o, x := values[T](out), vec.Values[T](from)
	for row, p := range picks {
		if p >= 0 {
			o[row] = x[p]
		}
	}
}
