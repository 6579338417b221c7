package planner

import (
	"context"
	"errors"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/expr"
)

// TEST_RANDOM() is another INT for every row.
func init() {
	expr.Register(expr.Function{Name: "TEST_RANDOM", Volatile: true, Overloads: []expr.Overload{{
		Returns: func([]expr.Expr) arrow.DataType { return expr.Int },
		Nulls:   expr.NeverNull,
	}}})
}

// testMetadata is what the connectors of the tests know of rows.
var testMetadata = []connector.Metadata{
	{Key: "topic", Type: expr.String}, {Key: "part", Type: expr.Int}, {Key: "partition", Type: expr.Int}, {Key: "offset", Type: expr.BigInt},
}

// The connectors of the tests: their tables are as the options say, and are never opened.
func init() {
	connector.Register(&connector.Connector{
		Name:     "test",
		Metadata: testMetadata,
		Options: []connector.Option{
			{Key: "bounded", Type: connector.Flag, Default: "false", Doc: "whether the input ends"},
			{Key: "changelog", Type: connector.Flag, Default: "false", Doc: "whether rows are updated and deleted"},
			{Key: "single", Type: connector.Flag, Default: "false", Doc: "whether there can be one writer only"},
			{Key: "upsert", Type: connector.Flag, Default: "false", Doc: "whether rows are the newest of their key"},
			{Key: "lossy", Type: connector.Flag, Default: "false", Doc: "whether the input cannot be read again"},
		},
		NewSource: func(_ connector.SourceSpec, o *connector.Options) (connector.Source, error) {
			return fakeSource{o}, nil
		},
		NewSink: func(_ connector.SinkSpec, o *connector.Options) (connector.Sink, error) { return fakeSink{o}, nil },
	})
	connector.Register(&connector.Connector{
		Name:      "readonly",
		NewSource: func(connector.SourceSpec, *connector.Options) (connector.Source, error) { return nil, errFake },
	})
}

var errFake = errors.New("tables of the tests are not opened")

type fakeSource struct{ options *connector.Options }

func (s fakeSource) Splits(context.Context) ([]connector.Split, error) { return nil, errFake }

func (s fakeSource) Open(context.Context, connector.Split, connector.Position) (connector.Reader, error) {
	return nil, errFake
}

func (s fakeSource) Bounded() bool    { return s.options.Flag("bounded") }
func (s fakeSource) Upsert() bool     { return s.options.Flag("upsert") }
func (s fakeSource) Replayable() bool { return !s.options.Flag("lossy") }
func (s fakeSource) Changelog() bool  { return s.options.Flag("changelog") }

type fakeSink struct{ options *connector.Options }

func (s fakeSink) Open(context.Context, int) (connector.Writer, error) { return nil, errFake }

func (s fakeSink) Guarantee() connector.Guarantee { return connector.AtLeastOnce }
func (s fakeSink) Changelog() bool                { return s.options.Flag("changelog") }
func (s fakeSink) Upsert() bool                   { return s.options.Flag("upsert") }

func (s fakeSink) MaxParallelism() int {
	if s.options.Flag("single") {
		return 1
	}
	return 0
}
