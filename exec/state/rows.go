package state

import "unsafe"

const (
	segmentBits = 16
	segmentRows = 1 << segmentBits
	segmentMask = segmentRows - 1
	firstRows   = 1 << 10 // the first segment starts with so many rows and grows
)

// Rows is the memory in which each group has one fixed-width row, seen from an offset within the row. It is valid until groups
// are next added to the table. It is small enough for the compiler to keep it in registers.
type Rows struct {
	segments unsafe.Pointer // to the addresses of the segments
	stride   uintptr
	offset   uintptr
}

// Field is the same rows seen from offset bytes further on.
func (r Rows) Field(offset int) Rows {
	r.offset += uintptr(offset)
	return r
}

// At is the T at r's offset in the row of a group, which must be one the table has given out: this is not checked. T must hold no
// pointers; a row starts out as zero bytes.
func At[T any](r Rows, group uint32) *T {
	return (*T)(r.at(group))
}

func (r Rows) at(group uint32) unsafe.Pointer {
	segment := *(*unsafe.Pointer)(unsafe.Add(r.segments, uintptr(group>>segmentBits)*unsafe.Sizeof(r.segments)))
	return unsafe.Add(segment, uintptr(group&segmentMask)*r.stride+r.offset)
}

// segments is growing memory of fixed-width rows that keep their place, except while all fit into the first segment.
type segments struct {
	Rows
	list     []unsafe.Pointer
	capacity int
}

func newSegments(width int) segments {
	return segments{Rows: Rows{stride: uintptr(padded(width))}}
}

// padded is the stride of rows of a width. Where it costs at most a third more memory, no row crosses a cache line.
func padded(width int) int {
	switch {
	case 48 <= width && width < 64:
		return 64
	case 24 <= width && width < 32:
		return 32
	}
	return width
}

// reserve makes room for rows 0 … rows-1.
func (s *segments) reserve(rows int) {
	for s.capacity < rows {
		if s.capacity >= segmentRows {
			s.list = append(s.list, s.allocate(segmentRows))
			s.capacity += segmentRows
			continue
		}
		grown := max(firstRows, s.capacity)
		for grown < min(rows, segmentRows) {
			grown *= 4
		}
		first := s.allocate(grown)
		if s.capacity > 0 {
			size := s.capacity * int(s.stride)
			copy(unsafe.Slice((*byte)(first), size), unsafe.Slice((*byte)(s.list[0]), size))
		}
		s.list = []unsafe.Pointer{first}
		s.capacity = grown
	}
	s.segments = unsafe.Pointer(unsafe.SliceData(s.list))
}

// allocate returns zeroed, 8-byte aligned memory for rows.
func (s *segments) allocate(rows int) unsafe.Pointer {
	words := make([]uint64, max(1, rows*int(s.stride)/8))
	adviseHuge(words)
	return unsafe.Pointer(unsafe.SliceData(words))
}

// zero clears the rows 0 … rows-1.
func (s *segments) zero(rows int) {
	for i := 0; rows > 0; i++ {
		n := min(rows, segmentRows)
		clear(unsafe.Slice((*byte)(s.list[i]), n*int(s.stride)))
		rows -= n
	}
}

// clearRow zeroes one row.
func (s *segments) clearRow(group uint32) {
	clear(unsafe.Slice((*byte)(s.at(group)), s.stride))
}

func (s *segments) bytes() int64 { return int64(s.capacity) * int64(s.stride) }
