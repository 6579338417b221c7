package main

import (
	"runtime"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// filtering is a benchmark of a filter, an expression and a sum next to DuckDB.
type filtering struct{ name, what, where string }

var filterings = []filtering{
	{"filter-half", "filter of half of the rows", "quantity < 26"},
	{"filter-q6", "filter like that of TPC-H query 6", "discount BETWEEN 5 AND 7 AND quantity < 24 AND price > 1000000"},
}

func filterBenchmarks() []benchmark {
	all := make([]benchmark, len(filterings))
	for i, f := range filterings {
		all[i] = benchmark{f.name, f.run}
	}
	return all
}

func (f filtering) run(o *options) ([]line, error) {
	d := items(o.scale(20_000_000, 2_000_000))
	db, err := loadDuckDB(d, 1)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	sql := "SELECT COUNT(*), CAST(SUM(price * (100 - discount)) AS BIGINT), MIN(price), MAX(quantity) FROM t WHERE " + f.where
	script := serve("t", &memoryTable{dataset: d}, 1) + sql
	theirs := query(func() (digest, error) { return queryDigest(db, sql) })
	ours := query(func() (s digest, err error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		err = runQuery(script, 1, func(b vec.Batch) {
			for i := range s {
				s[i] = vec.Values[int64](b.Cols[i])[0]
			}
		})
		return s, err
	})
	if err := equal(ours, theirs); err != nil {
		return nil, err
	}
	c, err := compare(o, ours.profiled(o, f.name), theirs.timed)
	if err != nil {
		return nil, err
	}
	return []line{ofMedian(f.what+", expression, sum, 1 thread ÷ DuckDB", atMost(1, ""), c.walls(), c.describe(d.rows(), "DuckDB"))}, nil
}

// items is a dataset like the table lineitem of TPC-H.
func items(rows int) *dataset {
	bigint := arrow.PrimitiveTypes.Int64
	d := &dataset{names: []string{"price", "discount", "quantity"}, types: []arrow.DataType{bigint, bigint, bigint}}
	r := random()
	d.add(rows, func(row []int64) { row[0], row[1], row[2] = r.Int64N(10_000_000), r.Int64N(11), 1+r.Int64N(50) })
	return d
}
