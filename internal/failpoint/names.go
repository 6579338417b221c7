package failpoint

// The failpoints of the program, each named after the step it stands before, inside or behind.
const (
	// ChunkWrite: a batch of state chunks is about to be written.
	ChunkWrite = "chunk-write"
	// BeforeManifest: every task has acknowledged and every chunk is durable, the manifest is not.
	BeforeManifest = "checkpoint-before-manifest"
	// InsideManifest: the manifest is on its way to disk and nobody knows whether it arrived.
	InsideManifest = "checkpoint-inside-manifest"
	// AfterManifest: the manifest is durable and no task has been told.
	AfterManifest = "checkpoint-after-manifest"
	// Retain: the checkpoint is done, what it made superfluous is about to be deleted.
	Retain = "checkpoint-retain"
	// SavepointBeforeRename: a savepoint is complete under its temporary name.
	SavepointBeforeRename = "savepoint-before-rename"
	// SinkBeforeCommit: a checkpoint is durable and a sink is about to make its output of it visible.
	SinkBeforeCommit = "sink-before-commit"
	// SinkAfterCommit: a sink has made its output of a checkpoint visible.
	SinkAfterCommit = "sink-after-commit"
	// Restore: a job has chosen the checkpoint it starts from and loads its state.
	Restore = "restore"
)

// Names lists every failpoint.
var Names = []string{
	ChunkWrite, BeforeManifest, InsideManifest, AfterManifest, Retain, SavepointBeforeRename, SinkBeforeCommit, SinkAfterCommit,
	Restore,
}
