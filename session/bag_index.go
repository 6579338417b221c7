package session

import "iter"

// bagIndex finds the places of a bag by the hashes of their rows. It never forgets: a place that has got another row is found
// under both hashes, which is why a hit is compared with the row.
type bagIndex struct {
	slots []bagSlot // a power of two, less than three quarters used
	used  int
}

type bagSlot struct {
	hash  uint64
	place int32 // from 1; 0 is free
}

func newBagIndex(rows int) *bagIndex {
	size := 64
	for size*3 < rows*8 {
		size *= 2
	}
	return &bagIndex{slots: make([]bagSlot, size)}
}

// add enters a place.
func (x *bagIndex) add(hash uint64, place int) {
	if 4*(x.used+1) > 3*len(x.slots) {
		x.grow()
	}
	mask := uint64(len(x.slots) - 1)
	at := hash & mask
	for x.slots[at].place != 0 {
		if x.slots[at] == (bagSlot{hash, int32(place) + 1}) {
			return
		}
		at = (at + 1) & mask
	}
	x.slots[at] = bagSlot{hash, int32(place) + 1}
	x.used++
}

func (x *bagIndex) grow() {
	old := x.slots
	x.slots, x.used = make([]bagSlot, 2*len(old)), 0
	for _, s := range old {
		if s.place != 0 {
			x.add(s.hash, int(s.place)-1)
		}
	}
}

// candidates yields the places that may have a row of the hash.
func (x *bagIndex) candidates(hash uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		mask := uint64(len(x.slots) - 1)
		for at := hash & mask; x.slots[at].place != 0; at = (at + 1) & mask {
			if x.slots[at].hash == hash && !yield(int(x.slots[at].place)-1) {
				return
			}
		}
	}
}
