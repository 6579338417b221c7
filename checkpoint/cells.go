package checkpoint

import (
	"bytes"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// cells reads the values of a column as bytes, whatever its type.
type cells struct {
	arr     arrow.Array
	layout  layout
	width   int     // of fixed values, bytes
	data    []byte  // fixed and variable values
	offsets []int32 // variable values
}

// layout is how the values of a column lie in memory.
type layout int

const (
	fixed    layout = iota // width bytes each
	bits                   // one bit each
	variable               // between two offsets
	opaque                 // anything else, known to Arrow alone
)

func cellsOf(arr arrow.Array) cells {
	c := cells{arr: arr, layout: opaque}
	data := arr.Data()
	switch t := arr.DataType().(type) {
	case *arrow.BooleanType:
		c.layout = bits
	case *arrow.StringType, *arrow.BinaryType:
		c.layout = variable
		if buf := data.Buffers()[1]; buf != nil && buf.Len() > 0 {
			c.offsets = arrow.Int32Traits.CastFromBytes(buf.Bytes())[data.Offset():]
			c.data = bufferBytes(data.Buffers()[2])
		} else {
			c.offsets = make([]int32, arr.Len()+1)
		}
	case arrow.ExtensionType, *arrow.DictionaryType, *arrow.FixedSizeListType:
	case arrow.FixedWidthDataType:
		c.layout, c.width = fixed, t.Bytes()
		c.data = bufferBytes(data.Buffers()[1])
		if len(c.data) > 0 {
			c.data = c.data[data.Offset()*c.width:]
		}
	}
	return c
}

func bufferBytes(b *memory.Buffer) []byte {
	if b == nil {
		return nil
	}
	return b.Bytes()
}

// value is the value of a row that is not null and not opaque or a bit.
func (c *cells) value(row int) []byte {
	if c.layout == fixed {
		return c.data[row*c.width : (row+1)*c.width]
	}
	return c.data[c.offsets[row]:c.offsets[row+1]]
}

func (c *cells) bit(row int) bool { return c.arr.(*array.Boolean).Value(row) }

// equalCells reports whether two values of columns of the same type are the same; NULL equals NULL, and NaN equals NaN.
func equalCells(a *cells, i int, b *cells, j int) bool {
	if a.arr.IsNull(i) || b.arr.IsNull(j) {
		return a.arr.IsNull(i) && b.arr.IsNull(j)
	}
	switch a.layout {
	case bits:
		return a.bit(i) == b.bit(j)
	case opaque:
		return array.SliceApproxEqual(a.arr, int64(i), int64(i)+1, b.arr, int64(j), int64(j)+1, array.WithNaNsEqual(true), array.WithAbsTolerance(0))
	default:
		return bytes.Equal(a.value(i), b.value(j))
	}
}

// pick is a row of one of several chunks.
type pick struct{ chunk, row uint32 }

// gather returns the picked values of a column, given as it is in each chunk. from is nil for chunks no pick names. Nested
// values are taken from mem, the others from the heap.
func gather(mem memory.Allocator, from []*cells, picks []pick) (arrow.Array, error) {
	sample := from[picks[0].chunk]
	valid, nulls := gatherValidity(from, picks)
	switch sample.layout {
	case fixed:
		return makeArray(sample.arr.DataType(), len(picks), nulls, valid, gatherFixed(from, picks, sample.width)), nil
	case bits:
		return makeArray(sample.arr.DataType(), len(picks), nulls, valid, gatherBits(from, picks)), nil
	case variable:
		offsets, data, err := gatherVariable(from, picks)
		if err != nil {
			return nil, err
		}
		return makeArray(sample.arr.DataType(), len(picks), nulls, valid, offsets, data), nil
	default:
		return gatherOpaque(mem, from, picks)
	}
}

func makeArray(dt arrow.DataType, n, nulls int, buffers ...[]byte) arrow.Array {
	wrapped := make([]*memory.Buffer, len(buffers))
	for i, b := range buffers {
		if b != nil {
			wrapped[i] = memory.NewBufferBytes(b)
		}
	}
	data := array.NewData(dt, n, wrapped, nil, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// gatherValidity returns the bitmap of the values that are not null, nil if all are.
func gatherValidity(from []*cells, picks []pick) (valid []byte, nulls int) {
	for i, p := range picks {
		if from[p.chunk].arr.IsValid(int(p.row)) {
			continue
		}
		if valid == nil {
			valid = bytes.Repeat([]byte{0xff}, int(bitutil.BytesForBits(int64(len(picks)))))
		}
		bitutil.ClearBit(valid, i)
		nulls++
	}
	return valid, nulls
}

func gatherFixed(from []*cells, picks []pick, width int) []byte {
	out := make([]byte, len(picks)*width)
	for i, p := range picks {
		if c := from[p.chunk]; len(c.data) > 0 { // a column of NULLs may have no values
			copy(out[i*width:(i+1)*width], c.value(int(p.row)))
		}
	}
	return out
}

func gatherBits(from []*cells, picks []pick) []byte {
	out := make([]byte, bitutil.BytesForBits(int64(len(picks))))
	for i, p := range picks {
		bitutil.SetBitTo(out, i, from[p.chunk].bit(int(p.row)))
	}
	return out
}

func gatherVariable(from []*cells, picks []pick) (offsets, data []byte, err error) {
	ends := make([]int32, len(picks)+1)
	for i, p := range picks {
		data = append(data, from[p.chunk].value(int(p.row))...)
		if len(data) > math.MaxInt32 {
			return nil, nil, fmt.Errorf("more than 2 GiB of text in %d rows", len(picks))
		}
		ends[i+1] = int32(len(data))
	}
	return arrow.Int32Traits.CastToBytes(ends), data, nil
}

// gatherOpaque concatenates the runs of rows that lie side by side.
func gatherOpaque(mem memory.Allocator, from []*cells, picks []pick) (arrow.Array, error) {
	var runs []arrow.Array
	defer func() {
		for _, r := range runs {
			r.Release()
		}
	}()
	for i := 0; i < len(picks); {
		first, n := picks[i], 1
		for i+n < len(picks) && picks[i+n] == (pick{first.chunk, first.row + uint32(n)}) {
			n++
		}
		runs = append(runs, array.NewSlice(from[first.chunk].arr, int64(first.row), int64(first.row)+int64(n)))
		i += n
	}
	return array.Concatenate(runs, mem)
}
