package state

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
)

// Chunk is a piece of a snapshot: a record of the columns "hash" (uint64), the keys and, unless it holds tombstones, the states,
// about in the order of the hashes. It is to be restored from by the record alone.
type Chunk struct {
	Checkpoint uint64
	KeyGroups  vec.KeyGroupRange // of its rows
	Record     arrow.Record
}

const (
	// maxChunk is the bytes above which a chunk is cut, so that with what Arrow adds it is at most 256 KiB. A single row may be
	// larger.
	maxChunk = 248 << 10

	metaKind     = "streamsql.chunk"
	rowChunk     = "rows"
	deletedChunk = "tombstones"
)

// IsTombstones reports whether the chunk says which keys have been deleted.
func (c Chunk) IsTombstones() bool {
	kind, _ := c.Record.Schema().Metadata().GetValue(metaKind)
	return kind == deletedChunk
}

// chunkSchema is the schema of the chunks of a kind.
func chunkSchema(kind string, keys []keyColumn, states []arrow.DataType) *arrow.Schema {
	fields := []arrow.Field{{Name: "hash", Type: arrow.PrimitiveTypes.Uint64}}
	for i, c := range keys {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("key%d", i), Type: c.dt, Nullable: true})
	}
	for i, dt := range states {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("state%d", i), Type: dt, Nullable: true})
	}
	meta := arrow.MetadataFrom(map[string]string{metaKind: kind})
	return arrow.NewSchema(fields, &meta)
}

// newChunk consumes the columns of b.
func newChunk(checkpoint uint64, schema *arrow.Schema, b vec.Batch) Chunk {
	c := Chunk{Checkpoint: checkpoint, KeyGroups: keyGroupsOf(vec.Values[uint64](b.Cols[0]))}
	c.Record = array.NewRecord(schema, b.Cols, int64(b.Rows))
	b.Release()
	return c
}

// keyGroupsOf is the smallest range that holds the key groups of hashes.
func keyGroupsOf(hashes []uint64) vec.KeyGroupRange {
	r := vec.KeyGroupRange{Lo: vec.KeyGroups}
	for _, h := range hashes {
		g := vec.KeyGroup(h)
		r.Lo, r.Hi = min(r.Lo, g), max(r.Hi, g+1)
	}
	return r
}

// sizeOf is the bytes of the columns' buffers.
func sizeOf(cols []arrow.Array) int {
	n := uint64(0)
	for _, c := range cols {
		n += c.Data().SizeInBytes()
	}
	return int(n)
}
