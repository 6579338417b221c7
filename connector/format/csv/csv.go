// Package csv implements the format csv: RFC 4180 with a choice of delimiter, quote and text for NULL.
package csv

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/column"
	"streamsql/internal/text"
)

const (
	headerKey    = "csv.header"
	delimiterKey = "csv.field-delimiter"
	quoteKey     = "csv.quote-character"
	nullKey      = "csv.null-literal"
)

func init() {
	format.Register(&format.Format{
		Name:      "csv",
		Doc:       "comma-separated values as in RFC 4180, with or without a header line",
		Extension: ".csv",
		Options: []connector.Option{
			{Key: headerKey, Type: connector.Flag, Default: "false", Doc: "whether files begin with the names of their columns, which may be in any order and more than the table's"},
			{Key: delimiterKey, Type: connector.Character, Default: ",", Doc: "what stands between fields"},
			{Key: quoteKey, Type: connector.Character, Default: `"`, Doc: "what surrounds a field that contains delimiters, quotes or line breaks"},
			{Key: nullKey, Type: connector.Text, Doc: "the unquoted field that means NULL; by default the empty one"},
			{Key: "csv.ignore-parse-errors", Type: connector.Flag, Default: "false", Doc: "the same as 'on.error' = 'skip'"},
		},
		Infer:     infer,
		NewInput:  newInput,
		NewOutput: newOutput,
	})
}

// dialect is the spelling that the options choose.
type dialect struct {
	delimiter, quote byte
	null             string
	header           bool
}

func newDialect(o *connector.Options) (dialect, error) {
	d := dialect{o.Character(delimiterKey), o.Character(quoteKey), o.Text(nullKey), o.Flag(headerKey)}
	switch c := d.delimiter; {
	case c == '\n' || c == '\r' || c == '+' || c == '-' || c == '.' || c-'0' <= 9 || c|0x20-'a' < 26:
		return d, fmt.Errorf("option '%s': %q cannot stand between fields, since it may be part of a value", delimiterKey, c)
	case c == d.quote:
		return d, fmt.Errorf("options '%s' and '%s' are the same character", delimiterKey, quoteKey)
	case d.quote == '\n' || d.quote == '\r':
		return d, fmt.Errorf("option '%s' cannot be a line break", quoteKey)
	case strings.ContainsAny(d.null, string([]byte{d.delimiter, d.quote, '\n', '\r'})):
		return d, fmt.Errorf("option '%s' cannot contain delimiters, quotes or line breaks", nullKey)
	}
	return d, nil
}

// check reports columns that have no text.
func check(schema *arrow.Schema) error {
	for _, f := range schema.Fields() {
		if _, ok := column.New(f, nil); !ok {
			return fmt.Errorf("format 'csv' has no form for column '%s' of type %s", f.Name, text.TypeName(f.Type))
		}
	}
	return nil
}
