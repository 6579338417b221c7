package checkpoint

// A chunk of keyed state is an Arrow IPC stream of one record, uncompressed. Its first column is the hash of the key, the next
// ones are the key's columns, the others the state of the group. A chunk of tombstones names groups that have been deleted, by
// hash and key; it has no other columns. A key occurs at most once in a chunk, and in the chunks a task wrote for one
// checkpoint.
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
