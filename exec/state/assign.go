package state

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// probeBlock is the rows that go through the stages of a probe together: few enough for their scratch space to stay in the
// first cache, enough for their cache misses to overlap.
const probeBlock = 1024

// Assign finds the group of the key of each selected row of cols, adding keys that are new, and returns them in groups if it has
// the capacity. cols are of the key's types. hashes are those of vec.Hash for the same rows; where the caller has no other use for
// them, nil is faster.
func (t *Table) Assign(cols []arrow.Array, rows int, sel []uint32, hashes []uint64, groups []uint32) []uint32 {
	t.born = t.born[:0]
	return t.probe(cols, rows, sel, hashes, groups, true)
}

// Lookup is Assign without adding: the group of a key that is not in the table is NoGroup.
func (t *Table) Lookup(cols []arrow.Array, rows int, sel []uint32, hashes []uint64, groups []uint32) []uint32 {
	return t.probe(cols, rows, sel, hashes, groups, false)
}

func (t *Table) probe(cols []arrow.Array, rows int, sel []uint32, hashes []uint64, groups []uint32, add bool) []uint32 {
	n := rows
	if sel != nil {
		n = len(sel)
	}
	if cap(groups) < n {
		groups = make([]uint32, n)
	}
	groups = groups[:n]
	t.reader.open(cols, rows, sel)
	t.batchHashes = hashes
	for from := 0; from < n; from += probeBlock {
		to := min(from+probeBlock, n)
		t.reader.read(from, to-from)
		t.probeBlock(groups[from:to], add)
	}
	return groups
}

// probeBlock finds the groups of the rows of the reader's block.
func (t *Table) probeBlock(groups []uint32, add bool) {
	if t.direct.groups != nil && t.reader.cols[0].NullN() == 0 {
		n := t.direct.match(t.reader.block, groups, t.missed)
		if n > 0 {
			t.searchEach(t.missed[:n], t.blockHashes(len(groups)), groups, add)
		}
		return
	}
	hashes := t.blockHashes(len(groups))
	t.searchEach(t.match(hashes, groups), hashes, groups, add)
}

// searchEach fills groups for the rows that a first look has missed.
func (t *Table) searchEach(missed []int32, hashes []uint64, groups []uint32, add bool) {
	for _, i := range missed {
		groups[i] = t.search(int(i), hashes[i], add)
	}
}

// blockHashes is the hashes of the n rows of the reader's block.
func (t *Table) blockHashes(n int) []uint64 {
	r := &t.reader
	switch {
	case t.batchHashes == nil && r.hashes != nil:
		return r.hashes[:n]
	case t.batchHashes == nil:
		t.hashed = vec.Hash(r.cols, r.rows, r.sel, t.hashed)
		t.batchHashes = t.hashed
	}
	return t.batchHashes[r.from:][:n]
}

// match looks near the home slot of every row of the block. It fills groups for the rows whose key is there and returns the
// others.
func (t *Table) match(hashes []uint64, groups []uint32) []int32 {
	t.slots.candidates(hashes, groups)
	switch {
	case t.layout.words == 1:
		return t.missed[:match1(t.rows.Rows, t.reader.block, groups, t.missed)]
	case t.layout.isText():
		return t.missed[:t.matchText(t.rows.Rows, t.reader.block, groups, t.missed)]
	case t.layout.words == 2:
		return t.missed[:match2(t.rows.Rows, t.reader.block, groups, t.missed)]
	}
	return t.missed[:t.matchAny(groups, t.missed)]
}

// match1 takes a candidate for each row in groups and compares keys of one word. It leaves in groups those that are right,
// writes the other rows to missed and returns their number.
func match1(rows Rows, keys []uint64, groups []uint32, missed []int32) int {
	n := 0
	keys = keys[:len(groups)]
	for i, c := range groups {
		if c != 0 && *(*uint64)(rows.at(c - 1)) == keys[i] {
			groups[i] = c - 1
			continue
		}
		missed[n] = int32(i)
		n++
	}
	return n
}

// match2 is match1 for keys of two words.
func match2(rows Rows, keys []uint64, groups []uint32, missed []int32) int {
	n := 0
	keys = keys[:2*len(groups)]
	for i, c := range groups {
		if c != 0 && *(*[2]uint64)(rows.at(c - 1)) == [2]uint64(keys[2*i:]) {
			groups[i] = c - 1
			continue
		}
		missed[n] = int32(i)
		n++
	}
	return n
}

// matchText is match1 for a single text.
func (t *Table) matchText(rows Rows, keys []uint64, groups []uint32, missed []int32) int {
	n := 0
	for i, c := range groups {
		if c != 0 {
			row, key := (*[2]uint64)(rows.at(c-1)), keys[2*i:2*i+2]
			if row[0] == key[0] && (row[1] == key[1] || isLongText(key[1]) && t.equal(c-1, i)) {
				groups[i] = c - 1
				continue
			}
		}
		missed[n] = int32(i)
		n++
	}
	return n
}

// matchAny is match1 for any key.
func (t *Table) matchAny(groups []uint32, missed []int32) int {
	n := 0
	for i, c := range groups {
		if c != 0 && t.equal(c-1, i) {
			groups[i] = c - 1
			continue
		}
		missed[n] = int32(i)
		n++
	}
	return n
}

// search follows the slots from the home of the i-th row of the block. It returns NoGroup only if it may not add the key.
func (t *Table) search(i int, hash uint64, add bool) uint32 {
	tag := tagOf(hash)
	entries := t.slots.entries
	for at := t.slots.home(tag); at < len(entries); at++ {
		e := entries[at]
		if e == 0 {
			if add {
				return t.add(i, hash, at)
			}
			return NoGroup
		}
		if uint32(e>>32) == tag && t.equal(uint32(e)-1, i) {
			return uint32(e) - 1
		}
	}
	if !add {
		return NoGroup
	}
	t.slots = t.slots.doubled()
	return t.search(i, hash, add)
}

// equal compares the key of a group, whose tag is that of the i-th row of the block, with the row's.
func (t *Table) equal(group uint32, i int) bool {
	w := t.layout.words
	key := t.reader.block[i*w : i*w+w]
	row := unsafe.Slice((*uint64)(t.rows.at(group)), w)
	for j := range key {
		if key[j] != row[j] && !t.equalText(j, i, key, row) {
			return false
		}
	}
	return true
}

// equalText decides about words that differ: they are equal if they belong to long texts of the same bytes.
func (t *Table) equalText(word, i int, key, row []uint64) bool {
	for _, column := range t.layout.texts {
		if t.layout.columns[column].word+1 != word {
			continue
		}
		n := textLength(key[word])
		return n > vec.ShortText && n == textLength(row[word]) &&
			string(t.texts.Get(Ref(row[word]), n)) == string(t.reader.text(column, i))
	}
	return false
}

// add gives the i-th row of the block a group and puts it into the free slot.
func (t *Table) add(i int, hash uint64, slot int) uint32 {
	g := t.newGroup()
	*At[uint64](t.hashes.Rows, g) = hash
	w := t.layout.words
	row := unsafe.Slice((*uint64)(t.rows.at(g)), w)
	copy(row, t.reader.block[i*w:i*w+w])
	for _, column := range t.layout.texts {
		if rest := &row[t.layout.columns[column].word+1]; isLongText(*rest) {
			*rest |= uint64(t.texts.Put(t.reader.text(column, i)))
		}
	}
	switch {
	case hash == vec.NullHash && t.reader.isNull(i):
		t.nullGroup = int64(g)
	case t.direct.integers:
		t.direct.add(row[0], g)
	}
	t.slots.entries[slot] = entry(tagOf(hash), g)
	if t.size > t.slots.limit() {
		t.slots = t.slots.doubled()
		t.remakeDirect()
	}
	return g
}

// newGroup gives out a group with a zeroed row.
func (t *Table) newGroup() uint32 {
	t.size++
	var g uint32
	if n := len(t.free); n > 0 {
		g = t.free[n-1]
		t.free = t.free[:n-1]
		t.rows.clearRow(g)
	} else {
		if t.next == int(NoGroup)-1 {
			panic("state: more groups than one table can hold; raise the parallelism")
		}
		g = uint32(t.next)
		t.next++
		if t.next > t.rows.capacity {
			t.reserve(t.next)
		}
	}
	t.live.set(g)
	t.snapshot.dirty.set(g)
	t.born = append(t.born, g)
	return g
}

// expect makes an empty table ready for n groups.
func (t *Table) expect(n int) {
	homes := t.slots.homes
	for limitOf(homes) < n {
		homes *= 2
	}
	if homes > t.slots.homes {
		t.slots = newSlots(homes)
	}
	if n > t.rows.capacity {
		t.reserve(n)
	}
}

// reserve makes room for n groups.
func (t *Table) reserve(n int) {
	t.rows.reserve(n)
	t.hashes.reserve(n)
	t.live = t.live.resize(t.rows.capacity)
	t.touched = t.touched.resize(t.rows.capacity)
	t.isBorn = t.isBorn.resize(t.rows.capacity)
	t.snapshot.resize(t.rows.capacity)
}
