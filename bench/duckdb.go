package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/csv"
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/duckdb/duckdb-go/v2"
)

const (
	duckdbModule = "github.com/duckdb/duckdb-go/v2"
	// duckdbChild is the environment variable that makes this program a process which runs its value in DuckDB.
	duckdbChild = "STREAMSQL_BENCH_DUCKDB"
)

// openDuckDB returns an empty database in memory that uses a number of threads.
func openDuckDB(threads int) (*sql.DB, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(fmt.Sprintf("SET threads = %d", threads)); err != nil {
		return nil, err
	}
	return db, nil
}

// loadDuckDB returns a database with a table t of the dataset's rows.
func loadDuckDB(d *dataset, threads int) (*sql.DB, error) {
	db, err := openDuckDB(threads)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec("CREATE TABLE t (" + d.columns("VARCHAR") + ")"); err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return db, conn.Raw(func(c any) error { return appendAll(c.(*duckdb.Conn), d) })
}

func appendAll(c *duckdb.Conn, d *dataset) error {
	a, err := duckdb.NewAppenderFromConn(c, "", "t")
	if err != nil {
		return err
	}
	row := make([]driver.Value, len(d.names))
	for _, b := range d.batches {
		for i := range b.Rows {
			for j, col := range b.Cols {
				switch col := col.(type) {
				case *array.Int64:
					row[j] = col.Value(i)
				case *array.String:
					row[j] = col.Value(i)
				}
			}
			if err := a.AppendRow(row...); err != nil {
				return err
			}
		}
	}
	return a.Close()
}

// queryDigest runs a query whose result is a digest.
func queryDigest(db *sql.DB, sql string) (d digest, err error) {
	err = db.QueryRow(sql).Scan(&d[0], &d[1], &d[2], &d[3])
	return d, err
}

// printDuckDB prints the rows of a query as CSV.
func printDuckDB(query string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	values, texts := make([]any, len(names)), make([]string, len(names))
	for i := range values {
		values[i] = &texts[i]
	}
	out := csv.NewWriter(os.Stdout)
	if err := out.Write(names); err != nil {
		return err
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return err
		}
		if err := out.Write(texts); err != nil {
			return err
		}
	}
	out.Flush()
	return errors.Join(rows.Err(), out.Error())
}
