package exec

import (
	"streamsql/checkpoint"
	"streamsql/connector"
	"streamsql/exec/vec"
)

// message is what passes through a gate. In-band messages (data, Watermark, checkpoint.Barrier, the fragments of a reader) keep
// their order within one input; control messages (inject, committed, aborted, tick) overtake all of them.
type message any

// data hands a batch over; the receiver owns it.
type data struct{ batch vec.Batch }

// Watermark promises that no row with an event time before Time will follow on the same input. An Idle input says no more than
// that, and is left out of the minimum until it speaks again.
type Watermark struct {
	Time int64 // milliseconds
	Idle bool
}

// fragment is what a split's reader read.
type fragment struct{ connector.Fragment }

// splitEnd tells that a split's reader has stopped: at the end of the split (err nil) or for an error.
type splitEnd struct{ err error }

// inject asks a source task to start a checkpoint.
type inject struct{ barrier checkpoint.Barrier }

// committed and aborted tell every task how a checkpoint ended.
type committed struct{ id checkpoint.ID }

type aborted struct{ id checkpoint.ID }

// tick lets a task look at the clock.
type tick struct{}
