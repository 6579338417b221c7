// Package session is the engine as a Go library: statements in, results out. An Engine has a data directory, with the persistent
// tables and the jobs; a Session has settings and temporary tables, and executes statements.
package session

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/catalog"
	"streamsql/internal/settings"
	"streamsql/parser"
	"streamsql/storage"
)

// Options are what a session starts with.
type Options struct {
	// Dir is the directory that relative paths start from.
	Dir string
	// Persist lets CREATE put objects into the data directory. Otherwise every object is temporary and ends with the session,
	// so that a file of statements can be run again and again.
	Persist bool
	// FinalResult tells that of a query that ends only the final result is read, so that it need not tell each change.
	FinalResult bool
	// Settings are the settings SET starts from.
	Settings settings.Values
	// Alloc is where the memory of jobs and results comes from; nil is a pool of the process.
	Alloc memory.Allocator
	// Note is told, in a line each, what a user should know beside the results; nil drops it.
	Note func(string)
	// Warn is Note for what a user should know even who wants no notes: trouble that did not end a statement; nil is Note.
	Warn func(string)
}

// Session executes statements, one at a time. Its methods are for one goroutine.
type Session struct {
	engine   *Engine
	options  Options
	settings settings.Values
	objects  *catalog.Catalog
	version  int     // of the engine's persistent objects that are in the catalog
	remote   *remote // nil unless another process has the data directory
	jobs     []*Job  // started by the session
}

// NewSession returns a session of the engine. It must be closed.
func (e *Engine) NewSession(o Options) *Session {
	s := &Session{engine: e, options: o, settings: o.Settings.Clone()}
	s.objects = catalog.New(objectStore{e})
	return s
}

// Settings returns the session's settings. They must not be changed.
func (s *Session) Settings() settings.Values { return s.settings }

// Jobs returns the jobs the session has started, oldest first.
func (s *Session) Jobs() []*Job { return s.jobs }

// Close ends the session. Jobs it has started run on.
func (s *Session) Close() error {
	if s.remote == nil {
		return nil
	}
	return s.remote.close()
}

// Execute runs the statements of a text and yields the result of each. A text with a statement that cannot be parsed is refused
// as a whole. The result belongs to the loop's body and is closed after it. An error is the last thing that is yielded.
func (s *Session) Execute(ctx context.Context, src Source) iter.Seq2[*Result, error] {
	return s.executeFrom(ctx, src, 0)
}

// executeFrom is Execute for a text that has already started a number of jobs.
func (s *Session) executeFrom(ctx context.Context, src Source, started int) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		trees, err := parser.Parse(src.Name, src.Text)
		if err != nil {
			yield(nil, err)
			return
		}
		text := &script{src, started}
		for _, tree := range trees {
			result, err := s.execute(ctx, statement{text, tree})
			if !yield(result, err) || err != nil {
				closeResult(result)
				return
			}
			closeResult(result)
		}
	}
}

func closeResult(r *Result) {
	if r != nil {
		_ = r.Close() // what went wrong with the rows has been told by Next
	}
}

// execute runs one statement, here or where the data directory is open.
func (s *Session) execute(ctx context.Context, st statement) (*Result, error) {
	if s.remote != nil {
		return s.executeThere(ctx, st)
	}
	result, err := s.executeHere(ctx, st)
	if !errors.Is(err, storage.ErrLocked) {
		return result, err
	}
	if err := s.attach(ctx, err); err != nil {
		return nil, err
	}
	if s.remote == nil { // the other process has just left
		return s.executeHere(ctx, st)
	}
	return s.executeThere(ctx, st)
}

// executeHere runs one statement in this process. A panic is a bug; it must not take down the jobs of others.
func (s *Session) executeHere(ctx context.Context, st statement) (result *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fmt.Errorf("bug in streamsql: %v\n%s", p, debug.Stack())
		}
	}()
	run, err := command(st)
	if err != nil {
		return nil, err
	}
	if err := s.refresh(st); err != nil {
		return nil, err
	}
	return run(ctx, s, st)
}

// warn tells the user of trouble.
func (s *Session) warn(text string) {
	if s.options.Warn == nil {
		s.note(text)
		return
	}
	s.options.Warn(text)
}

// note tells the user something.
func (s *Session) note(text string) {
	if s.options.Note != nil {
		s.options.Note(text)
	}
}
