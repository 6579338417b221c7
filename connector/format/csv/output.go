package csv

import (
	"bytes"
	"encoding/base64"

	"streamsql/connector/format"
	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// output implements format.Output. It writes the values of each column as text first and then puts the lines together.
type output struct {
	dialect
	style *text.Style
	names [][]byte
	texts []text.Column
}

func newOutput(spec format.OutputSpec) (format.Output, error) {
	d, err := newDialect(spec.Options)
	if err != nil {
		return nil, err
	}
	if err := check(spec.Schema); err != nil {
		return nil, err
	}
	o := &output{dialect: d, texts: make([]text.Column, spec.Schema.NumFields())}
	for _, f := range spec.Schema.Fields() {
		o.names = append(o.names, []byte(f.Name))
	}
	o.style = &text.Style{
		Null: d.null, True: "true", False: "false", Zone: spec.Zone, String: d.appendString,
		Bytes:  func(dst, v []byte) []byte { return d.appendString(dst, base64.StdEncoding.AppendEncode(nil, v)) },
		Nested: text.JSON(spec.Zone),
	}
	if d.delimiter == ' ' || d.delimiter == ':' { // dates and times contain them
		o.style.Quote = d.quote
	}
	return o, nil
}

// Header implements format.Output.
func (o *output) Header(dst []byte) []byte {
	if !o.header {
		return dst
	}
	for i, name := range o.names {
		if i > 0 {
			dst = append(dst, o.delimiter)
		}
		dst = o.appendString(dst, name)
	}
	return append(dst, '\n')
}

// Append implements format.Output.
func (o *output) Append(dst []byte, b vec.Batch) []byte {
	for i, col := range b.Cols {
		o.texts[i].Render(col, b.Sel, o.style)
	}
	for row := range b.Len() {
		for i := range o.texts {
			if i > 0 {
				dst = append(dst, o.delimiter)
			}
			dst = append(dst, o.texts[i].Row(row)...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendString appends a text, in quotes if it would be taken for something else without them.
func (d dialect) appendString(dst, v []byte) []byte {
	if !d.needsQuotes(v) {
		return append(dst, v...)
	}
	dst = append(dst, d.quote)
	for {
		i := bytes.IndexByte(v, d.quote)
		if i < 0 {
			break
		}
		dst = append(append(dst, v[:i+1]...), d.quote)
		v = v[i+1:]
	}
	return append(append(dst, v...), d.quote)
}

func (d dialect) needsQuotes(v []byte) bool {
	if len(v) == 0 || string(v) == d.null || v[0] == ' ' || v[len(v)-1] == ' ' {
		return true
	}
	for _, c := range v {
		if c == d.delimiter || c == d.quote || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}
