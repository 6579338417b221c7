package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"streamsql/connector"
	"streamsql/exec/vec"
)

// memorySource is the connector 'memory': a dataset as the engine's own batches, so that reading costs next to nothing. It has
// as many splits as its option says; the batches are dealt out to them in turn.
type memorySource struct {
	table   *memoryTable
	columns []int
	splits  int
}

// memoryTable is a dataset under a name.
type memoryTable struct {
	*dataset
	endless bool        // goes on with the loop after the last batch
	paused  atomic.Bool // gives no rows for now
}

var memoryTables sync.Map // of *memoryTable by name

func init() {
	connector.Register(&connector.Connector{
		Name: "memory", Doc: "a dataset of the benchmarks",
		Options: []connector.Option{
			{Key: "name", Type: connector.Text, Required: true, Doc: "name of the dataset"},
			{Key: "splits", Type: connector.Positive, Default: "1", Doc: "number of splits"},
		},
		NewSource: newMemorySource,
	})
}

func newMemorySource(spec connector.SourceSpec, o *connector.Options) (connector.Source, error) {
	table, ok := memoryTables.Load(o.Text("name"))
	if !ok {
		return nil, fmt.Errorf("there is no dataset %s", o.Text("name"))
	}
	return &memorySource{table.(*memoryTable), spec.Columns, int(o.Count("splits"))}, nil
}

// Splits implements connector.Source.
func (s *memorySource) Splits(context.Context) ([]connector.Split, error) {
	splits := make([]connector.Split, s.splits)
	for i := range splits {
		splits[i] = connector.Split{ID: fmt.Sprint(i), Data: []byte{byte(i)}}
	}
	return splits, nil
}

// Bounded implements connector.Source.
func (s *memorySource) Bounded() bool { return true }

// Replayable implements connector.Source.
func (s *memorySource) Replayable() bool { return true }

// Changelog implements connector.Source.
func (s *memorySource) Changelog() bool { return false }

// Open implements connector.Source. A position is the number of batches read.
func (s *memorySource) Open(_ context.Context, split connector.Split, pos connector.Position) (connector.Reader, error) {
	r := &memoryReader{memorySource: s, split: int(split.Data[0])}
	if pos != nil {
		r.next = int(binary.LittleEndian.Uint64(pos))
	}
	return r, nil
}

// memoryReader reads the batches split, split+splits, ….
type memoryReader struct {
	*memorySource
	split int
	next  int // batches read
}

// Read implements connector.Reader.
func (r *memoryReader) Read(ctx context.Context) (connector.Fragment, error) {
	if r.table.paused.Load() {
		<-ctx.Done()
		return connector.Fragment{}, ctx.Err()
	}
	at := r.split + r.next*r.splits
	if n := len(r.table.batches); at >= n {
		if !r.table.endless {
			return connector.Fragment{}, io.EOF
		}
		at = r.table.loop + (at-n)%(n-r.table.loop)
	}
	r.next++
	return connector.Fragment{
		Batch:    r.pick(r.table.batches[at]),
		Position: binary.LittleEndian.AppendUint64(nil, uint64(r.next)),
	}, nil
}

// pick shares the columns that the query needs.
func (r *memoryReader) pick(b vec.Batch) vec.Batch {
	own := vec.Batch{Rows: b.Rows}
	for _, c := range r.columns {
		own.Cols = append(own.Cols, b.Cols[c])
	}
	return own.Retain()
}

// Close implements connector.Reader.
func (r *memoryReader) Close() error { return nil }
