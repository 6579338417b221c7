package state

import (
	"math/bits"
	"unsafe"
)

const (
	arenaUnit  = 16      // bytes
	firstBlock = 4096    // bytes the first block starts with
	arenaBlock = 1 << 20 // bytes in a block
	blockUnits = arenaBlock / arenaUnit
)

// Ref names bytes kept in an Arena. None is 0.
type Ref uint32

// Arena keeps byte strings outside Go's heap of objects: a string costs its length rounded up to a size class and no work for
// the garbage collector. It holds up to 64 GiB. The zero Arena is empty.
type Arena struct {
	blocks [][]byte // a string longer than a block has a block of its own, followed by empty ones
	used   int      // bytes of the last block
	free   [33][]Ref
	bytes  int64
}

// Put keeps a copy of b.
func (a *Arena) Put(b []byte) Ref {
	class := arenaClass(len(b))
	if free := a.free[class]; len(free) > 0 {
		ref := free[len(free)-1]
		a.free[class] = free[:len(free)-1]
		copy(a.slice(ref, len(b)), b)
		return ref
	}
	ref := a.extend(arenaUnit << class)
	copy(a.slice(ref, len(b)), b)
	return ref
}

// Get is the n bytes kept as ref. They must not be changed and are valid until Free.
func (a *Arena) Get(ref Ref, n int) []byte { return a.slice(ref, n) }

// Free gives up the n bytes kept as ref.
func (a *Arena) Free(ref Ref, n int) {
	class := arenaClass(n)
	a.free[class] = append(a.free[class], ref)
}

// Bytes is the memory the arena holds.
func (a *Arena) Bytes() int64 { return a.bytes }

// arenaClass is the size class of n bytes: class c has arenaUnit << c.
func arenaClass(n int) int {
	return bits.Len(uint(max(n, 1)-1) / arenaUnit)
}

func (a *Arena) slice(ref Ref, n int) []byte {
	block := a.blocks[ref/blockUnits]
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(block)), int(ref%blockUnits)*arenaUnit)), n)
}

// extend returns size fresh bytes, a power of two of units.
func (a *Arena) extend(size int) Ref {
	if len(a.blocks) == 0 {
		a.replaceFirst(firstBlock)
		a.used = arenaUnit
	}
	if a.used+size > len(a.blocks[len(a.blocks)-1]) {
		a.addBlock(size)
	}
	ref := Ref((len(a.blocks)-1)*blockUnits + a.used/arenaUnit)
	a.used += size
	if size > arenaBlock {
		ref -= Ref((size/arenaBlock - 1) * blockUnits)
		a.used = 0
	}
	return ref
}

// addBlock starts a block with room for size bytes. The first is small and doubles in place until it is a whole one.
func (a *Arena) addBlock(size int) {
	if len(a.blocks) == 1 && len(a.blocks[0]) < arenaBlock && size <= arenaBlock {
		grown := 2 * len(a.blocks[0])
		for grown < min(a.used+size, arenaBlock) {
			grown *= 2
		}
		if a.used+size <= grown {
			a.replaceFirst(grown)
			return
		}
	}
	a.blocks = append(a.blocks, make([]byte, max(size, arenaBlock)))
	a.bytes += int64(max(size, arenaBlock))
	for range size/arenaBlock - 1 {
		a.blocks = append(a.blocks, nil)
	}
	a.used = 0
}

func (a *Arena) replaceFirst(size int) {
	first := make([]byte, size)
	if len(a.blocks) == 1 {
		copy(first, a.blocks[0])
	}
	a.blocks = append(a.blocks[:0], first)
	a.bytes = int64(size)
}
