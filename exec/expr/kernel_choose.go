package expr

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// chooseKernel is the end of a CASE: its arguments are condition and value of each branch, then the value of ELSE.
func chooseKernel(t arrow.DataType) Kernel {
	switch {
	case t.ID() == arrow.BOOL:
		return chooseBits
	case isText(t):
		return chooseText
	}
	switch widthOf(t) {
	case 1:
		return chooseFixed[uint8]
	case 2:
		return chooseFixed[uint16]
	case 4:
		return chooseFixed[uint32]
	case 8:
		return chooseFixed[uint64]
	case 16:
		return chooseFixed[[2]uint64]
	}
	if arrow.IsNested(t.ID()) {
		return chooseNested
	}
	return chooseNothing
}

// chooseNothing serves the type of a bare NULL.
func chooseNothing(f *Frame, args []*Vector, out *Vector) error {
	out.setNull()
	return nil
}

// branches calls take for ELSE with all rows, then for each branch, last one first, with the rows its condition is TRUE for;
// what comes later overwrites what came before.
func branches(f *Frame, args []*Vector, take func(v *Vector, k int, rows uint64)) {
	els := len(args) - 1
	for k := range f.words() {
		take(args[els], k, ^uint64(0))
	}
	for i := els - 2; i >= 0; i -= 2 {
		for k := range f.words() {
			if rows := args[i].trueWord(k); rows != 0 {
				take(args[i+1], k, rows)
			}
		}
	}
}

// chooseValid finds which rows of the result are not NULL.
func chooseValid(f *Frame, args []*Vector, out *Vector) {
	nullable := false
	for i, a := range args {
		nullable = nullable || a.valid != nil && (i%2 == 1 || i == len(args)-1)
	}
	if !nullable {
		return
	}
	out.allocValid(f.pool, f.n)
	branches(f, args, func(v *Vector, k int, rows uint64) {
		out.valid[k] = out.valid[k]&^rows | v.validWord(k)&rows
	})
}

func chooseBits(f *Frame, args []*Vector, out *Vector) error {
	chooseValid(f, args, out)
	branches(f, args, func(v *Vector, k int, rows uint64) {
		out.bits[k] = out.bits[k]&^rows | v.word(v.bits, k)&rows
	})
	return nil
}

func chooseFixed[T any](f *Frame, args []*Vector, out *Vector) error {
	chooseValid(f, args, out)
	o := values[T](out)
	branches(f, args, func(v *Vector, k int, rows uint64) {
		chooseWord(o, v, k, rows)
	})
	return nil
}

// chooseWord copies the values of v for the given rows among the 64 of word k.
func chooseWord[T any](o []T, v *Vector, k int, rows uint64) {
	dst := o[k*64 : min(k*64+64, len(o))]
	src := values[T](v)[k*64&v.rowMask:][:len(dst)]
	if rows == ^uint64(0) {
		copy(dst, src)
		return
	}
	for rows &= lastMask(len(dst)); rows != 0; rows &= rows - 1 {
		i := bits.TrailingZeros64(rows) & 63
		dst[i] = src[i]
	}
}

// chooseText first finds the branch of each row, then copies.
func chooseText(f *Frame, args []*Vector, out *Vector) error {
	chooseValid(f, args, out)
	from := f.branchOfRows(args)
	defer f.pool.giveWords(from.words)
	for row, i := range from.args {
		out.data = append(out.data, args[i].bytes(uint32(row))...)
		out.end(uint32(row))
	}
	return nil
}

// rowBranches is the argument that each row of a CASE takes its value from.
type rowBranches struct {
	words []uint64 // of the pool
	args  []uint16
}

func (f *Frame) branchOfRows(args []*Vector) rowBranches {
	words := f.pool.takeWords(f.n/4 + 1)
	from := slice[uint16](asBytes(words), f.n)
	els := len(args) - 1
	for i := range from {
		from[i] = uint16(els)
	}
	for i := els - 2; i >= 0; i -= 2 {
		for k := range f.words() {
			markRows(from, k, args[i].trueWord(k), uint16(i+1))
		}
	}
	return rowBranches{words, from}
}

// markRows sets the given rows among the 64 of word k.
func markRows(from []uint16, k int, rows uint64, i uint16) {
	dst := from[k*64 : min(k*64+64, len(from))]
	for rows &= lastMask(len(dst)); rows != 0; rows &= rows - 1 {
		dst[bits.TrailingZeros64(rows)] = i
	}
}

// chooseNested takes the rows out of all results laid end to end.
func chooseNested(f *Frame, args []*Vector, out *Vector) error {
	from := f.branchOfRows(args)
	defer f.pool.giveWords(from.words)
	starts := make([]uint32, len(args))
	var parts []vec.Batch
	rows := 0
	for i, a := range args {
		if i%2 == 0 && i < len(args)-1 {
			continue
		}
		starts[i] = uint32(rows)
		a.nested.Retain()
		parts = append(parts, vec.NewBatch(a.nested.Len(), []arrow.Array{a.nested}))
		rows += a.nested.Len()
	}
	all := vec.Concat(f.mem, parts)
	defer all.Release()
	picks := make([]uint32, f.n)
	for row, i := range from.args {
		picks[row] = starts[i] + uint32(args[i].at(row))
	}
	out.setNested(f.pool, vec.Take(f.mem, all.Cols[0], picks))
	return nil
}
