// Package checkpoint decides when a checkpoint begins, completes and fails, and keeps what makes one: its manifest, the attempt
// that fences older ones out, and the savepoints made from it. It knows tasks by name and state by bytes; it never sees an
// operator.
package checkpoint

// ID numbers the checkpoints of a job from 1, ever growing, over restarts too. No number is used twice.
type ID uint64

// Attempt numbers the starts of a job. It is raised in a transaction at each start, and a manifest of an older attempt is refused.
type Attempt uint64

// Barrier travels in-band from the sources to every task and divides the rows of one checkpoint from those of the next.
type Barrier struct {
	ID ID
	// Stop ends every task once the checkpoint is complete.
	Stop bool
}

// TaskID names one subtask of a vertex of the physical plan.
type TaskID struct {
	Vertex  string
	Subtask int
}

// TaskState is what one task puts into a checkpoint.
type TaskState struct {
	Task      TaskID
	Watermark int64 // the task's combined watermark at the barrier, milliseconds
	Operators []OperatorState
	Timing    Timing
}

// OperatorState is one operator's share of a TaskState, found again by the operator's stable name.
type OperatorState struct {
	Operator string
	// Signature describes the state's layout (key and state types, aggregate calls); state is only ever given back to an
	// operator of the same name and signature.
	Signature string
	Chunks    []Chunk      // keyed state: every live chunk, oldest checkpoint first
	Splits    []SplitState // sources
	Handle    []byte       // a sink's prepared transaction; nil if it wrote nothing
	Blob      []byte       // any other small state
}

// Chunk names an immutable piece of keyed state in the chunk store.
type Chunk struct {
	Key        string
	Checkpoint ID // the checkpoint the chunk was written for
	KeyGroups  [2]int
	Rows       int
	Bytes      int
	CRC        uint32 // Castagnoli, of the stored bytes
}

// SplitState is how far a source has read one split.
type SplitState struct {
	Split     string
	Data      []byte
	Position  []byte // nil: nothing read yet
	Done      bool   // read to its end
	Watermark int64
}

// Timing tells where a task's share of a checkpoint spent its time, in nanoseconds, and how much it wrote.
type Timing struct {
	StartDelay, Alignment, Sync, Async int64
	Bytes                              int64 // written for this checkpoint
	Rows                               int64
}
