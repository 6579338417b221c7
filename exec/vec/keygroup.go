package vec

import "streamsql/internal/chunk"

// KeyGroups is the fixed number of key groups: the unit in which keyed state moves when the parallelism changes.
const KeyGroups = chunk.KeyGroups

// KeyGroup is the key group of a hash made by Hash.
func KeyGroup(hash uint64) int { return chunk.KeyGroup(hash) }

// KeyGroupRange is the half-open range [Lo, Hi) of key groups.
type KeyGroupRange struct{ Lo, Hi int }

// AllKeyGroups is the range of every key group.
var AllKeyGroups = KeyGroupRange{0, KeyGroups}

// Contains reports whether the group lies in the range.
func (r KeyGroupRange) Contains(group int) bool { return r.Lo <= group && group < r.Hi }

// Overlaps reports whether the ranges share a group.
func (r KeyGroupRange) Overlaps(o KeyGroupRange) bool { return r.Lo < o.Hi && o.Lo < r.Hi }

// OwnedBy is the range of key groups that the subtask of an operator of the given parallelism owns.
func OwnedBy(subtask, parallelism int) KeyGroupRange {
	return KeyGroupRange{
		Lo: (subtask*KeyGroups + parallelism - 1) / parallelism,
		Hi: ((subtask+1)*KeyGroups + parallelism - 1) / parallelism,
	}
}

// Owner is the subtask that owns the key group at the given parallelism; it is the inverse of OwnedBy.
func Owner(group, parallelism int) int { return group * parallelism / KeyGroups }
