package agg

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// selection turns inputs into the rows an accumulator loops over. It keeps scratch space between calls.
type selection struct {
	sel    []uint32
	groups []uint32
}

// notNull is the rows of in whose arguments are all not NULL, and their groups. sel is nil if those are all rows. The slices are
// valid until the next call.
func (s *selection) notNull(in Input, groups []uint32) (sel, own []uint32) {
	sel, own = in.Sel, groups
	for _, arg := range in.Args {
		if arg.DataType().ID() == arrow.NULL {
			return []uint32{}, nil
		}
		valid, off := vec.Validity(arg)
		if valid == nil {
			continue
		}
		sel, own = s.narrow(valid, off, sel, own)
	}
	return sel, own
}

// present is in with the rows alone whose arguments are all not NULL. Its selection is valid until the next call.
func (s *selection) present(in Input) Input {
	for _, arg := range in.Args {
		if arg.DataType().ID() == arrow.NULL {
			in.Sel = []uint32{}
			return in
		}
		valid, off := vec.Validity(arg)
		if valid == nil {
			continue
		}
		s.sel = slices.Grow(s.sel[:0], in.Len())
		out, n := s.sel[:in.Len()], 0
		for i := range out {
			row := in.Row(i)
			out[n] = uint32(row)
			n += valid01(valid, off, uint32(row))
		}
		in.Sel = out[:n]
	}
	return in
}

// valid01 is 1 if the bit of a row is set.
func valid01(valid []byte, off int, row uint32) int {
	at := uint(off) + uint(row)
	return int(valid[at>>3] >> (at & 7) & 1)
}

// narrow keeps the rows whose bit is set. It may be given its own earlier result.
func (s *selection) narrow(valid []byte, off int, sel, groups []uint32) (narrowed, own []uint32) {
	s.sel = slices.Grow(s.sel[:0], len(groups))
	s.groups = slices.Grow(s.groups[:0], len(groups))
	outSel, outGroups, n := s.sel[:len(groups)], s.groups[:len(groups)], 0
	for i, g := range groups {
		row := uint32(i)
		if sel != nil {
			row = sel[i]
		}
		outSel[n], outGroups[n] = row, g
		n += valid01(valid, off, row)
	}
	return outSel[:n], outGroups[:n]
}

// all is the rows 0 … n-1, for loops over a selection that is nil.
func (s *selection) all(sel []uint32, n int) []uint32 {
	if sel != nil {
		return sel
	}
	s.sel = slices.Grow(s.sel[:0], n)[:n]
	for i := range s.sel {
		s.sel[i] = uint32(i)
	}
	return s.sel
}

// sign is 1 for rows that add and -1 for rows that retract.
func sign(k vec.Kind) int64 { return 1 - 2*int64(k&1) }
