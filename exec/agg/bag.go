package agg

import "streamsql/exec/state"

// bag is byte strings in their order, each with the number of times it is there.
type bag = multiset[packed]

// bags keeps a bag for each group, whose row holds the number of the bag.
type bags struct {
	packs
	sets slots[bag]
	size int64
}

// of is the bag of a group, nil if it has none.
func (b *bags) of(rows state.Rows, group uint32) *bag {
	if slot := *state.At[uint32](rows, group); slot != 0 {
		return b.sets.get(slot)
	}
	return nil
}

// make is the bag of a group, a new one if it has none.
func (b *bags) make(rows state.Rows, group uint32) *bag {
	slot := state.At[uint32](rows, group)
	if *slot == 0 {
		set := &bag{compare: b.compare, keep: b.keep}
		b.size += set.bytes()
		*slot = b.sets.add(set)
	}
	return b.sets.get(*slot)
}

// add changes the count of a string in a bag.
func (b *bags) add(set *bag, v []byte, count int64) {
	before := set.bytes()
	if kept, removed := set.add(b.pack(v), count); removed {
		b.free(kept)
	}
	b.size += set.bytes() - before
}

func (b *bags) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		set := b.of(rows, g)
		if set == nil {
			continue
		}
		b.size -= set.bytes()
		for v := range set.all() {
			b.free(v)
		}
		b.sets.remove(*state.At[uint32](rows, g))
	}
	b.shrink()
}

func (b *bags) Bytes() int64 { return b.size + b.arena.Bytes() }
