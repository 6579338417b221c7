package exec

import (
	"streamsql/checkpoint"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// port is one input of another task's gate.
type port struct {
	gate  *gate
	input int
}

// outlet carries a task's output along one edge of the plan.
type outlet struct {
	exchange plan.Exchange
	ports    []port // one per receiving subtask; only the own one for a forward edge
	turn     int    // rebalance: port of the next batch
	hashes   []uint64
	parts    [][]uint32
}

// emit consumes the batch.
func (o *outlet) emit(b vec.Batch) error {
	if b.Len() == 0 {
		b.Release()
		return nil
	}
	if len(o.ports) == 1 {
		return o.send(0, b)
	}
	switch o.exchange.Kind {
	case plan.Hash:
		return o.scatter(b)
	case plan.Broadcast:
		for i := 1; i < len(o.ports); i++ {
			if err := o.send(i, b.Retain()); err != nil {
				b.Release()
				return err
			}
		}
		return o.send(0, b)
	default:
		o.turn = (o.turn + 1) % len(o.ports)
		return o.send(o.turn, b)
	}
}

// scatter gives every subtask the same shared batch with the selection of the rows it owns.
func (o *outlet) scatter(b vec.Batch) error {
	defer b.Release()
	o.hashes = vec.Hash(pick(b, o.exchange.Keys), b.Rows, b.Sel, o.hashes)
	if o.parts == nil {
		o.parts = make([][]uint32, len(o.ports))
	}
	vec.Partition(o.hashes, b, len(o.ports), o.parts)
	for i, sel := range o.parts {
		if len(sel) == 0 {
			continue
		}
		if err := o.send(i, b.Retain().Select(sel)); err != nil {
			return err
		}
	}
	return nil
}

func (o *outlet) send(i int, b vec.Batch) error {
	return o.ports[i].gate.send(o.ports[i].input, data{b})
}

// broadcast sends a watermark or barrier to every receiver, behind all data sent before.
func (o *outlet) broadcast(m message) error {
	for _, p := range o.ports {
		if err := p.gate.send(p.input, m); err != nil {
			return err
		}
	}
	return nil
}

func (o *outlet) watermark(w Watermark) error { return o.broadcast(w) }

func (o *outlet) barrier(b checkpoint.Barrier) error { return o.broadcast(b) }
