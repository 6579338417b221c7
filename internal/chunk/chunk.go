// Package chunk is the format of the chunks of keyed state: what the operators' state writes and reads, and what savepoints are
// merged from.
//
// A chunk is an Arrow IPC stream of one record, uncompressed, followed by the CRC32C of the stream in four little-endian bytes,
// which readers of the stream ignore. The first column is the hash of the key, its top seven bits the key group. The next ones are
// the key, the others the state of the group. A chunk of tombstones names groups that have been deleted, by hash and key, and has
// no other columns. Where a key is in several chunks, that of the newest checkpoint counts, and of one checkpoint the row rather
// than the tombstone.
package chunk

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// KeyGroups is the number of key groups: the unit in which keyed state moves when the parallelism changes.
const KeyGroups = 128

// KeyGroup is the key group of a hash: its top bits, so that rows in the order of their hashes are in that of their key groups.
func KeyGroup(hash uint64) int { return int(hash >> 57) }

// Kind is what the rows of a chunk are.
type Kind string

// The kinds of chunks.
const (
	Rows       Kind = "rows"
	Tombstones Kind = "tombstones"
)

const (
	hashColumn  = "hash"
	keyColumn   = "key%d"
	stateColumn = "state%d"
	// metaKind is the key of the schema's metadata whose value is the Kind.
	metaKind = "streamsql.chunk"
)

// Schema is the schema of the chunks of a kind. Those of tombstones have no states.
func Schema(kind Kind, keys, states []arrow.DataType) *arrow.Schema {
	fields := []arrow.Field{{Name: hashColumn, Type: arrow.PrimitiveTypes.Uint64}}
	for i, dt := range keys {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf(keyColumn, i), Type: dt, Nullable: true})
	}
	for i, dt := range states {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf(stateColumn, i), Type: dt, Nullable: true})
	}
	meta := arrow.NewMetadata([]string{metaKind}, []string{string(kind)})
	return arrow.NewSchema(fields, &meta)
}

// Shape reads from a schema what the rows are and how many columns the key has.
func Shape(s *arrow.Schema) (kind Kind, keys int, err error) {
	if s.NumFields() == 0 || s.Field(0).Name != hashColumn || s.Field(0).Type.ID() != arrow.UINT64 {
		return "", 0, fmt.Errorf("the first column is not %s of type uint64", hashColumn)
	}
	for keys+1 < s.NumFields() && s.Field(keys+1).Name == fmt.Sprintf(keyColumn, keys) {
		keys++
	}
	value, _ := s.Metadata().GetValue(metaKind)
	switch kind = Kind(value); kind {
	case Rows, Tombstones:
		return kind, keys, nil
	}
	return "", 0, fmt.Errorf("%s is %q, neither %s nor %s", metaKind, value, Rows, Tombstones)
}
