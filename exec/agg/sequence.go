package agg

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"unsafe"

	"streamsql/exec/state"
)

// sequence is byte strings in the order in which they have come.
type sequence struct {
	entries []entry // in that order; neither the first nor the last has gone
	gone    int     // entries that are only there because they have not been removed yet
	next    uint64
	index   *multiset[entry] // the entries by their strings, then by the order, so that they can be found; nil if none ever goes
}

// entry is a string and its place in the order. That of one that has gone is forgotten.
type entry struct {
	packed
	at uint64
}

const goneSize = math.MaxUint32

func (e entry) isGone() bool { return e.size == goneSize }

// sequences keeps a sequence for each group, whose row holds the number of the sequence.
type sequences struct {
	packs
	removable bool // strings are taken out again
	lists     slots[sequence]
	size      int64
}

// of is the sequence of a group, nil if it has none.
func (s *sequences) of(rows state.Rows, group uint32) *sequence {
	if slot := *state.At[uint32](rows, group); slot != 0 {
		return s.lists.get(slot)
	}
	return nil
}

// make is the sequence of a group, a new one if it has none.
func (s *sequences) make(rows state.Rows, group uint32) *sequence {
	slot := state.At[uint32](rows, group)
	if *slot == 0 {
		q := &sequence{}
		if s.removable {
			q.index = &multiset[entry]{compare: s.compareEntries}
		}
		s.size += q.bytes()
		*slot = s.lists.add(q)
	}
	return s.lists.get(*slot)
}

func (s *sequences) compareEntries(a, b entry) int {
	if c := s.compare(a.packed, b.packed); c != 0 {
		return c
	}
	return cmp.Compare(a.at, b.at)
}

// push appends a string.
func (s *sequences) push(q *sequence, v []byte) {
	before := q.bytes()
	e := entry{s.keep(s.pack(v)), q.next}
	q.next++
	q.entries = append(q.entries, e)
	if q.index != nil {
		q.index.add(e, 1)
	}
	s.size += q.bytes() - before
}

// remove takes out the first string that equals v; without one it does nothing.
func (s *sequences) remove(q *sequence, v []byte) {
	probe := entry{s.pack(v), 0}
	e, ok := q.index.ceiling(probe)
	if !ok || s.compare(e.packed, probe.packed) != 0 {
		return
	}
	before := q.bytes()
	q.index.add(e, -1)
	s.free(e.packed)
	i, _ := slices.BinarySearchFunc(q.entries, e.at, func(e entry, at uint64) int { return cmp.Compare(e.at, at) })
	q.entries[i].packed = packed{size: goneSize}
	q.gone++
	q.trim()
	s.size += q.bytes() - before
}

// trim removes the entries that have gone from both ends, and all of them when they are more than half.
func (q *sequence) trim() {
	for len(q.entries) > 0 && q.entries[0].isGone() {
		q.entries = q.entries[1:]
		q.gone--
	}
	for n := len(q.entries); n > 0 && q.entries[n-1].isGone(); n-- {
		q.entries = q.entries[:n-1]
		q.gone--
	}
	if 2*q.gone > len(q.entries) {
		q.entries = slices.DeleteFunc(q.entries, entry.isGone)
		q.gone = 0
	}
}

// strings yields the strings, each of which is valid until the next.
func (s *sequences) strings(q *sequence) iter.Seq[[]byte] {
	var scratch [packedLen]byte
	return func(yield func([]byte) bool) {
		if q == nil {
			return
		}
		for _, e := range q.entries {
			if !e.isGone() && !yield(s.get(e.packed, scratch[:0])) {
				return
			}
		}
	}
}

// bytes is about the memory the sequence holds, without the strings.
func (q *sequence) bytes() int64 {
	n := int64(unsafe.Sizeof(*q)) + int64(cap(q.entries))*int64(unsafe.Sizeof(entry{}))
	if q.index != nil {
		n += q.index.bytes()
	}
	return n
}

func (s *sequences) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		q := s.of(rows, g)
		if q == nil {
			continue
		}
		s.size -= q.bytes()
		for _, e := range q.entries {
			if !e.isGone() {
				s.free(e.packed)
			}
		}
		s.lists.remove(*state.At[uint32](rows, g))
	}
	s.shrink()
}

func (s *sequences) Bytes() int64 { return s.size + s.arena.Bytes() }
