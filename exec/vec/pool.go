package vec

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	minClassBits = 6  // 64 bytes
	maxClassBits = 26 // 64 MiB; larger buffers go back to the garbage collector
)

// Pool is a memory.Allocator that recycles buffers by size class and counts the bytes in use. Memory it hands out is not
// zeroed. It may be used by any number of goroutines; a buffer may be freed by another goroutine than the one that got it.
//
// A limit never fails an allocation in the middle of an operator. It is looked at where the engine can react, between batches:
// see Check.
type Pool struct {
	limit   int64
	reclaim func(excess int64)
	inUse   atomic.Int64
	peak    atomic.Int64
	classes [maxClassBits - minClassBits + 1]sync.Pool // of unsafe.Pointer to the first byte
}

// NewPool returns a pool. limit is in bytes, 0 means none. reclaim, if not nil, is asked by Check to give back at least excess
// bytes when the limit is exceeded; it runs on the goroutine that called Check.
func NewPool(limit int64, reclaim func(excess int64)) *Pool {
	return &Pool{limit: limit, reclaim: reclaim}
}

// InUse is the number of bytes allocated or reserved and not yet freed, rounded up to size classes.
func (p *Pool) InUse() int64 { return p.inUse.Load() }

// Peak is the largest value InUse has had.
func (p *Pool) Peak() int64 { return p.peak.Load() }

// Reserve counts n bytes held outside the pool's buffers, such as the state of an operator; a negative n gives them back.
func (p *Pool) Reserve(n int64) {
	used := p.inUse.Add(n)
	for {
		peak := p.peak.Load()
		if used <= peak || p.peak.CompareAndSwap(peak, used) {
			return
		}
	}
}

// Check compares the bytes in use with the limit. Above it, it first asks for memory back and, if that is not enough, returns an
// error that says how much is missing.
func (p *Pool) Check() error {
	excess := p.excess()
	if excess <= 0 {
		return nil
	}
	if p.reclaim != nil {
		p.reclaim(excess)
		if excess = p.excess(); excess <= 0 {
			return nil
		}
	}
	return fmt.Errorf("out of memory: %d bytes in use, the limit is %d; raise the limit or reduce state (shorter windows, a state TTL, more tasks)",
		p.limit+excess, p.limit)
}

func (p *Pool) excess() int64 {
	if p.limit <= 0 {
		return 0
	}
	return p.inUse.Load() - p.limit
}

// sizeClass returns the class of a buffer of size bytes and its capacity; class is -1 for buffers that are not recycled.
func sizeClass(size int) (class, capacity int) {
	b := bits.Len(uint(size - 1))
	switch {
	case b < minClassBits:
		b = minClassBits
	case b > maxClassBits:
		return -1, size
	}
	return b - minClassBits, 1 << b
}

// Allocate returns size bytes whose contents are undefined.
func (p *Pool) Allocate(size int) []byte {
	if size == 0 {
		return nil
	}
	class, capacity := sizeClass(size)
	p.Reserve(int64(capacity))
	if class >= 0 {
		if ptr, ok := p.classes[class].Get().(unsafe.Pointer); ok {
			return unsafe.Slice((*byte)(ptr), capacity)[:size]
		}
	}
	return make([]byte, capacity)[:size]
}

// Reallocate returns size bytes that begin with those of b, which must not be used any more.
func (p *Pool) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) && size > 0 {
		return b[:size]
	}
	grown := p.Allocate(size)
	copy(grown, b)
	p.Free(b)
	return grown
}

// Free takes b back, which must come from this pool and must not be used any more.
func (p *Pool) Free(b []byte) {
	if cap(b) == 0 {
		return
	}
	p.Reserve(-int64(cap(b)))
	if class, capacity := sizeClass(cap(b)); class >= 0 && capacity == cap(b) {
		p.classes[class].Put(unsafe.Pointer(unsafe.SliceData(b)))
	}
}
