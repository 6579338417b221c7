package agg

import (
	"bytes"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// booleanExtremes finds the extremes of BOOLEANs as numbers: FALSE is less than TRUE.
type booleanExtremes struct {
	extremes[uint8]
	numbers []uint8
}

func (a *booleanExtremes) Update(rows state.Rows, groups []uint32, in Input) error {
	arg := in.Args[0].(*array.Boolean)
	a.numbers = a.numbers[:0]
	for i := range arg.Len() {
		n := uint8(0)
		if arg.Value(i) {
			n = 1
		}
		a.numbers = append(a.numbers, n)
	}
	sel, groups := a.notNull(in, groups)
	a.add(rows, groups, sel, a.numbers)
	return nil
}

func (a *booleanExtremes) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	buf, bits := vec.NewBitmap(a.mem, len(groups))
	for i, g := range groups {
		bitutil.SetBitTo(bits, i, state.At[extreme[uint8]](rows, g).value != 0)
	}
	valid, nulls := seen[uint8](a.mem, rows, groups)
	return vec.MakeArray(a.dt, len(groups), nulls, valid, buf), nil
}

// decimalExtremes finds the extremes of DECIMALs.
type decimalExtremes struct{ seeking }

func (a *decimalExtremes) Width() int { return 24 }

func (a *decimalExtremes) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	values := vec.Values[decimal128.Num](in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		e, v := state.At[extreme[decimal128.Num]](rows, groups[i]), values[row]
		if !e.seen || v != e.value && v.Less(e.value) != a.greatest {
			e.value, e.seen = v, true
		}
	}
	return nil
}

func (a *decimalExtremes) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	buf, values := vec.NewFixed[decimal128.Num](a.mem, len(groups))
	for i, g := range groups {
		values[i] = state.At[extreme[decimal128.Num]](rows, g).value
	}
	valid, nulls := seen[decimal128.Num](a.mem, rows, groups)
	return vec.MakeArray(a.dt, len(groups), nulls, valid, buf), nil
}

// textExtremes finds the extremes of STRINGs and BYTES by their bytes, which it keeps in an arena.
type textExtremes struct {
	seeking
	texts state.Arena
}

// keptText is where the bytes of an extreme are; size is one more than their number, 0 if there is none.
type keptText struct {
	ref  state.Ref
	size uint32
}

func (a *textExtremes) Width() int { return 8 }

func (a *textExtremes) value(t *keptText) []byte { return a.texts.Get(t.ref, int(t.size)-1) }

func (a *textExtremes) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	offsets, data := vec.Texts(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		t, v := state.At[keptText](rows, groups[i]), data[offsets[row]:offsets[row+1]]
		if t.size > 0 {
			order := bytes.Compare(v, a.value(t))
			if order == 0 || order > 0 != a.greatest {
				continue
			}
			a.texts.Free(t.ref, int(t.size)-1)
		}
		*t = keptText{a.texts.Put(v), uint32(len(v)) + 1}
	}
	return nil
}

func (a *textExtremes) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	out := vec.NewStrings(a.mem, len(groups), 16*len(groups))
	for _, g := range groups {
		if t := state.At[keptText](rows, g); t.size > 0 {
			out.AppendBytes(a.value(t))
		} else {
			out.AppendNull()
		}
	}
	return out.Array(a.dt), nil
}

func (a *textExtremes) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		if t := state.At[keptText](rows, g); t.size > 0 {
			a.texts.Free(t.ref, int(t.size)-1)
		}
	}
}

func (a *textExtremes) Bytes() int64 { return a.texts.Bytes() }
