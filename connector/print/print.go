// Package print implements the connector print: a sink that writes one line a row to the standard output, as +I[1, a].
package print

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"streamsql/connector"
	"streamsql/exec/vec"
	"streamsql/internal/text"
)

const (
	identifierKey = "print-identifier"
	stderrKey     = "standard-error"
)

func init() {
	connector.Register(&connector.Connector{
		Name: "print",
		Doc:  "prints one line a row with its kind of change: +I[1, a]",
		Options: []connector.Option{
			{Key: identifierKey, Type: connector.Text, Doc: "what each line begins with, before '> '"},
			{Key: stderrKey, Type: connector.Flag, Default: "false", Doc: "whether to print to the standard error instead of the standard output"},
		},
		NewSink: newSink,
	})
}

// sink implements connector.Sink.
type sink struct {
	mu     sync.Mutex // held while a writer writes lines
	out    io.Writer
	prefix string
	style  *text.Style
}

func newSink(spec connector.SinkSpec, o *connector.Options) (connector.Sink, error) {
	s := &sink{out: spec.Stdout, style: text.SQL(spec.Table.Zone)}
	s.style.Null = "null"
	if s.out == nil {
		s.out = os.Stdout
	}
	if o.Flag(stderrKey) {
		s.out = os.Stderr
	}
	if id := o.Text(identifierKey); id != "" {
		s.prefix = id + "> "
	}
	return s, nil
}

// Open implements connector.Sink.
func (s *sink) Open(context.Context, int) (connector.Writer, error) { return &writer{sink: s}, nil }

// Guarantee implements connector.Sink: after a failure, lines are printed again.
func (s *sink) Guarantee() connector.Guarantee { return connector.AtLeastOnce }

// Changelog implements connector.Sink.
func (s *sink) Changelog() bool { return true }

// MaxParallelism implements connector.Sink.
func (s *sink) MaxParallelism() int { return 0 }

// writer implements connector.Writer.
type writer struct {
	sink  *sink
	texts []text.Column
	lines []byte
}

// Write prints the batch before it returns.
func (w *writer) Write(_ context.Context, b vec.Batch) error {
	w.append(b)
	b.Release()
	if len(w.lines) == 0 {
		return nil
	}
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	_, err := w.sink.out.Write(w.lines)
	w.lines = w.lines[:0]
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// append puts the lines of the batch together.
func (w *writer) append(b vec.Batch) {
	if len(w.texts) < len(b.Cols) {
		w.texts = make([]text.Column, len(b.Cols))
	}
	for i, c := range b.Cols {
		w.texts[i].Render(c, b.Sel, w.sink.style)
	}
	for row := range b.Len() {
		w.lines = append(w.lines, w.sink.prefix...)
		w.lines = append(w.lines, b.Kind(b.Row(row)).String()...)
		w.lines = append(w.lines, '[')
		for i := range b.Cols {
			if i > 0 {
				w.lines = append(w.lines, ", "...)
			}
			w.lines = append(w.lines, w.texts[i].Row(row)...)
		}
		w.lines = append(w.lines, "]\n"...)
	}
}

func (w *writer) Flush(context.Context) error { return nil }

func (w *writer) Close() error { return nil }
