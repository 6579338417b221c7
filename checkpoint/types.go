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
	// Stop ends every task once the checkpoint is complete. Should it be aborted, the tasks go on.
	Stop bool
	// Drain, with Stop, has the sources send the last watermark before the barrier, so that open windows fire.
	Drain bool
}

// TaskID names one subtask of a vertex of the physical plan.
type TaskID struct {
	Vertex  string `json:"vertex"`
	Subtask int    `json:"subtask"`
}

// TaskState is what one task puts into a checkpoint.
type TaskState struct {
	Task      TaskID          `json:"task"`
	Watermark int64           `json:"watermark"` // the task's combined watermark at the barrier, milliseconds
	Operators []OperatorState `json:"operators,omitempty"`
	Timing    Timing          `json:"timing"`
}

// OperatorState is one operator's share of a TaskState, found again by the operator's stable name.
type OperatorState struct {
	Operator string `json:"operator"`
	// Signature describes the state's layout (key and state types, aggregate calls); state is only ever given back to an
	// operator of the same name and signature.
	Signature string       `json:"signature,omitempty"`
	Chunks    []Chunk      `json:"chunks,omitempty"`  // keyed state: every live chunk, oldest checkpoint first
	Splits    []SplitState `json:"splits,omitempty"`  // sources
	Handles   [][]byte     `json:"handles,omitempty"` // a sink's prepared transactions not known to be committed, oldest first
	Blob      []byte       `json:"blob,omitempty"`    // any other small state
}

// Chunk is a reference to an immutable piece of keyed state in a chunk store. Several references to one chunk may exist: after
// a restore at another parallelism each task refers to its share of it.
type Chunk struct {
	Key        string `json:"key"`
	Checkpoint ID     `json:"checkpoint"` // the checkpoint the chunk was written for
	// KeyGroups is the half-open range of the key groups whose rows count. Rows outside of it are another task's, or stale:
	// a reader drops them. A task that takes over a reference narrows it to what it owns; see Narrow.
	KeyGroups [2]int `json:"keyGroups"`
	Rows      int    `json:"rows"`
	Bytes     int    `json:"bytes"`
	// CRC is the CRC-32 (IEEE) of the stored bytes. It is not the Castagnoli one because the bytes end with that of what is
	// before it, which would make it the same for all chunks.
	CRC uint32 `json:"crc32"`
}

// Narrow restricts the reference to the key groups in [lo, hi). It reports false if none of its key groups is in there.
func (c Chunk) Narrow(lo, hi int) (Chunk, bool) {
	c.KeyGroups = [2]int{max(lo, c.KeyGroups[0]), min(hi, c.KeyGroups[1])}
	return c, c.KeyGroups[0] < c.KeyGroups[1]
}

// SplitState is how far a source has read one split.
type SplitState struct {
	Split     string `json:"split"`
	Data      []byte `json:"data,omitempty"`
	Position  []byte `json:"position,omitempty"` // nil: nothing read yet
	Done      bool   `json:"done,omitempty"`     // read to its end
	Watermark int64  `json:"watermark"`
}

// Timing tells where a task's share of a checkpoint spent its time, in nanoseconds, and how much it wrote.
type Timing struct {
	StartDelay int64 `json:"startDelay"`
	Alignment  int64 `json:"alignment"`
	Sync       int64 `json:"sync"`
	Async      int64 `json:"async"`
	Bytes      int64 `json:"bytes"` // written for this checkpoint
	Rows       int64 `json:"rows"`
}
