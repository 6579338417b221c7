package exec

import (
	"time"

	"streamsql/checkpoint"
)

// aligner holds a checkpoint's barriers together: an input that has delivered its barrier is blocked until all have, so that the
// state snapshotted then is that of exactly the rows before the barriers (the exactly-once alignment of Chandy and Lamport's
// algorithm as Flink uses it). Barriers of a checkpoint that is over or was aborted are ignored; a newer one supersedes.
type aligner struct {
	gate    *gate
	inputs  int
	over    checkpoint.ID // the newest checkpoint that is complete here or aborted
	current checkpoint.ID // 0: none
	arrived []bool
	missing int
	since   time.Time
}

func newAligner(g *gate, inputs int) *aligner {
	return &aligner{gate: g, inputs: inputs, arrived: make([]bool, inputs)}
}

// barrier notes that the input delivered b, and reports whether it was the last, after which every input is served again.
func (a *aligner) barrier(input int, b checkpoint.Barrier) (aligned bool, took time.Duration) {
	if b.ID <= a.over || b.ID < a.current {
		return false, 0
	}
	if b.ID > a.current {
		a.release()
		a.current, a.missing, a.since = b.ID, a.inputs, time.Now()
	}
	if a.arrived[input] {
		return false, 0
	}
	a.arrived[input] = true
	if a.missing--; a.missing > 0 {
		a.gate.block(input, true)
		return false, 0
	}
	took = time.Since(a.since)
	a.finish(b.ID)
	return true, took
}

// finish ends the alignment of id, or keeps it from starting.
func (a *aligner) finish(id checkpoint.ID) {
	a.over = max(a.over, id)
	if a.current != 0 && a.current <= a.over {
		a.release()
		a.current = 0
	}
}

// release serves every input again.
func (a *aligner) release() {
	for i, arrived := range a.arrived {
		if arrived {
			a.arrived[i] = false
			a.gate.block(i, false)
		}
	}
}
