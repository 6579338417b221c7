package checkpoint

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// A chunk of keyed state is an Arrow IPC stream of one record, uncompressed, followed by the CRC32C of the stream in four
// little-endian bytes, which readers of the stream ignore. The operators' state writes and reads chunks by the same format; here
// they are only decoded to be merged into a savepoint.
//
// The first column is the hash of the key, uint64, its top seven bits the key group. The next ones, key0, key1, …, are the key,
// the others the state of the group. A chunk of tombstones names groups that have been deleted, by hash and key, and has no
// other columns. Where a key is in several chunks of a task's chain, the last one counts.
const (
	hashColumn = "hash"
	keyColumn  = "key%d"
	// metaChunk is the key of the schema's metadata that says what the rows are.
	metaChunk       = "streamsql.chunk"
	chunkRows       = "rows"
	chunkTombstones = "tombstones"
)

// keyGroups is the number of key groups, and keyGroup the one a hash belongs to.
const keyGroups = 128

func keyGroup(hash uint64) int { return int(hash >> 57) }

// chunkShape reads from a chunk's schema how many columns the key has and whether the rows are tombstones.
func chunkShape(s *arrow.Schema) (keys int, tombstones bool, err error) {
	if s.NumFields() == 0 || s.Field(0).Name != hashColumn || s.Field(0).Type.ID() != arrow.UINT64 {
		return 0, false, fmt.Errorf("the first column is not %s of type uint64", hashColumn)
	}
	for keys+1 < s.NumFields() && s.Field(keys+1).Name == fmt.Sprintf(keyColumn, keys) {
		keys++
	}
	switch kind, _ := s.Metadata().GetValue(metaChunk); kind {
	case chunkRows:
		return keys, false, nil
	case chunkTombstones:
		return keys, true, nil
	default:
		return 0, false, fmt.Errorf("%s is %q, neither %s nor %s", metaChunk, kind, chunkRows, chunkTombstones)
	}
}
