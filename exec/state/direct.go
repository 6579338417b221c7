package state

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
)

const (
	directKeys = 1 << 14 // of the index a table begins with
	directMost = 1 << 24 // of the largest one
	// directSparse is the keys for which there is room for each one that is there.
	directSparse = 4
	// directTrial is the rows after which direct gives up unless it has places for half of them.
	directTrial = 1 << 14
)

// direct finds the groups of integer keys without hashing: an array indexed by the key's distance from a base. Keys of a single
// integer column often lie close together: categories, ids. The array begins around the first key. It is given up if too many
// have no place in it, and made anew when the table has grown, if its keys turn out to lie close together.
type direct struct {
	groups  []uint32 // one more than the group; 0: none. nil: off
	base    uint64
	rows    int // since the last trial
	outside int // of these, the rows whose key has no place

	integers    bool // the key is a single integer
	began       bool
	least, most int64 // of the keys so far
}

// newDirect returns a direct that is off if the key is not a single integer.
func newDirect(keys []arrow.DataType) direct {
	if len(keys) != 1 || !arrow.IsInteger(keys[0].ID()) {
		return direct{}
	}
	return direct{groups: make([]uint32, directKeys), integers: true}
}

// remakeDirect makes the index anew for all keys of the table if they lie close together and are not all in it.
func (t *Table) remakeDirect() {
	d := &t.direct
	if !d.began {
		return
	}
	span := uint64(d.most) - uint64(d.least) // one less than the keys from least to most
	if span >= min(directMost, directSparse*uint64(t.size)) || d.groups != nil && d.has(uint64(d.least)) && d.has(uint64(d.most)) {
		return
	}
	room := span / 8 // at either end
	d.base = uint64(d.least) - room
	d.groups = newIndex(max(directKeys, span+2*room+1))
	d.rows, d.outside = 0, 0
	for _, g := range t.Groups(nil) {
		if int64(g) != t.nullGroup {
			d.groups[*At[uint64](t.rows.Rows, g)-d.base] = g + 1
		}
	}
}

// has reports whether there is a place for the key.
func (d *direct) has(key uint64) bool { return key-d.base < uint64(len(d.groups)) }

// newIndex returns n zeros.
func newIndex(n uint64) []uint32 {
	words := make([]uint64, (n+1)/2)
	adviseHuge(words)
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// match fills groups for the keys it finds, writes the other rows to missed and returns their number.
func (d *direct) match(keys []uint64, groups []uint32, missed []int32) int {
	n := matchDirect(d.groups, d.base, keys, groups, missed)
	d.rows += len(keys)
	for _, i := range missed[:n] {
		if !d.has(keys[i]) {
			d.outside++
		}
	}
	if d.rows >= directTrial {
		if d.outside > d.rows/2 {
			d.groups = nil
		}
		d.rows, d.outside = 0, 0
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
		d.least, d.most = int64(key), int64(key)
	}
	d.least, d.most = min(d.least, int64(key)), max(d.most, int64(key))
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
