package checkpoint

// A chunk of keyed state is an Arrow IPC stream of one record, uncompressed, followed by the CRC32C of the stream in four
// little-endian bytes, which readers of the stream ignore. Its first column is the hash of the key, the next ones are the key's
// columns, the others the state of the group. A chunk of deleted rows names groups by hash and key; it need not have the other
// columns. A key occurs at most once among the chunks a task wrote for one checkpoint, unless the later chunk in the task's chain
// is meant to win.
//
// The schema's metadata says the rest.
const (
	// HashColumn is the name of the first column, uint64. Its top seven bits are the key group.
	HashColumn = "hash"
	// MetaRows is the metadata key that says what the rows are: RowsLive or RowsDeleted.
	MetaRows = "streamsql.rows"
	// MetaKeys is the metadata key of the number of key columns, decimal.
	MetaKeys = "streamsql.keys"

	RowsLive    = "live"
	RowsDeleted = "deleted"
)

// keyGroups is the number of key groups, and keyGroup the one a hash belongs to.
const keyGroups = 128

func keyGroup(hash uint64) int { return int(hash >> 57) }
