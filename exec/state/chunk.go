package state

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
)

// Chunk is a piece of a snapshot: a record in the format of package chunk, about in the order of the hashes. It is to be restored
// from by the record alone.
type Chunk struct {
	Checkpoint uint64
	KeyGroups  vec.KeyGroupRange // of its rows
	Record     arrow.Record
}

// maxChunk is the bytes above which a chunk is cut, so that with what Arrow adds it is at most 256 KiB. A single row may be larger.
const maxChunk = 248 << 10

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
