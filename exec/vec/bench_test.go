package vec_test

import (
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

func benchColumns(n int) (ints, strs arrow.Array) {
	ib := array.NewInt64Builder(memory.DefaultAllocator)
	sb := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range n {
		ib.Append(int64(i) * 7919)
		sb.Append(fmt.Sprintf("key-%d", i))
	}
	return ib.NewArray(), sb.NewArray()
}

func perRow(b *testing.B, rows int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
}

func BenchmarkHash(b *testing.B) {
	const n = vec.DefaultRows
	ints, strs := benchColumns(n)
	out := make([]uint64, n)
	for name, cols := range map[string][]arrow.Array{"int64": {ints}, "string": {strs}, "both": {ints, strs}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				out = vec.Hash(cols, n, nil, out)
			}
			perRow(b, n)
		})
	}
}

func BenchmarkTake(b *testing.B) {
	const n = vec.DefaultRows
	ints, strs := benchColumns(n)
	idx := make([]uint32, n/2)
	for i := range idx {
		idx[i] = uint32(i * 2)
	}
	mem := vec.NewPool(0, nil)
	for name, col := range map[string]arrow.Array{"int64": ints, "string": strs} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				vec.Take(mem, col, idx).Release()
			}
			perRow(b, len(idx))
		})
	}
}

func BenchmarkPartition(b *testing.B) {
	const n = vec.DefaultRows
	ints, _ := benchColumns(n)
	batch := vec.NewBatch(n, []arrow.Array{ints})
	out := make([][]uint32, 4)
	var hashes []uint64
	for b.Loop() {
		hashes = vec.Hash(batch.Cols, n, nil, hashes)
		vec.Partition(hashes, batch, 4, out)
	}
	perRow(b, n)
}
