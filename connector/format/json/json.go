// Package json implements the formats json and changelog-json: one JSON object a line.
package json

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/column"
	"streamsql/internal/text"
)

func init() {
	register(&format.Format{
		Name:  "json",
		Doc:   "one JSON object a line; a missing field is NULL, unknown fields are ignored",
		Infer: infer,
	})
	register(&format.Format{
		Name:      "changelog-json",
		Doc:       `one JSON object a line with the kind of change in "_op": +I, -U, +U, -D`,
		Changelog: true,
	})
}

func register(f *format.Format) {
	f.Extension = ".ndjson"
	f.Options = []connector.Option{{
		Key: f.Name + ".ignore-parse-errors", Type: connector.Flag, Default: "false", Doc: "the same as 'on.error' = 'skip'",
	}}
	f.NewInput = func(spec format.InputSpec) (format.Input, error) { return newInput(f, spec) }
	f.NewOutput = func(spec format.OutputSpec) (format.Output, error) { return newOutput(f, spec) }
	format.Register(f)
}

// input implements format.Input.
type input struct {
	spec      format.InputSpec
	changelog bool
}

func newInput(f *format.Format, spec format.InputSpec) (format.Input, error) {
	if err := check(f, spec.Schema); err != nil {
		return nil, err
	}
	return &input{spec, f.Changelog}, nil
}

// check reports columns that the format cannot hold.
func check(f *format.Format, schema *arrow.Schema) error {
	for _, field := range schema.Fields() {
		if !supported(field.Type) {
			return fmt.Errorf("format '%s' has no form for column '%s' of type %s", f.Name, field.Name, text.TypeName(field.Type))
		}
		if f.Changelog && field.Name == opName {
			return fmt.Errorf("format '%s' keeps the kind of change in '%s', so no column can have this name", f.Name, opName)
		}
	}
	return nil
}

// Cut implements format.Input.
func (in *input) Cut(data []byte) int { return bytes.LastIndexByte(data, '\n') + 1 }

// Header implements format.Input.
func (in *input) Header([]byte) int { return 0 }

// Splittable implements format.Input.
func (in *input) Splittable() bool { return true }

// NewDecoder implements format.Input.
func (in *input) NewDecoder([]byte) (format.Decoder, error) {
	cols := make([]*column.Column, len(in.spec.Columns))
	for i, c := range in.spec.Columns {
		cols[i], _ = column.New(in.spec.Schema.Field(c), in.spec.Zone)
	}
	return newDecoder(cols, in.changelog, in.spec.Alloc), nil
}
