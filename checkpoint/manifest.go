package checkpoint

import (
	"time"
)

// Manifest describes one completed checkpoint: everything needed to go on from it, and to tell what it is.
type Manifest struct {
	Job     string    `json:"job"`
	ID      ID        `json:"id"`
	Attempt Attempt   `json:"attempt"`
	Created time.Time `json:"created"` // when it began
	Engine  string    `json:"engine"`  // version of the engine
	SQL     string    `json:"sql"`     // the statement the job runs, with the tables and views it refers to
	Seed    uint64    `json:"seed"`    // of the job's random functions
	Plan    Plan      `json:"plan"`
	// Tasks holds the state of every task.
	Tasks []TaskState `json:"tasks"`
	// Final says that the job has read all its input: there is nothing to go on with.
	Final    bool          `json:"final,omitempty"`
	Duration time.Duration `json:"duration"` // from the beginning to the last acknowledgement, nanoseconds
	Bytes    int64         `json:"bytes"`    // written for this checkpoint
}

// Plan is what a manifest knows of the physical plan, to compare it with the one that is to go on.
type Plan struct {
	Fingerprint string         `json:"fingerprint"`
	Vertices    []PlanVertex   `json:"vertices"`
	Operators   []PlanOperator `json:"operators"`
}

// PlanVertex is a vertex of the plan with the number of its tasks.
type PlanVertex struct {
	Vertex      string `json:"vertex"`
	Parallelism int    `json:"parallelism"`
}

// PlanOperator is an operator of the plan that keeps state.
type PlanOperator struct {
	Operator    string `json:"operator"`
	Vertex      string `json:"vertex"`
	Signature   string `json:"signature,omitempty"`
	Description string `json:"description"` // for people
}

// Chunks lists the references to chunks of all tasks.
func (m *Manifest) Chunks() []Chunk {
	var chunks []Chunk
	for _, t := range m.Tasks {
		for _, o := range t.Operators {
			chunks = append(chunks, o.Chunks...)
		}
	}
	return chunks
}
