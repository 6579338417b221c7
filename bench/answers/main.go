// Command answers writes the answers of DuckDB into a file of expressions, with which tests compare ours:
//
//	go run ./answers ../tests/oracle/testdata/duckdb.txt
package main

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"streamsql/internal/answers"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: answers file")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := answers.Parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	for _, setting := range []string{"SET TimeZone = 'UTC'", "SET default_null_order = 'nulls_first'"} {
		if _, err := db.Exec(setting); err != nil {
			return err
		}
	}
	for _, t := range f.Tables {
		for _, e := range t.Expressions {
			if e.Answers, err = ask(db, t, e.Other); err != nil {
				return fmt.Errorf("%s: %w", e.Other, err)
			}
		}
	}
	return os.WriteFile(path, []byte(f.String()), 0o644)
}

func ask(db *sql.DB, t *answers.Table, expression string) (string, error) {
	query := t.Query([]string{expression}, func(value, typ string) string { return "CAST(" + value + " AS " + dialect(typ) + ")" })
	rows, err := db.Query("SELECT e0 FROM (" + query + ") ORDER BY k")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var v any
		if err := rows.Scan(&v); err != nil {
			return "", err
		}
		all = append(all, answers.Text(plain(v)))
	}
	return answers.Join(all), rows.Err()
}

// dialect is a type as DuckDB writes it.
func dialect(typ string) string {
	if element, ok := strings.CutPrefix(typ, "ARRAY<"); ok {
		return dialect(strings.TrimSuffix(element, ">")) + "[]"
	}
	switch typ {
	case "STRING":
		return "VARCHAR"
	case "BYTES":
		return "BLOB"
	}
	return typ
}

// plain is a value in the types that answers knows.
func plain(v any) any {
	switch v := v.(type) {
	case duckdb.Decimal:
		return answers.Number(v.String())
	case []any:
		elements := make([]any, len(v))
		for i, e := range v {
			elements[i] = plain(e)
		}
		return elements
	case time.Time:
		return v.UTC()
	}
	return v
}
