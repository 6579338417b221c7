package vec

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

func gatherBinary[O int32 | int64](mem memory.Allocator, dt arrow.DataType, parts []part, rows int) arrow.Array {
	offBuf, offsets := NewFixed[O](mem, rows+1)
	total := gatherOffsets(dt, offsets, parts, func(a arrow.Array) []O {
		offs, _ := binaryValues[O](a)
		return offs
	})
	data := NewBuffer(mem, int(total))
	gatherBytes(data.Bytes(), offsets, parts)
	valid, nulls := gatherValidity(mem, parts, rows)
	return MakeArray(dt, rows, nulls, valid, offBuf, data)
}

// gatherOffsets fills dst, one longer than the rows, with the running sum of the lengths of the parts' rows and returns the sum.
func gatherOffsets[O int32 | int64](dt arrow.DataType, dst []O, parts []part, offsetsOf func(arrow.Array) []O) int64 {
	total, at := int64(0), 0
	dst[0] = 0
	for _, p := range parts {
		src := offsetsOf(p.arr)
		n := p.len()
		for i := range n {
			row := i
			if p.idx != nil {
				row = int(p.idx[i])
			}
			total += int64(src[row+1] - src[row])
			dst[at+i+1] = O(total)
		}
		at += n
	}
	checkTotal[O](dt, total)
	return total
}

func gatherBytes[O int32 | int64](dst []byte, offsets []O, parts []part) {
	at := 0
	for _, p := range parts {
		src, bytes := binaryValues[O](p.arr)
		if p.idx == nil {
			copy(dst[offsets[at]:], bytes[src[0]:src[len(src)-1]])
		}
		for i, x := range p.idx {
			copy(dst[offsets[at+i]:offsets[at+i+1]], bytes[src[x]:src[x+1]])
		}
		at += p.len()
	}
}

func gatherStruct(mem memory.Allocator, dt *arrow.StructType, parts []part, rows int) arrow.Array {
	children := make([]arrow.ArrayData, dt.NumFields())
	fields := make([]part, len(parts))
	for f := range children {
		for i, p := range parts {
			fields[i] = part{p.arr.(*array.Struct).Field(f), p.idx}
		}
		children[f] = detach(gather(mem, dt.Field(f).Type, fields))
	}
	valid, nulls := gatherValidity(mem, parts, rows)
	return makeNested(dt, rows, nulls, []*memory.Buffer{valid}, children)
}

// gatherList serves lists and maps, whose entries are a list of structs.
func gatherList(mem memory.Allocator, dt arrow.DataType, parts []part, rows int) arrow.Array {
	offBuf, offsets := NewFixed[int32](mem, rows+1)
	gatherOffsets(dt, offsets, parts, listOffsets)
	elements := make([]part, len(parts))
	for i, p := range parts {
		child := p.arr.Data().Children()[0]
		arr := array.MakeFromData(child)
		defer arr.Release()
		elements[i] = part{arr, elementRows(p)}
	}
	child := detach(gather(mem, parts[0].arr.Data().Children()[0].DataType(), elements))
	valid, nulls := gatherValidity(mem, parts, rows)
	return makeNested(dt, rows, nulls, []*memory.Buffer{valid, offBuf}, []arrow.ArrayData{child})
}

func listOffsets(a arrow.Array) []int32 {
	data := a.Data()
	if data.Len() == 0 {
		return []int32{0}
	}
	return cast[int32](data.Buffers()[1].Bytes(), data.Offset()+data.Len()+1)[data.Offset():]
}

// elementRows is the rows of the child array that p's lists hold.
func elementRows(p part) []uint32 {
	offsets := listOffsets(p.arr)
	rows := []uint32{}
	for i := range p.len() {
		row := i
		if p.idx != nil {
			row = int(p.idx[i])
		}
		for j := offsets[row]; j < offsets[row+1]; j++ {
			rows = append(rows, uint32(j))
		}
	}
	return rows
}

// detach consumes arr and returns its data.
func detach(arr arrow.Array) arrow.ArrayData {
	data := arr.Data()
	data.Retain()
	arr.Release()
	return data
}
