package exec

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"streamsql/checkpoint"
	"streamsql/exec/vec"
)

// node is one operator of a task with what follows it: operators called directly, and outlets to other tasks. The nodes of a
// task form a tree.
type node struct {
	op       Operator
	vertex   int // index in the plan; -1 for a side
	context  *Context
	children []*node
	sides    []*node // fed through Context.Side
	outlets  []*outlet
}

// below lists the operators of the task that follow this one.
func (n *node) below() []*node {
	if len(n.sides) == 0 {
		return n.children
	}
	return append(slices.Clip(n.children), n.sides...)
}

// side is the Emitter of what leaves the main flow.
type side struct{ to *node }

func (s side) Emit(b vec.Batch) error { return s.to.process(0, b) }

// Emit passes on what the operator puts out.
func (n *node) Emit(b vec.Batch) error {
	if b.Len() == 0 {
		b.Release()
		return nil
	}
	n.context.Counters.RowsOut.Add(int64(b.Len()))
	last := len(n.children) + len(n.outlets) - 1
	if last < 0 {
		b.Release()
		return nil
	}
	for i := 0; i <= last; i++ {
		out := b
		if i < last {
			out = b.Retain()
		}
		if err := n.forward(i, out); err != nil {
			if i < last {
				b.Release()
			}
			return err
		}
	}
	return nil
}

func (n *node) forward(i int, b vec.Batch) error {
	if i < len(n.children) {
		return n.children[i].process(0, b)
	}
	return n.outlets[i-len(n.children)].emit(b)
}

func (n *node) process(input int, b vec.Batch) error {
	n.context.Counters.RowsIn.Add(int64(b.Len()))
	return n.wrap(n.op.Process(input, b, n))
}

// watermark lets the operator act on a risen watermark, then passes it on.
func (n *node) watermark(w Watermark) error {
	n.context.Counters.Watermark.Store(w.Time)
	if err := n.op.Watermark(w.Time, n); err != nil {
		return n.wrap(err)
	}
	for _, c := range n.below() {
		if err := c.watermark(w); err != nil {
			return err
		}
	}
	for _, o := range n.outlets {
		if err := o.watermark(w); err != nil {
			return err
		}
	}
	return nil
}

// snapshot freezes the subtree's state in chain order and sends the barrier on, appending the frozen state to snapshots.
func (n *node) snapshot(b checkpoint.Barrier, snapshots []Snapshot) ([]Snapshot, error) {
	s, err := n.op.Snapshot(b.ID, n)
	if err != nil {
		return snapshots, n.wrap(err)
	}
	if s != nil {
		snapshots = append(snapshots, s)
	}
	if len(n.context.draws.programs) > 0 {
		snapshots = append(snapshots, small{n.context.draws.state(n.context.Vertex)})
	}
	for _, c := range n.below() {
		if snapshots, err = c.snapshot(b, snapshots); err != nil {
			return snapshots, err
		}
	}
	for _, o := range n.outlets {
		if err := o.barrier(b); err != nil {
			return snapshots, err
		}
	}
	return snapshots, nil
}

func (n *node) flush() error {
	if err := n.op.Flush(n); err != nil {
		return n.wrap(err)
	}
	for _, c := range n.below() {
		if err := c.flush(); err != nil {
			return err
		}
	}
	return nil
}

// settle tells every operator with keyed state what became of a snapshot.
func (n *node) settle(o outcome) {
	if k, ok := n.op.(keyed); ok {
		if o.ok {
			k.Written(o.id)
		} else {
			k.Lost(o.id)
		}
	}
	for _, c := range n.below() {
		c.settle(o)
	}
}

func (n *node) committed(ctx context.Context, id checkpoint.ID) error {
	if c, ok := n.op.(committer); ok {
		if err := c.Committed(ctx, id); err != nil {
			return n.wrap(err)
		}
	}
	for _, c := range n.below() {
		if err := c.committed(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// open opens the subtree, last operator first, so that nobody is handed a batch before it is open.
func (n *node) open() error {
	for _, c := range n.below() {
		if err := c.open(); err != nil {
			return err
		}
	}
	return n.wrap(n.op.Open(n.context))
}

func (n *node) close() error {
	err := n.op.Close()
	for _, c := range n.below() {
		err = errors.Join(err, c.close())
	}
	return err
}

// vertexError says at which vertex an error arose. It is wrapped once.
type vertexError struct {
	vertex string
	err    error
}

func (e *vertexError) Error() string { return fmt.Sprintf("%s: %v", e.vertex, e.err) }

func (e *vertexError) Unwrap() error { return e.err }

func (n *node) wrap(err error) error {
	var at *vertexError
	if err == nil || errors.Is(err, errClosed) || errors.As(err, &at) {
		return err
	}
	return &vertexError{vertex: n.context.Vertex, err: err}
}
