package exec

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/checkpoint"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
)

// Operator transforms batches. All calls come from one goroutine, in this order: Open once; then Process, Watermark, Snapshot
// and Flush as messages arrive; Close once, also after an error. An operator embeds Base for what it does not care about.
type Operator interface {
	Open(*Context) error
	// Process consumes the batch, which came in on the given input.
	Process(input int, b vec.Batch, out Emitter) error
	// Watermark is called when the minimum over the inputs has risen to time, before it is passed on. vec.MaxTime, the last,
	// means that no more rows will come.
	Watermark(time int64, out Emitter) error
	// Snapshot freezes the operator's state as of the barrier, which follows whatever it emits. A nil Snapshot means there is
	// nothing to keep. It must not take long: what takes time goes into the Snapshot's Sweep.
	Snapshot(id checkpoint.ID, out Emitter) (Snapshot, error)
	// Flush emits what is held back for the sake of larger batches; it is called when the task runs out of input.
	Flush(out Emitter) error
	Close() error
}

// Emitter takes what an operator puts out. Emit consumes the batch; empty batches are dropped.
type Emitter interface {
	Emit(b vec.Batch) error
}

// Snapshot is operator state frozen at a barrier and not yet written. Its methods run on the task's goroutine, between batches.
type Snapshot interface {
	// Sweep writes about so many rows through Context.Chunks and reports whether all are written.
	Sweep(rows int) (done bool, err error)
	// State is what goes into the manifest, once Sweep is done.
	State() checkpoint.OperatorState
}

// committer is an operator that acts when a checkpoint is complete.
type committer interface {
	Committed(ctx context.Context, id checkpoint.ID) error
}

// keyed is an operator with keyed state, which is told what became of the chunks it wrote: all of a checkpoint's are durable, or
// some are lost, and what they held has to be written again.
type keyed interface {
	Written(id checkpoint.ID)
	Lost(id checkpoint.ID)
}

// Context is an operator's view of the job.
type Context struct {
	context.Context // cancelled when the job ends or fails

	Vertex      string
	Signature   string
	Subtask     int
	Parallelism int
	KeyGroups   vec.KeyGroupRange

	Alloc    memory.Allocator
	Rows     int // largest number of rows of an emitted batch
	Settings expr.Settings
	Counters *Counters

	// Durable reports whether snapshots are kept; Chunks writes those of this operator.
	Durable bool
	Chunks  ChunkWriter
	// Side takes rows that leave the main flow, such as undecodable records; nil if nobody wants them.
	Side Emitter

	// Restored is the state of all former subtasks of this operator, nil for a fresh start; Read fetches their chunks. Foreign
	// ones are not the job's own and must not be named again.
	Restored []checkpoint.OperatorState
	Read     func(checkpoint.Chunk) ([]byte, error)
	Foreign  bool

	draws draws
}

// ChunkWriter writes pieces of an operator's keyed state in the background. A write is durable when the task's ack leaves.
type ChunkWriter interface {
	Write(id checkpoint.ID, keyGroups vec.KeyGroupRange, rows int, data []byte) checkpoint.Chunk
}

// Base supplies every method of Operator but Process.
type Base struct{}

func (Base) Open(*Context) error { return nil }

func (Base) Watermark(int64, Emitter) error { return nil }

func (Base) Snapshot(checkpoint.ID, Emitter) (Snapshot, error) { return nil, nil }

func (Base) Flush(Emitter) error { return nil }

func (Base) Close() error { return nil }

// small is the Snapshot of an operator whose state is already at hand.
type small struct{ state checkpoint.OperatorState }

func (small) Sweep(int) (bool, error) { return true, nil }

func (s small) State() checkpoint.OperatorState { return s.state }
