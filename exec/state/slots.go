package state

const (
	minSlots    = 1 << 11
	cachedSlots = 1 << 16
	tailSlots   = 256 // room behind the last home slot; probing never wraps around
)

// slots is the open-addressing index from hash tags to groups. A slot is the lower half of a hash (the tag) over a group number
// plus one; 0 is free. A tag's home slot grows with the tag, so that doubling walks through memory. The upper half, by which keys
// are divided among subtasks and ordered in chunks, has no part in it: whoever fills a table in the order of another one's hashes
// does not crowd the slots.
type slots struct {
	entries []uint64
	homes   int
}

func newSlots(homes int) slots {
	s := slots{entries: make([]uint64, homes+tailSlots), homes: homes}
	adviseHuge(s.entries)
	return s
}

func tagOf(hash uint64) uint32 { return uint32(hash) }

func entry(tag, group uint32) uint64 { return uint64(tag)<<32 | uint64(group+1) }

// home is the slot at which the search for a tag begins.
func (s *slots) home(tag uint32) int { return int(uint64(tag) * uint64(s.homes) >> 32) }

// limit is the number of groups above which the slots should double.
func (s *slots) limit() int { return limitOf(s.homes) }

// limitOf is the most groups for a number of homes. While the slots fit into the second cache, it is better to leave more of them
// free: a key that is not near its home costs more than the room.
func limitOf(homes int) int {
	if homes <= cachedSlots {
		return homes / 4
	}
	return homes / 2
}

// candidates gives each hash the group, plus one, of its home slot or the next, or 0 if neither has its tag.
func (s *slots) candidates(hashes []uint64, found []uint32) {
	entries, homes := s.entries, uint64(s.homes)
	found = found[:len(hashes)]
	for i, h := range hashes {
		tag := uint64(tagOf(h))
		home := tag * homes >> 32
		e, next := entries[home], entries[home+1]
		if e>>32 != tag {
			e = next
		}
		if e>>32 != tag {
			e = 0
		}
		found[i] = uint32(e)
	}
}

// insert puts an entry into the first free slot from its home on; it fails if there is none.
func (s *slots) insert(e uint64) bool {
	for i := s.home(uint32(e >> 32)); i < len(s.entries); i++ {
		if s.entries[i] == 0 {
			s.entries[i] = e
			return true
		}
	}
	return false
}

// doubled returns the same entries in twice the slots.
func (s *slots) doubled() slots {
	for homes := s.homes * 2; ; homes *= 2 {
		grown := newSlots(homes)
		if grown.insertAll(s.entries) {
			return grown
		}
	}
}

func (s *slots) insertAll(entries []uint64) bool {
	for _, e := range entries {
		if e != 0 && !s.insert(e) {
			return false
		}
	}
	return true
}

// remove deletes the entry of a group and moves later ones of the same run up, so that no search meets a hole.
func (s *slots) remove(tag, group uint32) {
	hole := s.home(tag)
	for s.entries[hole] != entry(tag, group) {
		hole++
	}
	for i := hole + 1; i < len(s.entries) && s.entries[i] != 0; i++ {
		if s.home(uint32(s.entries[i]>>32)) <= hole {
			s.entries[hole] = s.entries[i]
			hole = i
		}
	}
	s.entries[hole] = 0
}

func (s *slots) clear() { clear(s.entries) }

func (s *slots) bytes() int64 { return int64(len(s.entries)) * 8 }
