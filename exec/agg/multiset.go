package agg

import (
	"slices"
	"unsafe"
)

// multiset is values in order, each with the number of times it is there. The number is negative while more has been taken away
// than was put in, as may happen for a moment when a changelog arrives out of order.
type multiset[T any] struct {
	compare func(a, b T) int
	blocks  [][]counted[T] // ascending; none is empty
	len     int
}

type counted[T any] struct {
	value T
	count int64
}

// blockLen is the number of values above which a block is split: adding a value moves no more than a block.
const blockLen = 256

// add changes the count of v.
func (m *multiset[T]) add(v T, count int64) {
	if len(m.blocks) == 0 {
		m.blocks = append(m.blocks, nil)
	}
	b, _ := slices.BinarySearchFunc(m.blocks[:len(m.blocks)-1], v, func(block []counted[T], v T) int {
		return m.compare(block[len(block)-1].value, v)
	})
	i, found := slices.BinarySearchFunc(m.blocks[b], v, func(c counted[T], v T) int { return m.compare(c.value, v) })
	if !found {
		m.blocks[b] = slices.Insert(m.blocks[b], i, counted[T]{v, count})
		m.len++
		m.split(b)
		return
	}
	if m.blocks[b][i].count += count; m.blocks[b][i].count == 0 {
		m.blocks[b] = slices.Delete(m.blocks[b], i, i+1)
		m.len--
		if len(m.blocks[b]) == 0 {
			m.blocks = slices.Delete(m.blocks, b, b+1)
		}
	}
}

func (m *multiset[T]) split(b int) {
	block := m.blocks[b]
	if len(block) <= blockLen {
		return
	}
	upper := slices.Clone(block[blockLen/2:])
	clear(block[blockLen/2:])
	m.blocks[b] = block[:blockLen/2]
	m.blocks = slices.Insert(m.blocks, b+1, upper)
}

// least is the least value that is there.
func (m *multiset[T]) least() (v T, ok bool) {
	for _, block := range m.blocks {
		for _, c := range block {
			if c.count > 0 {
				return c.value, true
			}
		}
	}
	return v, false
}

// greatest is the greatest value that is there.
func (m *multiset[T]) greatest() (v T, ok bool) {
	for _, block := range slices.Backward(m.blocks) {
		for _, c := range slices.Backward(block) {
			if c.count > 0 {
				return c.value, true
			}
		}
	}
	return v, false
}

// bytes is about the memory the multiset holds, without what its values refer to.
func (m *multiset[T]) bytes() int64 {
	return int64(unsafe.Sizeof(*m)) + int64(m.len)*int64(unsafe.Sizeof(counted[T]{}))*3/2
}

// slots keeps objects that groups refer to by number from their rows, where 0 means none.
type slots[T any] struct {
	objects []*T
	free    []uint32
}

// add keeps an object and returns its number.
func (s *slots[T]) add(o *T) uint32 {
	if n := len(s.free); n > 0 {
		slot := s.free[n-1]
		s.free = s.free[:n-1]
		s.objects[slot-1] = o
		return slot
	}
	s.objects = append(s.objects, o)
	return uint32(len(s.objects))
}

func (s *slots[T]) get(slot uint32) *T { return s.objects[slot-1] }

func (s *slots[T]) remove(slot uint32) {
	s.objects[slot-1] = nil
	s.free = append(s.free, slot)
}
