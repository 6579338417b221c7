// Package dirty has an allocator for tests whose memory is never clean, as that of a pool is not. Code that reads what it has not
// written, or what it has given back, then goes wrong every time instead of now and then.
package dirty

import "github.com/apache/arrow/go/v17/arrow/memory"

// What unwritten memory and memory given back are filled with: no length, offset or bitmap that would pass for a good one.
const (
	unwritten = 0xa5
	freed     = 0x5a
)

// Allocator implements memory.Allocator.
type Allocator struct{ clean memory.GoAllocator }

// Allocate returns size bytes of garbage.
func (a *Allocator) Allocate(size int) []byte {
	b := a.clean.Allocate(size)
	memory.Set(b, unwritten)
	return b
}

// Reallocate returns size bytes that begin with those of b.
func (a *Allocator) Reallocate(size int, b []byte) []byte {
	grown := a.Allocate(size)
	copy(grown, b)
	a.Free(b)
	return grown
}

// Free spoils b.
func (a *Allocator) Free(b []byte) { memory.Set(b, freed) }
