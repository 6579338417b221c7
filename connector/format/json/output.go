package json

import (
	"streamsql/connector/format"
	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// output implements format.Output. It writes the values of each column as text first and then puts the lines together.
type output struct {
	style     *text.Style
	changelog bool
	keys      [][]byte // what stands before the value of each column: {"a": or ,"b":
	texts     []text.Column
}

func newOutput(f *format.Format, spec format.OutputSpec) (format.Output, error) {
	if err := check(f, spec.Schema); err != nil {
		return nil, err
	}
	o := &output{style: text.JSON(spec.Zone), changelog: f.Changelog, texts: make([]text.Column, spec.Schema.NumFields())}
	for i, field := range spec.Schema.Fields() {
		key := []byte{','}
		if i == 0 && !f.Changelog {
			key[0] = '{'
		}
		o.keys = append(o.keys, append(text.AppendJSONString(key, []byte(field.Name)), ':'))
	}
	return o, nil
}

// Header implements format.Output.
func (o *output) Header(dst []byte) []byte { return dst }

// Append implements format.Output.
func (o *output) Append(dst []byte, b vec.Batch) []byte {
	for i, col := range b.Cols {
		o.texts[i].Render(col, b.Sel, o.style)
	}
	for row := range b.Len() {
		if o.changelog {
			dst = append(dst, `{"_op":"`...)
			dst = append(dst, b.Kind(b.Row(row)).String()...)
			dst = append(dst, '"')
		} else if len(o.texts) == 0 {
			dst = append(dst, '{')
		}
		for i := range o.texts {
			dst = append(dst, o.keys[i]...)
			dst = append(dst, o.texts[i].Row(row)...)
		}
		dst = append(dst, "}\n"...)
	}
	return dst
}
