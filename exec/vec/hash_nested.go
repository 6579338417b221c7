package vec

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// decimalReader reads decimals without their trailing zeros, so that 1.0 and 1.00 hash alike.
func decimalReader(arr arrow.Array, scale int32) wordReader {
	values := Values[decimal128.Num](arr)
	return func(words []uint64, lo int, sel []uint32) {
		for i := range words {
			row := lo + i
			if sel != nil {
				row = int(sel[row])
			}
			words[i] = decimalWord(values[row], scale)
		}
	}
}

func decimalWord(v decimal128.Num, scale int32) uint64 {
	negative := v.Sign() < 0
	if negative {
		v = v.Negate()
	}
	hi, lo := uint64(v.HighBits()), v.LowBits()
	if hi|lo == 0 {
		return 0
	}
	for lo&1 == 0 {
		qhi, r := bits.Div64(0, hi, 10)
		qlo, r := bits.Div64(r, lo, 10)
		if r != 0 {
			break
		}
		hi, lo, scale = qhi, qlo, scale-1
	}
	word := finish(lo^finish(hi)) + uint64(scale)
	if negative {
		return ^word
	}
	return word
}

// structReader's words are the hashes of the rows of the struct's fields.
func structReader(s *array.Struct) wordReader {
	fields := make([]arrow.Array, s.NumField())
	for i := range fields {
		fields[i] = s.Field(i)
	}
	return precomputed(Hash(fields, s.Len(), nil, nil))
}

// listReader's words chain the hashes of the elements of a list; those of a map add up the hashes of its entries, which may come in
// any order.
func listReader(list array.ListLike) wordReader {
	words := make([]uint64, list.Len())
	if list.Len() == 0 {
		return precomputed(words)
	}
	first, _ := list.ValueOffsets(0)
	_, last := list.ValueOffsets(list.Len() - 1)
	elements := array.NewSlice(list.ListValues(), first, last)
	defer elements.Release()
	hashes := Hash([]arrow.Array{elements}, elements.Len(), nil, nil)
	_, isMap := list.(*array.Map)
	for i := range words {
		from, to := list.ValueOffsets(i)
		word := EmptyHash
		if isMap {
			for _, h := range hashes[from-first : to-first] {
				word += finish(h + nullWord)
			}
			words[i] = word
			continue
		}
		for j := from; j < to; j++ {
			word = finish(word*chainMul + hashes[j-first])
		}
		words[i] = word
	}
	return precomputed(words)
}

func precomputed(all []uint64) wordReader {
	return func(words []uint64, lo int, sel []uint32) {
		if sel == nil {
			copy(words, all[lo:])
			return
		}
		for i, row := range sel[lo : lo+len(words)] {
			words[i] = all[row]
		}
	}
}
