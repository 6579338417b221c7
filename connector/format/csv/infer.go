package csv

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/guess"
)

// infer finds out the columns. Without the option csv.header, the first line is a header if it has texts that are no values themselves,
// above values that are no texts; without the option csv.field-delimiter, what it has most of stands between fields.
func infer(s format.Sample, o *connector.Options) (format.Inferred, error) {
	d, err := newDialect(o)
	if err != nil {
		return format.Inferred{}, err
	}
	found := format.Inferred{Options: map[string]string{}}
	if !o.Has(delimiterKey) {
		d.delimiter = delimiterOf(s)
		found.Options[delimiterKey] = string(d.delimiter)
	}
	if d.quote != '"' {
		return format.Inferred{}, fmt.Errorf("the columns cannot be found out with the option '%s'; CREATE TABLE declares them", quoteKey)
	}
	first, types, values, err := sample(s, d)
	if err != nil || first == nil {
		return format.Inferred{}, err
	}
	header := d.header || !o.Has(headerKey) && isHeader(first, values)
	found.Options[headerKey] = strconv.FormatBool(header)
	names := make([]string, len(first))
	if header {
		for i, name := range first {
			names[i] = strings.TrimSpace(name)
		}
	}
	for i, name := range distinct(names) {
		t := types[i]
		if !header {
			t = guess.Merge(t, fieldType(first[i], d))
		}
		found.Fields = append(found.Fields, arrow.Field{Name: name, Type: t, Nullable: true})
	}
	found.Fields = guess.SettleFields(found.Fields)
	return found, nil
}

// delimiters are those that are looked for, the likeliest first.
const delimiters = ",;\t|"

// delimiterOf is the delimiter that the first line has most of, outside of quotes.
func delimiterOf(s format.Sample) byte {
	line, _, _ := bytes.Cut(s.Data, []byte{'\n'})
	found, most, quoted := byte(delimiters[0]), 0, false
	for i := range len(delimiters) {
		n := 0
		for _, c := range line {
			if c == '"' {
				quoted = !quoted
			} else if c == delimiters[i] && !quoted {
				n++
			}
		}
		if quoted = false; n > most {
			found, most = delimiters[i], n
		}
	}
	return found
}

// sample reads the first record, the types of the columns in those behind it, and whether some value there is no text.
func sample(s format.Sample, d dialect) (first []string, types []arrow.DataType, values bool, err error) {
	data := s.Data
	if !s.Whole {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = rune(d.delimiter), true, -1
	first, err = r.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, false, nil
	}
	if err != nil {
		return nil, nil, false, err
	}
	types = slices.Repeat([]arrow.DataType{guess.Null()}, len(first))
	for {
		record, err := r.Read()
		if err != nil { // the end, or a record that is cut off
			return first, types, values, nil
		}
		for i, v := range record[:min(len(record), len(types))] {
			t := fieldType(v, d)
			types[i] = guess.Merge(types[i], t)
			values = values || t.ID() != arrow.STRING && t.ID() != arrow.NULL
		}
	}
}

// fieldType is the type of one field.
func fieldType(v string, d dialect) arrow.DataType {
	if v == d.null {
		return guess.Null()
	}
	return guess.Text([]byte(strings.TrimSpace(v))) // as values of types other than STRING are read
}

// isHeader tells whether the first record is the names of the columns: texts, of which one may be missing, over records with a value
// that is none.
func isHeader(first []string, values bool) bool {
	missing := 0
	for _, name := range first {
		if name == "" {
			missing++
		} else if guess.Text([]byte(name)).ID() != arrow.STRING {
			return false
		}
	}
	return values && missing <= 1 && missing < len(first)
}
