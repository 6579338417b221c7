package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"streamsql/connector/format"
	"streamsql/exec/vec"
	"streamsql/internal/failpoint"
)

// writer implements connector.Transaction.
type writer struct {
	target  target
	subtask int
	output  format.Output
	segment *segment // nil after an error
	parts   []part   // prepared and not known to be committed
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

// Flush implements connector.Writer. Nothing becomes visible before Commit.
func (w *writer) Flush(context.Context) error { return w.segment.flush() }

// Prepare implements connector.Transaction.
func (w *writer) Prepare(_ context.Context, checkpoint uint64) ([]byte, error) {
	if err := w.cut(checkpoint); err != nil {
		return nil, err
	}
	h := handle{Checkpoint: checkpoint, Parts: w.parts}
	w.target.stamp(&h)
	return h.bytes()
}

// cut makes a part of the segment and begins the next one. A segment without rows goes on, unless even an empty part is wanted.
func (w *writer) cut(checkpoint uint64) error {
	if !w.segment.used {
		if !w.target.wantsEmpty(w.subtask) {
			return nil
		}
		w.segment.begin()
	}
	size, err := w.segment.finish()
	if err != nil {
		return err
	}
	p := w.target.part(w.subtask, checkpoint, size)
	pending := w.target.pending(p)
	if err := os.Rename(w.segment.path, pending); err != nil {
		return fmt.Errorf("prepare checkpoint %d: %w", checkpoint, err)
	}
	if err := syncDirectory(filepath.Dir(pending)); err != nil {
		return err
	}
	w.parts = append(w.parts, p)
	return w.open()
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
	if err := publish(w.target, h.Parts); err != nil {
		return err
	}
	w.parts = slices.DeleteFunc(w.parts, func(p part) bool { return p.Checkpoint <= h.Checkpoint })
	return nil
}

// publish makes parts visible.
func publish(t target, parts []part) error {
	for _, p := range parts {
		failpoint.Hit(failpoint.SinkBeforeCommit)
		if err := t.publish(p); err != nil {
			return fmt.Errorf("commit checkpoint %d: %w", p.Checkpoint, err)
		}
		failpoint.Hit(failpoint.SinkAfterCommit)
	}
	return nil
}

// Close implements connector.Writer.
func (w *writer) Close() error {
	if w.segment == nil {
		return nil
	}
	if err := w.segment.remove(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("close the sink: %w", err)
	}
	return nil
}
