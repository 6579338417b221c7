package exec

import "streamsql/exec/vec"

// union passes on the rows of all its inputs.
type union struct{ Base }

func (union) Process(_ int, b vec.Batch, out Emitter) error { return out.Emit(b) }
