package repl

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"streamsql/connector/format"
	"streamsql/session"
)

// Format is how rows are printed.
type Format string

// Table draws a table; JSON is an object a row; CSV has a header; Changelog is JSON with the kind of each change in _op, in the order
// of the changes: an ORDER BY, and the LIMIT of a query with updates, are about a final result and do not show in it.
const (
	Table     Format = "table"
	JSON      Format = "json"
	CSV       Format = "csv"
	Changelog Format = "changelog"
)

// Formats lists the formats.
var Formats = []Format{Table, JSON, CSV, Changelog}

// ParseFormat finds a format by its name, in any case.
func ParseFormat(name string) (Format, error) {
	f := Format(strings.ToLower(name))
	if !slices.Contains(Formats, f) {
		return "", fmt.Errorf("unknown format '%s'; known: table, json, csv, changelog", name)
	}
	return f, nil
}

// writer returns the writer of rows for a format other than Table.
func (f Format) writer(w io.Writer, rows *session.Rows, zone *time.Location) (*format.RowWriter, error) {
	options := map[string]string{}
	if f == CSV {
		options["csv.header"] = "true"
	}
	return format.NewRowWriter(w, string(f), rows.Schema, zone, options)
}
