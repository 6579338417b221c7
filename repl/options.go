// Package repl is the engine at a terminal: statements from files, arguments, pipes or a prompt go into a session, results come
// out as tables, JSON or CSV.
package repl

import (
	"io"

	"streamsql/internal/settings"
	"streamsql/session"
)

// Exit statuses of the program.
const (
	ExitOK          = 0
	ExitFailed      = 1 // a statement or a job
	ExitUsage       = 2
	ExitInterrupted = 130
)

// Options are what the command line gives.
type Options struct {
	DataDir string
	// Dir is the directory that relative paths in statements start from.
	Dir      string
	Settings settings.Values
	Format   Format
	Quiet    bool // results and errors only
	NoColor  bool
	In       io.Reader
	Out, Err io.Writer
}

// session is what the options make a session of.
func (o Options) session(persist bool, live bool, c *console) session.Options {
	return session.Options{
		Dir: o.Dir, Persist: persist, Settings: o.Settings, Note: c.note, Warn: c.print,
		FinalResult: o.Format != Changelog && !live,
	}
}
