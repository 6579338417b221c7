package csv

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/format/json"
	"streamsql/connector/internal/column"
)

// input implements format.Input.
type input struct {
	dialect
	spec format.InputSpec
}

func newInput(spec format.InputSpec) (format.Input, error) {
	d, err := newDialect(spec.Options)
	if err != nil {
		return nil, err
	}
	if err := check(spec.Schema); err != nil {
		return nil, err
	}
	return &input{d, spec}, nil
}

// Cut implements format.Input.
func (in *input) Cut(data []byte) int { return in.cut(data) }

// Header implements format.Input.
func (in *input) Header(data []byte) int {
	if !in.header {
		return 0
	}
	if end := in.recordEnd(data, 0); end < len(data) {
		return end + 1
	}
	return -1
}

// Splittable implements format.Input: a quoted field may hold line breaks.
func (in *input) Splittable() bool { return false }

// NewDecoder implements format.Input.
func (in *input) NewDecoder(header []byte) (format.Decoder, error) {
	places, err := in.places(header)
	if err != nil {
		return nil, err
	}
	fields := make([]field, places.width)
	cols := make([]*column.Column, len(in.spec.Columns))
	for i, c := range in.spec.Columns {
		cols[i], _ = column.New(in.spec.Schema.Field(c), in.spec.Zone)
		f := field{col: cols[i]}
		if f.col.Shape >= column.List {
			f.cell = json.NewCell(f.col)
		}
		fields[places.of[c]] = f
	}
	return newDecoder(in.dialect, cols, fields, in.spec.Alloc), nil
}

// layout says where the table's columns stand in a record.
type layout struct {
	width int
	of    []int // by column of the table
}

// places finds the columns of the table among the names of the header, to the letter or else in any case.
func (in *input) places(header []byte) (layout, error) {
	schema := in.spec.Schema
	l := layout{schema.NumFields(), make([]int, schema.NumFields())}
	if !in.header {
		for i := range l.of {
			l.of[i] = i
		}
		return l, nil
	}
	names := in.names(header)
	l.width = len(names)
	for i, f := range schema.Fields() {
		if l.of[i] = find(names, f.Name); l.of[i] < 0 {
			return l, fmt.Errorf("column '%s' is missing in the header; %s", f.Name, in.missing(f.Name, names))
		}
	}
	return l, nil
}

// missing says what may be wrong if the header does not have a name: another delimiter, or a slip of the pen.
func (in *input) missing(name string, names []string) string {
	if len(names) == 1 {
		for _, c := range delimiters {
			if strings.ContainsRune(names[0], c) {
				return fmt.Sprintf("the header is %s: what stands between its fields is the option '%s'", format.Excerpt([]byte(names[0])), delimiterKey)
			}
		}
	}
	return connector.Suggestion(name, names)
}

func find(names []string, name string) int {
	folded := -1
	for i, n := range names {
		if n == name {
			return i
		}
		if folded < 0 && strings.EqualFold(n, name) {
			folded = i
		}
	}
	return folded
}

// names are the names of the columns in a header: one that is empty is told by its place, one that is there before by a number.
func (d dialect) names(header []byte) []string {
	return distinct(d.split(header))
}

// distinct makes names that can be told apart, starting with those that are there once.
func distinct(names []string) []string {
	seen := map[string]int{}
	for _, name := range names {
		seen[name]++
	}
	again := map[string]bool{}
	for i, name := range names {
		if name == "" {
			name = placeName(i)
		}
		for n := 1; again[name] || n > 1 && seen[name] > 0; n++ {
			name = names[i] + "_" + strconv.Itoa(n)
		}
		again[name] = true
		names[i] = name
	}
	return names
}

// placeName is the name of a column that has none.
func placeName(i int) string { return "column" + strconv.Itoa(i) }

// split splits a header into its fields.
func (d dialect) split(header []byte) []string {
	var names []string
	header = bytes.TrimRight(header, "\r\n")
	for {
		end := len(header)
		name := header
		if len(header) > 0 && header[0] == d.quote {
			if end = d.closing(header, 1); end < 0 {
				end = len(header)
			}
			name = bytes.TrimSuffix(header[1:end], []byte{d.quote})
			name = bytes.ReplaceAll(name, []byte{d.quote, d.quote}, []byte{d.quote})
		} else if i := bytes.IndexByte(header, d.delimiter); i >= 0 {
			end = i
			name = header[:end]
		}
		names = append(names, string(bytes.ToValidUTF8(bytes.TrimSpace(name), []byte("\uFFFD"))))
		i := bytes.IndexByte(header[end:], d.delimiter)
		if i < 0 {
			return names
		}
		header = header[end+i+1:]
	}
}
