package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"streamsql/connector/format"
	"streamsql/exec/vec"
	"streamsql/internal/failpoint"
)

// writer implements connector.Transaction.
type writer struct {
	target   target
	subtask  int
	output   format.Output
	segment  *segment // nil after an error
	prepared bool     // it has been used as a transaction
}

// open begins the next segment.
func (w *writer) open() (err error) {
	w.segment, err = w.target.open(w.subtask, w.output.Header(nil))
	return err
}

// Write implements connector.Writer.
func (w *writer) Write(_ context.Context, b vec.Batch) error {
	defer b.Release()
	if b.Len() == 0 {
		return nil
	}
	w.segment.begin()
	w.segment.text = w.output.Append(w.segment.text, b)
	if len(w.segment.text) < flushBytes {
		return nil
	}
	return w.segment.flush()
}

// Flush implements connector.Writer.
func (w *writer) Flush(context.Context) error {
	if w.prepared || !w.wanted() {
		return nil
	}
	if err := w.segment.drain(); err != nil || w.segment.visible {
		return err
	}
	if err := w.target.reveal(w.subtask, w.segment); err != nil {
		return fmt.Errorf("write %s: %w", w.segment.path, reason(err))
	}
	w.segment.visible = true
	return nil
}

// wanted reports whether the segment is to be published: it has rows, or it is wanted without any.
func (w *writer) wanted() bool {
	if !w.segment.used && w.target.wantsEmpty(w.subtask) {
		w.segment.begin()
	}
	return w.segment.used
}

// Prepare implements connector.Transaction.
func (w *writer) Prepare(_ context.Context, checkpoint uint64) ([]byte, error) {
	w.prepared = true
	h := handle{Checkpoint: checkpoint}
	if w.wanted() {
		p, err := w.cut(checkpoint)
		if err != nil {
			return nil, fmt.Errorf("prepare checkpoint %d: %w", checkpoint, err)
		}
		h.Part = &p
	}
	w.target.stamp(&h)
	return h.bytes()
}

// cut makes a part of the segment and begins the next one.
func (w *writer) cut(checkpoint uint64) (part, error) {
	size, err := w.segment.finish()
	if err != nil {
		return part{}, err
	}
	p := w.target.part(w.subtask, checkpoint, size)
	pending := w.target.pending(p)
	if err := os.Rename(w.segment.path, pending); err != nil {
		return part{}, err
	}
	if err := syncDirectory(filepath.Dir(pending)); err != nil {
		return part{}, err
	}
	return p, w.open()
}

// Commit implements connector.Transaction.
func (w *writer) Commit(_ context.Context, data []byte) error {
	if data == nil {
		return nil
	}
	h, err := parseHandle(data)
	if err != nil {
		return err
	}
	return publish(w.target, h)
}

// publish makes the part of a handle visible.
func publish(t target, h handle) error {
	if h.Part == nil {
		return nil
	}
	failpoint.Hit(failpoint.SinkBeforeCommit)
	if err := t.publish(*h.Part); err != nil {
		return fmt.Errorf("commit checkpoint %d: %w", h.Checkpoint, err)
	}
	failpoint.Hit(failpoint.SinkAfterCommit)
	return nil
}

// Close implements connector.Writer.
func (w *writer) Close() error {
	if w.segment == nil {
		return nil
	}
	if w.segment.visible {
		_, err := w.segment.finish()
		return err
	}
	if err := w.segment.remove(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("close the sink: %w", err)
	}
	return nil
}
