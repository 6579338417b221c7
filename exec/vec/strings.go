package vec

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Strings builds a STRING or BYTES column, value after value. It must end in Array or Release.
type Strings struct {
	mem     memory.Allocator
	offsets []int32
	offBuf  *memory.Buffer
	data    []byte // as allocated; the first used bytes count
	used    int
	valid   []byte // nil until the first NULL
	rows    int
	nulls   int
}

// NewStrings returns a builder of at most rows values. size is the expected number of their bytes; more is fine.
func NewStrings(mem memory.Allocator, rows, size int) *Strings {
	s := &Strings{mem: mem, rows: rows, data: mem.Allocate(max(size, 64))}
	s.offBuf, s.offsets = NewFixed[int32](mem, rows+1)
	s.offsets = s.offsets[:1]
	s.offsets[0] = 0
	return s
}

// Len is the number of values so far.
func (s *Strings) Len() int { return len(s.offsets) - 1 }

// Append adds a value.
func (s *Strings) Append(v string) {
	copy(s.grow(len(v)), v)
}

// AppendBytes adds a value; v is copied.
func (s *Strings) AppendBytes(v []byte) {
	copy(s.grow(len(v)), v)
}

// AppendNull adds a NULL.
func (s *Strings) AppendNull() {
	if s.valid == nil {
		s.valid = s.mem.Allocate(int(bitutil.BytesForBits(int64(s.rows))))
		for i := range s.valid {
			s.valid[i] = 0xff
		}
	}
	bitutil.ClearBit(s.valid, s.Len())
	s.nulls++
	s.grow(0)
}

// grow adds a value of n bytes and returns them to be filled.
func (s *Strings) grow(n int) []byte {
	start, end := s.used, s.used+n
	if end > math.MaxInt32 {
		panic(fmt.Errorf("a batch's STRING column exceeds %d bytes; use a smaller batch size", math.MaxInt32))
	}
	if end > len(s.data) {
		s.data = s.mem.Reallocate(max(2*len(s.data), end), s.data)
	}
	s.used = end
	s.offsets = append(s.offsets, int32(end))
	return s.data[start:end]
}

// Array returns the column, of type dt, and ends the builder.
func (s *Strings) Array(dt arrow.DataType) arrow.Array {
	var valid *memory.Buffer
	if s.valid != nil {
		valid = memory.NewBufferWithAllocator(s.valid, s.mem)
	}
	data := memory.NewBufferWithAllocator(s.data, s.mem)
	return MakeArray(dt, s.Len(), s.nulls, valid, s.offBuf, data)
}

// Release ends the builder without a column.
func (s *Strings) Release() {
	s.offBuf.Release()
	s.mem.Free(s.data)
	if s.valid != nil {
		s.mem.Free(s.valid)
	}
}
