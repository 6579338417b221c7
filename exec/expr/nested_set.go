package expr

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// elementSet is a set of elements of an array, told apart by value. It is emptied for each row, and kept from batch to batch.
type elementSet struct {
	hashes  []uint64 // of all elements of the array
	same    sameness
	members []uint32 // in the order they came
	taken   []bool   // which of them take was called for
	slots   []int32  // a hash table of places in members, plus 1; its length is a power of two
}

// fewestSlots is the size of the table of an empty set.
const fewestSlots = 16

// start makes the set one of elements of an array.
func (s *elementSet) start(elements arrow.Array) {
	s.hashes = vec.Hash([]arrow.Array{elements}, elements.Len(), nil, s.hashes)
	s.same = sameOf(elements, elements)
	if s.slots == nil {
		s.slots = make([]int32, fewestSlots)
	}
	s.clear()
}

func (s *elementSet) clear() {
	s.members, s.taken, s.slots = s.members[:0], s.taken[:0], s.slots[:fewestSlots]
	clear(s.slots)
}

// find is the place of the element's equal among the members; ok is false if there is none.
func (s *elementSet) find(element int) (place int, ok bool) {
	slot := s.slot(element)
	return int(*slot) - 1, *slot != 0
}

// add adds the element unless an equal one is there, and returns the place of the member that it is, or equals.
func (s *elementSet) add(element int) (place int, added bool) {
	slot := s.slot(element)
	if *slot != 0 {
		return int(*slot) - 1, false
	}
	s.members, s.taken = append(s.members, uint32(element)), append(s.taken, false)
	*slot = int32(len(s.members))
	if len(s.members)*2 > len(s.slots) {
		s.grow()
	}
	return len(s.members) - 1, true
}

// take reports whether the member at a place has not been taken yet, and marks it as taken.
func (s *elementSet) take(place int) bool {
	first := !s.taken[place]
	s.taken[place] = true
	return first
}

// slot is the slot of the element's equal, or the free one it would take.
func (s *elementSet) slot(element int) *int32 {
	mask := len(s.slots) - 1
	for i := int(s.hashes[element]) & mask; ; i = (i + 1) & mask {
		slot := &s.slots[i]
		if *slot == 0 {
			return slot
		}
		member := int(s.members[*slot-1])
		if s.hashes[member] == s.hashes[element] && s.same(member, element) {
			return slot
		}
	}
}

func (s *elementSet) grow() {
	size := 2 * len(s.slots)
	if cap(s.slots) < size {
		s.slots = make([]int32, size)
	}
	s.slots = s.slots[:size]
	clear(s.slots)
	for i, member := range s.members {
		*s.slot(int(member)) = int32(i + 1)
	}
}
