package agg

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// sideBySide is several accumulators as the value of a table.
type sideBySide struct {
	accs    []Accumulator
	types   [][]arrow.DataType
	offsets []int
	width   int
}

// countSumMax is COUNT(*), SUM and MAX of a BIGINT.
func countSumMax(b *testing.B, mem memory.Allocator) *sideBySide {
	v := &sideBySide{}
	for _, name := range []string{"COUNT", "SUM", "MAX"} {
		var args []arrow.DataType
		if name != "COUNT" {
			args = []arrow.DataType{bigint}
		}
		call, err := Resolve(name, args, Options{})
		if err != nil {
			b.Fatal(err)
		}
		acc := call.New(mem)
		v.accs, v.types, v.offsets = append(v.accs, acc), append(v.types, call.StateTypes), append(v.offsets, v.width)
		v.width += acc.Width()
	}
	return v
}

func (v *sideBySide) Width() int                { return v.width }
func (v *sideBySide) Free(state.Rows, []uint32) {}
func (v *sideBySide) Bytes() int64              { return 0 }

func (v *sideBySide) Types() (types []arrow.DataType) {
	for _, t := range v.types {
		types = append(types, t...)
	}
	return types
}

func (v *sideBySide) update(rows state.Rows, groups []uint32, b vec.Batch) error {
	for i, a := range v.accs {
		in := Input{Rows: b.Rows}
		if i > 0 {
			in.Args = b.Cols[1:]
		}
		if err := a.Update(rows.Field(v.offsets[i]), groups, in); err != nil {
			return err
		}
	}
	return nil
}

func (v *sideBySide) State(rows state.Rows, groups []uint32) (all []arrow.Array, err error) {
	for i, a := range v.accs {
		columns, err := a.State(rows.Field(v.offsets[i]), groups)
		if err != nil {
			return nil, err
		}
		all = append(all, columns...)
	}
	return all, nil
}

func (v *sideBySide) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	for i, a := range v.accs {
		n := len(v.types[i])
		if err := a.Merge(rows.Field(v.offsets[i]), groups, columns[:n]); err != nil {
			return err
		}
		columns = columns[n:]
	}
	return nil
}

// grouping is a table of countSumMax by a key.
type grouping struct {
	*state.Table
	value  *sideBySide
	groups []uint32
}

func newGrouping(b *testing.B, key arrow.DataType) *grouping {
	mem := vec.NewPool(0, nil)
	value := countSumMax(b, mem)
	table, err := state.New(state.Config{Keys: []arrow.DataType{key}, Value: value, Mem: mem})
	if err != nil {
		b.Fatal(err)
	}
	return &grouping{Table: table, value: value}
}

func (g *grouping) process(b *testing.B, batch vec.Batch) {
	g.groups = g.Assign(batch.Cols[:1], batch.Rows, nil, nil, g.groups)
	if err := g.BeforeWrite(g.groups); err != nil {
		b.Fatal(err)
	}
	if err := g.value.update(g.Rows(), g.groups, batch); err != nil {
		b.Fatal(err)
	}
}

// batchesOf is rows of a key out of keys random ones, or of every key in turn, and of a BIGINT.
func batchesOf(key arrow.DataType, rows, keys int, random bool) (batches []vec.Batch) {
	r := rand.New(rand.NewPCG(1, 2))
	for done := 0; done < rows; done += vec.DefaultRows {
		kb, vb := array.NewBuilder(memory.DefaultAllocator, key), array.NewInt64Builder(memory.DefaultAllocator)
		for i := range vec.DefaultRows {
			k := (done + i) % keys
			if random {
				k = r.IntN(keys)
			}
			if s, ok := kb.(*array.StringBuilder); ok {
				s.Append(fmt.Sprintf("key-%d", k))
			} else {
				kb.(*array.Int64Builder).Append(int64(k))
			}
			vb.Append(r.Int64N(1000))
		}
		batches = append(batches, vec.NewBatch(vec.DefaultRows, []arrow.Array{kb.NewArray(), vb.NewArray()}))
	}
	return batches
}

// report gives the processor time, which other processes disturb less than the clock, by row.
func report(b *testing.B, began float64, rows int) {
	b.ReportMetric((cpuTime()-began)/float64(b.N)/float64(rows), "cpu-ns/row")
}

func cpuTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkGroupBy is SELECT k, COUNT(*), SUM(v), MAX(v) … GROUP BY k from batches to groups.
func BenchmarkGroupBy(b *testing.B) {
	cases := []struct {
		key  arrow.DataType
		keys int
	}{
		{bigint, 1000},
		{bigint, 100_000},
		{bigint, 10_000_000},
		{arrow.BinaryTypes.String, 1000},
		{arrow.BinaryTypes.String, 100_000},
		{arrow.BinaryTypes.String, 1_000_000},
	}
	for _, c := range cases {
		b.Run(fmt.Sprintf("%s/%d", typeName(c.key), c.keys), func(b *testing.B) {
			rows := max(4_000_000, 2*c.keys)
			batches := batchesOf(c.key, rows, c.keys, true)
			b.ResetTimer()
			began := cpuTime()
			for range b.N {
				g := newGrouping(b, c.key)
				for _, batch := range batches {
					g.process(b, batch)
				}
			}
			report(b, began, rows)
		})
	}
}

// BenchmarkCheckpoint takes checkpoints of a table of which all rows, or one in a hundred, are dirty: the pause is Freeze, the
// sweep what is written between batches.
func BenchmarkCheckpoint(b *testing.B) {
	for _, keys := range []int{1_000_000, 10_000_000} {
		for _, share := range []int{1, 100} {
			b.Run(fmt.Sprintf("%d/dirty %d", keys, keys/share), func(b *testing.B) { benchCheckpoint(b, keys, share) })
		}
	}
}

func benchCheckpoint(b *testing.B, keys, share int) {
	g := newGrouping(b, bigint)
	batches := batchesOf(bigint, keys, keys, false)
	for _, batch := range batches {
		g.process(b, batch)
	}
	id, rows := uint64(0), 0
	var sweeping, bytes float64
	checkpoint := func(timed bool) {
		id++
		if timed {
			b.StartTimer()
		}
		f, err := g.Freeze(id)
		b.StopTimer()
		if err != nil {
			b.Fatal(err)
		}
		began := cpuTime()
		for done := false; !done; {
			done, err = g.Sweep(16<<10, func(c state.Chunk) error {
				defer c.Record.Release()
				data, err := vec.EncodeRecord(c.Record)
				bytes += float64(len(data))
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		g.Written(id)
		sweeping += cpuTime() - began
		rows += f.Rows
	}
	b.StopTimer()
	checkpoint(false)
	b.ResetTimer()
	b.StopTimer()
	rows, sweeping, bytes = 0, 0, 0
	for range b.N {
		for _, batch := range batches[:len(batches)/share] {
			g.process(b, batch)
		}
		checkpoint(true)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "pause-µs")
	b.ReportMetric(sweeping/float64(rows), "sweep-cpu-ns/row")
	b.ReportMetric(bytes/float64(rows), "B/row")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLoad restores a table from encoded chunks.
func BenchmarkLoad(b *testing.B) {
	const keys = 2_000_000
	g := newGrouping(b, bigint)
	for _, batch := range batchesOf(bigint, keys, keys, false) {
		g.process(b, batch)
	}
	if _, err := g.Freeze(1); err != nil {
		b.Fatal(err)
	}
	var chunks []state.Chunk
	var encoded [][]byte
	size := 0
	if _, err := g.Sweep(2*keys, func(c state.Chunk) error {
		defer c.Record.Release()
		data, err := vec.EncodeRecord(c.Record)
		chunks, encoded, size = append(chunks, c), append(encoded, data), size+len(data)
		return err
	}); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	began := cpuTime()
	for range b.N {
		restored := newGrouping(b, bigint)
		err := restored.Load(g.Len(), func(yield func(state.Chunk, error) bool) {
			for i, c := range chunks {
				var err error
				c.Record, err = vec.DecodeRecord(memory.DefaultAllocator, encoded[i])
				if !yield(c, err) {
					return
				}
			}
		})
		if err != nil || restored.Len() != g.Len() {
			b.Fatal(restored.Len(), err)
		}
	}
	report(b, began, keys)
	b.ReportMetric((cpuTime()-began)/float64(b.N)/float64(size), "s/GB")
}
