// Package answers reads and writes files of expressions over small tables with the answers that another engine has given, so that
// ours can be compared with them where that engine cannot be linked.
//
// A file is lines. Those that begin with # and empty ones stay as they are. The others are, in this order and again and again:
//
//	table name              a table's name, and its columns with their types
//	columns x DOUBLE, …
//	row 1.5, …              the values of a row, which both engines read
//	by x                    optional: the expressions are aggregates, for each x; by alone: for all rows
//	POWER(x, 2)             an expression or,
//	CBRT(x) :: cbrt(x)      if the other engine writes it otherwise, both
//	  = 1.5; NULL           the answers, one for each row
package answers

import (
	"errors"
	"fmt"
	"strings"
)

// File is a file of answers.
type File struct {
	Tables []*Table
	lines  []line
}

// line is a line of the file, and the expression whose answers stand below it.
type line struct {
	text string
	of   *Expression
}

// Table is a table with expressions over it.
type Table struct {
	Name        string
	Columns     []Column
	Rows        []string // of values, separated by commas
	Aggregated  bool
	By          string // the column by which it is aggregated, if any
	Expressions []*Expression
}

// Column is a column of a table.
type Column struct{ Name, Type string }

// Expression is an expression in the dialects of both engines, with the other one's answers.
type Expression struct {
	Ours, Other string
	Answers     string
}

// Parse reads a file.
func Parse(text string) (*File, error) {
	f := &File{}
	for at, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if err := f.read(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", at+1, err)
		}
	}
	return f, nil
}

func (f *File) read(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	if text == "" || strings.HasPrefix(text, "#") {
		f.lines = append(f.lines, line{text: text})
		return nil
	}
	if word == "table" {
		f.Tables = append(f.Tables, &Table{Name: rest})
		f.lines = append(f.lines, line{text: text})
		return nil
	}
	if len(f.Tables) == 0 {
		return errors.New("there is no table yet")
	}
	t := f.Tables[len(f.Tables)-1]
	if answers, ok := strings.CutPrefix(text, "  = "); ok {
		if len(t.Expressions) == 0 {
			return errors.New("these answers belong to no expression")
		}
		t.Expressions[len(t.Expressions)-1].Answers = answers
		return nil
	}
	switch word {
	case "columns":
		for _, c := range strings.Split(rest, ", ") {
			name, typ, _ := strings.Cut(c, " ")
			t.Columns = append(t.Columns, Column{name, strings.ReplaceAll(typ, ";", ",")})
		}
	case "row":
		t.Rows = append(t.Rows, rest)
	case "by":
		t.Aggregated, t.By = true, rest
	default:
		e := &Expression{Ours: text, Other: text}
		if ours, other, ok := strings.Cut(text, " :: "); ok {
			e.Ours, e.Other = ours, other
		}
		t.Expressions = append(t.Expressions, e)
		f.lines = append(f.lines, line{text, e})
		return nil
	}
	f.lines = append(f.lines, line{text: text})
	return nil
}

// String is the file's text.
func (f *File) String() string {
	var b strings.Builder
	for _, l := range f.lines {
		b.WriteString(l.text + "\n")
		if l.of != nil && l.of.Answers != "" {
			b.WriteString("  = " + l.of.Answers + "\n")
		}
	}
	return b.String()
}

// Query is a query for the values of expressions, in the order of the rows or of the groups. cast writes a value as one of a type.
func (t *Table) Query(expressions []string, cast func(value, typ string) string) string {
	columns := []string{"n"}
	for _, c := range t.Columns {
		columns = append(columns, cast(c.Name, c.Type)+" AS "+c.Name)
	}
	rows := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = fmt.Sprintf("(%d, %s)", i, r)
	}
	names := []string{"n"}
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	table := fmt.Sprintf("(SELECT %s FROM (VALUES %s) AS v (%s)) AS t", strings.Join(columns, ", "), strings.Join(rows, ", "), strings.Join(names, ", "))
	key := "n"
	if t.Aggregated {
		key = "0"
	}
	if t.By != "" {
		key = t.By
	}
	query := "SELECT " + key + " AS k"
	for i, e := range expressions {
		query += fmt.Sprintf(", %s AS e%d", e, i)
	}
	query += " FROM " + table
	if t.By != "" {
		query += " GROUP BY " + t.By
	}
	return query
}

// Join is the answers for all rows.
func Join(rows []string) string { return strings.Join(rows, "; ") }
