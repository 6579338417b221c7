package exec

import (
	"context"

	"streamsql/checkpoint"
	"streamsql/connector"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// sink writes its input to a table. A transactional writer prepares at each barrier and commits when the checkpoint is
// complete; what was prepared for a checkpoint that came to nothing is committed with the next one that does.
type sink struct {
	Base
	op      *plan.Sink
	table   connector.Sink
	context *Context
	writer  connector.Writer
	tx      connector.Transaction // the writer, if it has transactions
	waiting []prepared
}

// prepared is a transaction that waits for its checkpoint to complete.
type prepared struct {
	id     checkpoint.ID
	handle []byte
}

func (s *sink) Open(c *Context) (err error) {
	s.context = c
	if s.writer, err = s.table.Open(c, c.Subtask); err != nil {
		return err
	}
	if c.Durable {
		s.tx, _ = s.writer.(connector.Transaction)
	}
	return nil
}

func (s *sink) Process(_ int, b vec.Batch, _ Emitter) (err error) {
	if len(s.op.NotNull) > 0 {
		if b, err = s.keepNotNull(b); err != nil {
			return err
		}
	}
	return s.writer.Write(s.context, b)
}

func (s *sink) Flush(Emitter) error {
	if s.tx != nil {
		return nil
	}
	return s.writer.Flush(s.context)
}

func (s *sink) Snapshot(id checkpoint.ID, _ Emitter) (Snapshot, error) {
	if s.tx == nil {
		return nil, s.writer.Flush(s.context)
	}
	handle, err := s.tx.Prepare(s.context, uint64(id))
	if err != nil {
		return nil, err
	}
	if handle != nil {
		s.waiting = append(s.waiting, prepared{id, handle})
	}
	state := checkpoint.OperatorState{Operator: s.context.Vertex, Signature: s.context.Signature}
	for _, p := range s.waiting {
		state.Handles = append(state.Handles, p.handle)
	}
	return small{state}, nil
}

// Committed commits what the checkpoint covers, in order.
func (s *sink) Committed(ctx context.Context, id checkpoint.ID) error {
	for len(s.waiting) > 0 && s.waiting[0].id <= id {
		if err := s.tx.Commit(ctx, s.waiting[0].handle); err != nil {
			return err
		}
		s.waiting = s.waiting[1:]
	}
	return nil
}

func (s *sink) Close() error {
	if s.writer == nil {
		return nil
	}
	return s.writer.Close()
}
