package expr

import (
	"math/bits"
	"unsafe"
)

// pool keeps a program's buffers for its next steps and batches.
type pool struct {
	words [40][][]uint64 // by the power of two their capacity is
	bytes [][]byte
}

// takeWords returns n words of any content.
func (p *pool) takeWords(n int) []uint64 {
	if n == 0 {
		return nil
	}
	class := bits.Len(uint(n - 1))
	if free := p.words[class]; len(free) > 0 {
		w := free[len(free)-1]
		p.words[class] = free[:len(free)-1]
		return w[:n]
	}
	return make([]uint64, n, 1<<class)
}

func (p *pool) giveWords(w []uint64) {
	if cap(w) > 0 {
		class := bits.Len(uint(cap(w) - 1))
		p.words[class] = append(p.words[class], w)
	}
}

// takeBytes returns an empty slice to append to.
func (p *pool) takeBytes() []byte {
	if len(p.bytes) == 0 {
		return nil
	}
	b := p.bytes[len(p.bytes)-1]
	p.bytes = p.bytes[:len(p.bytes)-1]
	return b[:0]
}

func (p *pool) giveBytes(b []byte) {
	if cap(b) > 0 {
		p.bytes = append(p.bytes, b)
	}
}

// slice views n elements of type T in bytes, which must be aligned for T.
func slice[T any](b []byte, n int) []T {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// asBytes views words as bytes.
func asBytes(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), len(w)*8)
}
