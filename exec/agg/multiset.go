package agg

import (
	"iter"
	"slices"
	"unsafe"
)

// multiset is values in order, each with the number of times it is there. The number is negative while more has been taken away
// than was put in, as may happen for a moment when a changelog arrives out of order.
type multiset[T any] struct {
	compare func(a, b T) int
	keep    func(v T) T // makes a value fit to be kept; nil if each is
	blocks  []block[T]  // ascending; none is empty
	len     int         // different values
	present int64       // values that are there, each as often as it is
}

// block is a run of values.
type block[T any] struct {
	values  []counted[T]
	present int64
}

type counted[T any] struct {
	value T
	count int64
}

// blockLen is the number of values above which a block is split: adding a value moves no more than a block.
const blockLen = 256

// add changes the count of v. kept is the value that is kept, or was until it was removed, and is equal to v.
func (m *multiset[T]) add(v T, count int64) (kept T, removed bool) {
	if len(m.blocks) == 0 {
		m.blocks = append(m.blocks, block[T]{})
	}
	at := m.blockOf(v)
	b := &m.blocks[at]
	i, found := m.search(b, v)
	if !found {
		if m.keep != nil {
			v = m.keep(v)
		}
		b.values = slices.Insert(b.values, i, counted[T]{v, count})
		m.len++
		m.recount(b, 0, count)
		m.split(at)
		return v, false
	}
	entry := &b.values[i]
	kept = entry.value
	m.recount(b, entry.count, entry.count+count)
	if entry.count += count; entry.count != 0 {
		return kept, false
	}
	b.values = slices.Delete(b.values, i, i+1)
	m.len--
	if len(b.values) == 0 {
		m.blocks = slices.Delete(m.blocks, at, at+1)
	}
	return kept, true
}

// blockOf is the block in which v is or would be.
func (m *multiset[T]) blockOf(v T) int {
	at, _ := slices.BinarySearchFunc(m.blocks[:len(m.blocks)-1], v, func(b block[T], v T) int {
		return m.compare(b.values[len(b.values)-1].value, v)
	})
	return at
}

func (m *multiset[T]) search(b *block[T], v T) (i int, found bool) {
	return slices.BinarySearchFunc(b.values, v, func(c counted[T], v T) int { return m.compare(c.value, v) })
}

// recount takes note that a value of the block that was there before times is there after times.
func (m *multiset[T]) recount(b *block[T], before, after int64) {
	d := max(after, 0) - max(before, 0)
	b.present += d
	m.present += d
}

// split divides a block that is too long: in the middle or, if it is the last one, near its end, since values often come in
// their order.
func (m *multiset[T]) split(at int) {
	values := m.blocks[at].values
	if len(values) <= blockLen {
		return
	}
	cut := blockLen / 2
	if at == len(m.blocks)-1 {
		cut = blockLen - 1
	}
	upper := block[T]{values: slices.Clone(values[cut:])}
	for _, c := range upper.values {
		upper.present += max(c.count, 0)
	}
	clear(values[cut:])
	m.blocks[at].values = values[:cut]
	m.blocks[at].present -= upper.present
	m.blocks = slices.Insert(m.blocks, at+1, upper)
}

// least is the least value that is there.
func (m *multiset[T]) least() (v T, ok bool) { return m.nth(0) }

// greatest is the greatest value that is there.
func (m *multiset[T]) greatest() (v T, ok bool) {
	for _, b := range slices.Backward(m.blocks) {
		if b.present == 0 {
			continue
		}
		for _, c := range slices.Backward(b.values) {
			if c.count > 0 {
				return c.value, true
			}
		}
	}
	return v, false
}

// nth is the n-th value that is there, from 0; ok is false if there are not as many.
func (m *multiset[T]) nth(n int64) (v T, ok bool) {
	if n < 0 || n >= m.present {
		return v, false
	}
	for i := range m.blocks {
		b := &m.blocks[i]
		if n >= b.present {
			n -= b.present
			continue
		}
		for _, c := range b.values {
			if n -= max(c.count, 0); n < 0 {
				return c.value, true
			}
		}
	}
	return v, false
}

// ceiling is the least value that is kept and not less than v.
func (m *multiset[T]) ceiling(v T) (kept T, ok bool) {
	if len(m.blocks) == 0 {
		return kept, false
	}
	b := &m.blocks[m.blockOf(v)]
	i, _ := m.search(b, v)
	if i == len(b.values) {
		return kept, false
	}
	return b.values[i].value, true
}

// all yields the values that are kept, with their counts.
func (m *multiset[T]) all() iter.Seq2[T, int64] {
	return func(yield func(T, int64) bool) {
		for _, b := range m.blocks {
			for _, c := range b.values {
				if !yield(c.value, c.count) {
					return
				}
			}
		}
	}
}

// backward is all from the greatest value to the least.
func (m *multiset[T]) backward() iter.Seq2[T, int64] {
	return func(yield func(T, int64) bool) {
		for _, b := range slices.Backward(m.blocks) {
			for _, c := range slices.Backward(b.values) {
				if !yield(c.value, c.count) {
					return
				}
			}
		}
	}
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
