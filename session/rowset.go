package session

import "streamsql/exec/vec"

// rowRef points to a row of one of a bag's batches.
type rowRef struct{ batch, row uint32 }

// gone marks a place whose row has been taken back.
var gone = rowRef{batch: ^uint32(0)}

// rowSet is a multiset of rows in an order. The zero rowSet is empty.
type rowSet struct {
	refs  []rowRef // by place; a row that was taken back is gone
	live  int      // rows that are not gone
	index *bagIndex
}

// append adds a row without hashing it.
func (s *rowSet) append(ref rowRef) {
	s.refs = append(s.refs, ref)
	s.live++
}

// put adds a row at a place that is free, or behind the others if place is -1.
func (s *rowSet) put(place int, ref rowRef, hash uint64) {
	if place < 0 {
		place = len(s.refs)
		s.refs = append(s.refs, gone)
	}
	s.refs[place] = ref
	s.live++
	s.index.add(hash, place)
}

// remove takes a row out that is equal to the given one and returns its place, -1 if there is none.
func (s *rowSet) remove(batches []vec.Batch, row rowRef, hash uint64) int {
	cols := batches[row.batch].Cols
	for place := range s.index.candidates(hash) {
		ref := s.refs[place]
		if ref != gone && equalRows(batches[ref.batch].Cols, int(ref.row), cols, int(row.row)) {
			s.refs[place] = gone
			s.live--
			return place
		}
	}
	return -1
}

// reindex makes the index anew. hashes are those of the rows of each batch.
func (s *rowSet) reindex(hashes [][]uint64) {
	s.index = newBagIndex(s.live)
	for place, ref := range s.refs {
		if ref != gone {
			s.index.add(hashes[ref.batch][ref.row], place)
		}
	}
}

// list returns the rows in the order of their places.
func (s *rowSet) list() []rowRef {
	rows := make([]rowRef, 0, s.live)
	for _, ref := range s.refs {
		if ref != gone {
			rows = append(rows, ref)
		}
	}
	return rows
}
