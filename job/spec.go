// Package job runs one physical plan: builds it, supervises its tasks, takes its checkpoints, and starts it again from the newest
// one when it fails.
package job

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/checkpoint"
	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
	"streamsql/plan"
	"streamsql/storage"
)

// Spec is a job to run.
type Spec struct {
	Name  string // unique among the jobs of a store; checkpoints are found again by it
	SQL   string // the statement with the tables and views it refers to
	Graph *plan.Graph

	Parallelism int // of the vertices that leave it open
	BatchRows   int
	Settings    expr.Settings
	Alloc       memory.Allocator // nil: a pool that all such jobs of the process share

	Checkpoint checkpoint.Config
	Restart    checkpoint.RestartStrategy
	// Store keeps the checkpoints. Without one the job cannot be resumed and takes none, but for the last barrier.
	Store   *storage.Store
	Restore Restore

	// Collect takes the batches of the plan's Collect vertex, which it owns then, from one goroutine.
	Collect func(vec.Batch) error
	// Errors makes the sink of undecodable records of a table whose on.error is dead-letter; nil only counts them.
	Errors func(connector.Table) (connector.Sink, error)
	// Notice is told what the user may want to know: where the job resumes; Warn what the user should: checkpoints that had to be
	// skipped, failures and restarts.
	Notice, Warn func(string)
}

// Restore says where a job starts. The zero value resumes from the job's newest complete checkpoint, or starts fresh if there
// is none or the job had finished.
type Restore struct {
	Fresh      bool
	Savepoint  string        // directory of a savepoint
	Checkpoint checkpoint.ID // a retained checkpoint of the job
	Mismatch   Mismatch
	// IgnoreMissingOutput goes on where output that the state tells of is not there any more.
	IgnoreMissingOutput bool
}

// Mismatch is what becomes of state that the job's plan has no place for, and of operators that find none.
type Mismatch int

// Refuse stops with the list of what differs, IgnoreState drops what does not fit and starts such operators empty.
const (
	Refuse Mismatch = iota
	IgnoreState
)

// pool is where the memory of jobs without an allocator of their own comes from.
var pool = vec.NewPool(0, nil)

// alloc is the job's allocator.
func (s Spec) alloc() memory.Allocator {
	if s.Alloc == nil {
		return pool
	}
	return s.Alloc
}

// tickInterval is how often sources look at the clock.
const tickInterval = 100 * time.Millisecond
