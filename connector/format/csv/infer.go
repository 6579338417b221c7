package csv

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/guess"
)

// infer finds out the columns. Without the option csv.header, the first line is a header if it has different texts that are no values
// themselves, above a column whose values are no text.
func infer(s format.Sample, o *connector.Options) (format.Inferred, error) {
	d, err := newDialect(o)
	if err != nil {
		return format.Inferred{}, err
	}
	if d.quote != '"' {
		return format.Inferred{}, fmt.Errorf("the columns cannot be found out with the option '%s'; CREATE TABLE declares them", quoteKey)
	}
	first, types, err := sample(s, d)
	if err != nil || first == nil {
		return format.Inferred{}, err
	}
	header := d.header || !o.Has(headerKey) && isHeader(first, types)
	found := format.Inferred{Options: map[string]string{headerKey: strconv.FormatBool(header)}}
	for i, t := range types {
		name := "column" + strconv.Itoa(i)
		if header {
			name = first[i]
		} else {
			t = guess.Merge(t, fieldType(first[i], d))
		}
		found.Fields = append(found.Fields, arrow.Field{Name: name, Type: t, Nullable: true})
	}
	found.Fields = guess.SettleFields(found.Fields)
	return found, nil
}

// sample reads the first record, and the types of the columns in those behind it.
func sample(s format.Sample, d dialect) (first []string, types []arrow.DataType, err error) {
	data := s.Data
	if !s.Whole {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = rune(d.delimiter), true, -1
	first, err = r.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	types = slices.Repeat([]arrow.DataType{guess.Null()}, len(first))
	for {
		record, err := r.Read()
		if err != nil { // the end, or a record that is cut off
			return first, types, nil
		}
		for i, v := range record[:min(len(record), len(types))] {
			types[i] = guess.Merge(types[i], fieldType(v, d))
		}
	}
}

// fieldType is the type of one field.
func fieldType(v string, d dialect) arrow.DataType {
	if v == d.null {
		return guess.Null()
	}
	return guess.Text([]byte(v))
}

// isHeader tells whether the first record is the names of the columns.
func isHeader(first []string, types []arrow.DataType) bool {
	seen := map[string]bool{}
	for _, name := range first {
		if name == "" || seen[name] || guess.Text([]byte(name)).ID() != arrow.STRING {
			return false
		}
		seen[name] = true
	}
	return slices.ContainsFunc(types, func(t arrow.DataType) bool { return t.ID() != arrow.STRING && t.ID() != arrow.NULL })
}
