package main

import (
	"fmt"
	"runtime"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// filterQuery has the shape of the TPC-H query 6: few rows out of many, an expression, a sum.
const filterQuery = `SELECT COUNT(*), SUM(price * discount)%s, MIN(price), MAX(quantity) FROM t
WHERE discount BETWEEN 5 AND 7 AND quantity < 24 AND price > 1000`

// filterBenchmark is a filter, an expression and a sum next to DuckDB.
func filterBenchmark() benchmark {
	return benchmark{"filter", func(o *options) ([]line, error) {
		d := items(o.scale(20_000_000, 2_000_000))
		db, err := loadDuckDB(d, 1)
		if err != nil {
			return nil, err
		}
		defer db.Close()
		script := serve("t", &memoryTable{dataset: d}, 1) + fmt.Sprintf(filterQuery, "")
		theirs := query(func() (digest, error) { return queryDigest(db, fmt.Sprintf(filterQuery, "::BIGINT")) })
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
		c, err := compare(o.pairs, ours.profiled(o, "filter"), theirs.timed)
		if err != nil {
			return nil, err
		}
		return []line{ofMedian("filter, expression and sum, 1 thread ÷ DuckDB", atMost(1, ""), c.walls(), c.describe(d.rows(), "DuckDB"))}, nil
	}}
}

// items is a dataset like the table lineitem of TPC-H.
func items(rows int) *dataset {
	bigint := arrow.PrimitiveTypes.Int64
	d := &dataset{names: []string{"price", "discount", "quantity"}, types: []arrow.DataType{bigint, bigint, bigint}}
	r := random()
	d.add(rows, func(row []int64) { row[0], row[1], row[2] = r.Int64N(10_000_000), r.Int64N(11), 1+r.Int64N(50) })
	return d
}
