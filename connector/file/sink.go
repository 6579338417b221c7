package file

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"streamsql/connector"
	"streamsql/connector/format"
)

// sink implements connector.Recoverer. What the rows of one checkpoint become is a part: a hidden file until the checkpoint is
// committed.
type sink struct {
	spec    connector.SinkSpec
	format  *format.Format
	options *connector.Options
	target  target
	start   sync.Mutex
	started bool // the target is ready for writers
}

// target is where parts go: a directory or the end of a single file.
type target interface {
	// begin makes ready for a run that starts from nothing. What is there stays, but with overwrite it goes when the first part is
	// published. What an earlier attempt left unfinished is removed.
	begin(overwrite bool) error
	// resume makes ready to go on from a checkpoint: it publishes the parts of its handles, which are in the order of checkpoints, and
	// takes back those published after it. With ignoreMissing it goes on without what is gone.
	resume(handles []handle, ignoreMissing bool) error
	// open returns the file that a subtask writes to, whose output begins with header.
	open(subtask int, header []byte) (*segment, error)
	// wantsEmpty reports whether the subtask's next part is to be published even if it has no rows.
	wantsEmpty(subtask int) bool
	// part describes the subtask's next part.
	part(subtask int, checkpoint uint64, size int64) part
	// pending is the place of a part before it is published.
	pending(p part) string
	// publish makes a part visible; it may have been made so before, or half. It returns once that is durable.
	publish(p part) error
	// reveal makes the subtask's segment the output itself, or the rest of it.
	reveal(subtask int, s *segment) error
	// stamp fills in what of a handle concerns the target.
	stamp(h *handle)
}

func newSink(spec connector.SinkSpec, o *connector.Options) (connector.Sink, error) {
	f, err := format.Lookup(o.Text(format.Key))
	if err != nil {
		return nil, err
	}
	if f.NewOutput == nil {
		return nil, fmt.Errorf("files of format '%s' can only be read; those that can be written are %s", f.Name, strings.Join(format.Writable(), ", "))
	}
	s := &sink{spec: spec, format: f, options: o}
	if _, err := s.output(); err != nil {
		return nil, err
	}
	if f.Closed && o.Word(compressionKey) != "none" {
		return nil, fmt.Errorf("option '%s': files of format '%s' cannot be packed as a whole; leave it out", compressionKey, f.Name)
	}
	path := o.Text(pathKey)
	full := resolve(spec.Table, path)
	if isDirectory(path, full) {
		s.target = &directory{path: full, job: escape(spec.Job), extension: f.Extension + packedEndings[o.Word(compressionKey)]}
		return s, nil
	}
	if f.Closed {
		return nil, fmt.Errorf("files of format '%s' cannot be appended to; write into a directory, with a path that ends in '/'", f.Name)
	}
	if o.Has(compressionKey) && packedEndings[o.Word(compressionKey)] != packedEndings[compressionName(packing(full))] {
		return nil, fmt.Errorf("option '%s' is %s, but %s is a single file, which is packed as the end of its name says; name it *%s", compressionKey,
			o.Word(compressionKey), path, f.Extension+packedEndings[o.Word(compressionKey)])
	}
	s.target = &single{path: full, job: escape(spec.Job)}
	return s, nil
}

func (s *sink) output() (format.Output, error) {
	return s.format.NewOutput(format.OutputSpec{Schema: s.spec.Schema, Options: s.options})
}

// isDirectory decides what a path is to be that may not exist yet: a directory if it says so or has no extension.
func isDirectory(path, full string) bool {
	if info, err := os.Stat(full); err == nil {
		return info.IsDir()
	}
	return strings.HasSuffix(path, "/") || filepath.Ext(full) == ""
}

// Guarantee implements connector.Sink.
func (s *sink) Guarantee() connector.Guarantee { return connector.ExactlyOnce }

// Changelog implements connector.Sink.
func (s *sink) Changelog() bool { return s.format.Changelog }

// Place implements connector.Exclusive: jobs have files of their own in a directory, but not in a single file.
func (s *sink) Place() string {
	if t, ok := s.target.(*single); ok {
		return t.path
	}
	return ""
}

// MaxParallelism implements connector.Sink.
func (s *sink) MaxParallelism() int {
	if _, ok := s.target.(*single); ok {
		return 1
	}
	return 0
}

// Recover implements connector.Recoverer.
func (s *sink) Recover(_ context.Context, r connector.Recovery) error {
	restored := make([]handle, len(r.Handles))
	for i, data := range r.Handles {
		var err error
		if restored[i], err = parseHandle(data); err != nil {
			return fmt.Errorf("table %s: %w", s.spec.Table.Name, err)
		}
	}
	slices.SortStableFunc(restored, func(a, b handle) int { return cmp.Compare(a.Checkpoint, b.Checkpoint) })
	s.start.Lock()
	defer s.start.Unlock()
	s.started = true
	if len(restored) == 0 {
		return s.target.begin(s.spec.Overwrite)
	}
	return s.target.resume(restored, r.IgnoreMissing)
}

// Open implements connector.Sink.
func (s *sink) Open(_ context.Context, subtask int) (connector.Writer, error) {
	s.start.Lock()
	defer s.start.Unlock()
	if !s.started {
		s.started = true
		if err := s.target.begin(s.spec.Overwrite); err != nil {
			return nil, err
		}
	}
	output, err := s.output()
	if err != nil {
		return nil, err
	}
	w := &writer{target: s.target, subtask: subtask, output: output}
	if err := w.open(); err != nil {
		return nil, err
	}
	return w, nil
}
