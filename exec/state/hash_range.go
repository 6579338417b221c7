package state

import "streamsql/exec/vec"

// hashRange divides the hashes of a range of key groups into equal parts, in their order.
type hashRange struct {
	base  uint64 // the upper half of the smallest hash
	scale uint64 // part = (upper half - base) * scale >> 32
}

func newHashRange(groups vec.KeyGroupRange, parts int) hashRange {
	return hashRange{
		base:  uint64(groups.Lo) << 25,
		scale: uint64(parts) * vec.KeyGroups / uint64(groups.Hi-groups.Lo),
	}
}

// part is the part of a hash, which must be of the range.
func (r hashRange) part(hash uint64) int { return int((hash>>32 - r.base) * r.scale >> 32) }
