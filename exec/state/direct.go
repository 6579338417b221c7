package state

import "github.com/apache/arrow/go/v17/arrow"

const (
	directKeys = 1 << 14
	// directTrial is the rows after which direct gives up unless it finds half of them.
	directTrial = 1 << 14
)

// direct finds the groups of small integer keys without hashing: an array indexed by the key's distance from a base near the
// first key. Keys of a single integer column are often like that: categories, small ids. It turns itself off if they are not.
type direct struct {
	groups []uint32 // one more than the group; 0: none. nil: off
	base   uint64
	began  bool
	rows   int
	missed int
}

// newDirect returns a direct that is off if the key is not a single integer.
func newDirect(keys []arrow.DataType) direct {
	if len(keys) != 1 || !arrow.IsInteger(keys[0].ID()) {
		return direct{}
	}
	return direct{groups: make([]uint32, directKeys)}
}

// match fills groups for the keys it finds, writes the other rows to missed and returns their number.
func (d *direct) match(keys []uint64, groups []uint32, missed []int32) int {
	n := matchDirect(d.groups, d.base, keys, groups, missed)
	d.rows += len(keys)
	d.missed += n
	if d.rows >= directTrial {
		if d.missed > d.rows/2 {
			d.groups = nil
		}
		d.rows, d.missed = 0, 0
	}
	return n
}

func matchDirect(index []uint32, base uint64, keys []uint64, groups []uint32, missed []int32) int {
	n := 0
	groups = groups[:len(keys)]
	for i, k := range keys {
		if at := k - base; at < uint64(len(index)) && index[at] != 0 {
			groups[i] = index[at] - 1
			continue
		}
		missed[n] = int32(i)
		n++
	}
	return n
}

// add notes the group of a new key.
func (d *direct) add(key uint64, group uint32) {
	if !d.began {
		d.base, d.began = key-directKeys/2, true
	}
	if at := key - d.base; at < uint64(len(d.groups)) {
		d.groups[at] = group + 1
	}
}

// remove forgets a key.
func (d *direct) remove(key uint64) {
	if at := key - d.base; at < uint64(len(d.groups)) {
		d.groups[at] = 0
	}
}
