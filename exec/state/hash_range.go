package state

import "streamsql/exec/vec"

// hashRange divides the hashes of a range of key groups into equal parts, in their order.
type hashRange struct {
	base  uint32 // the smallest tag
	scale uint64 // part = (tag - base) * scale >> 32
}

func newHashRange(groups vec.KeyGroupRange, parts int) hashRange {
	return hashRange{
		base:  uint32(groups.Lo << 25),
		scale: uint64(parts) * vec.KeyGroups / uint64(groups.Hi-groups.Lo),
	}
}

// part is the part of a hash by its tag, which must be of the range.
func (r hashRange) part(tag uint32) int { return int(uint64(tag-r.base) * r.scale >> 32) }
