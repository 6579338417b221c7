package exec

import "streamsql/exec/vec"

// collect hands its input to the session.
type collect struct {
	Base
	deliver func(vec.Batch) error
}

func (c *collect) Process(_ int, b vec.Batch, _ Emitter) error { return c.deliver(b) }
