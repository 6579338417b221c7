// Package blackhole implements the connector blackhole: a sink that takes rows and keeps nothing but their number.
package blackhole

import (
	"context"
	"sync/atomic"

	"streamsql/connector"
	"streamsql/exec/vec"
)

func init() {
	connector.Register(&connector.Connector{
		Name: "blackhole",
		Doc:  "takes rows and keeps nothing of them",
		NewSink: func(connector.SinkSpec, *connector.Options) (connector.Sink, error) {
			return new(Sink), nil
		},
	})
}

// Sink implements connector.Sink.
type Sink struct{ rows atomic.Int64 }

// Rows is the number of rows taken by all writers.
func (s *Sink) Rows() int64 { return s.rows.Load() }

// Open implements connector.Sink.
func (s *Sink) Open(context.Context, int) (connector.Writer, error) { return writer{s}, nil }

// Guarantee implements connector.Sink.
func (s *Sink) Guarantee() connector.Guarantee { return connector.ExactlyOnce }

// Changelog implements connector.Sink.
func (s *Sink) Changelog() bool { return true }

// MaxParallelism implements connector.Sink.
func (s *Sink) MaxParallelism() int { return 0 }

type writer struct{ sink *Sink }

func (w writer) Write(_ context.Context, b vec.Batch) error {
	w.sink.rows.Add(int64(b.Len()))
	b.Release()
	return nil
}

func (writer) Flush(context.Context) error { return nil }

func (writer) Close() error { return nil }
