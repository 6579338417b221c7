package state

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

func BenchmarkAssign(b *testing.B) {
	for _, keys := range []int{1000, 100_000, 10_000_000} {
		b.Run(fmt.Sprintf("int64/%d", keys), func(b *testing.B) {
			benchAssign(b, arrow.PrimitiveTypes.Int64, keys, func(bl array.Builder, k int) { bl.(*array.Int64Builder).Append(int64(k)) })
		})
	}
	for _, keys := range []int{1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("string/%d", keys), func(b *testing.B) {
			benchAssign(b, arrow.BinaryTypes.String, keys, func(bl array.Builder, k int) {
				bl.(*array.StringBuilder).Append(fmt.Sprintf("key-%d", k))
			})
		})
	}
}

// benchAssign assigns 20 M random keys in batches of 4096 rows; the table starts empty.
func benchAssign(b *testing.B, dt arrow.DataType, keys int, appendKey func(array.Builder, int)) {
	const batches = 20_000_000 / vec.DefaultRows
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([]arrow.Array, batches)
	for i := range cols {
		bl := array.NewBuilder(memory.DefaultAllocator, dt)
		for range vec.DefaultRows {
			appendKey(bl, r.IntN(keys))
		}
		cols[i] = bl.NewArray()
	}
	var hashes []uint64
	var groups []uint32
	cpu := cpuTime()
	b.ResetTimer()
	for range b.N {
		t, err := New(Config{Keys: []arrow.DataType{dt}, Mem: memory.DefaultAllocator})
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range cols {
			hashes = vec.Hash([]arrow.Array{c}, c.Len(), nil, hashes)
			groups = t.Assign([]arrow.Array{c}, c.Len(), nil, hashes, groups)
		}
		if t.Len() > keys {
			b.Fatal(t.Len())
		}
	}
	b.ReportMetric((cpuTime()-cpu)/float64(b.N)/float64(batches*vec.DefaultRows), "cpu-ns/row")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(batches*vec.DefaultRows), "ns/row")
}

// cpuTime is the processor time of this process, in nanoseconds.
func cpuTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}
