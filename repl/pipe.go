package repl

import (
	"os/signal"
	"syscall"
)

// ignoreClosedPipes lets a write to a pipe that nobody reads fail with an error instead of killing the process, which may have
// jobs that want a last checkpoint.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
