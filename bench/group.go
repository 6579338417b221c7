package main

import (
	"database/sql"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// grouping is a benchmark of GROUP BY next to DuckDB.
type grouping struct {
	name    string
	keyType arrow.DataType
	keys    int
	apart   int64 // the distance between two keys that are integers
	threads int   // of DuckDB, tasks and processor cores of ours
	goal    float64
}

var groupings = []grouping{
	{"group-int64-1k", arrow.PrimitiveTypes.Int64, 1_000, 1, 1, 1.5},
	{"group-int64-100k", arrow.PrimitiveTypes.Int64, 100_000, 1, 1, 1.0},
	{"group-int64-100k-apart", arrow.PrimitiveTypes.Int64, 100_000, 1_000_003, 1, 1.0},
	{"group-int64-10m", arrow.PrimitiveTypes.Int64, 10_000_000, 1, 1, 1.3},
	{"group-string-1k", arrow.BinaryTypes.String, 1_000, 1, 1, 1.0},
	{"group-string-100k", arrow.BinaryTypes.String, 100_000, 1, 1, 1.0},
	{"group-string-1m", arrow.BinaryTypes.String, 1_000_000, 1, 1, 1.3},
	{"exchange-int64-1k", arrow.PrimitiveTypes.Int64, 1_000, 1, 2, 2.0},
	{"exchange-int64-100k", arrow.PrimitiveTypes.Int64, 100_000, 1, 2, 1.0},
	{"exchange-int64-10m", arrow.PrimitiveTypes.Int64, 10_000_000, 1, 2, 1.0},
}

func groupBenchmarks() []benchmark {
	all := make([]benchmark, len(groupings))
	for i, g := range groupings {
		all[i] = benchmark{g.name, g.run}
	}
	return all
}

// groupQuery has one row for each key.
const groupQuery = "SELECT k, COUNT(*), SUM(v), MAX(v) FROM t GROUP BY k"

func (g grouping) run(o *options) ([]line, error) {
	keys := o.scale(g.keys, max(g.keys/10, 100))
	d := keyed(g.keyType, o.scale(20_000_000, 2_000_000), keys, g.apart)
	db, err := loadDuckDB(d, g.threads)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	script := serve("t", &memoryTable{dataset: d}, g.threads) + groupQuery
	if err := g.check(db, script); err != nil {
		return nil, err
	}
	ours := query(func() (digest, error) { return g.ours(script, sums) })
	theirs := query(func() (digest, error) { return queryDigest(db, g.theirs(duckSums)) })
	c, err := compare(o, ours.profiled(o, g.name), theirs.timed)
	if err != nil {
		return nil, err
	}
	spread := ""
	if g.apart > 1 {
		spread = " far apart"
	}
	what := fmt.Sprintf("GROUP BY %s, %s keys%s, %s ÷ DuckDB", typeName(g.keyType), short(keys), spread, plural(g.threads, "thread"))
	return []line{ofMedian(what, atMost(g.goal, ""), c.walls(), c.describe(d.rows(), "DuckDB"))}, nil
}

// ours runs the query on as many cores as DuckDB has threads and sums its result up.
func (g grouping) ours(script string, sum func(vec.Batch, *digest)) (s digest, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(g.threads))
	err = runQuery(script, g.threads, func(b vec.Batch) { sum(b, &s) })
	return s, err
}

// theirs is the query for DuckDB with its result summed up, so that its rows need not leave DuckDB one by one.
func (g grouping) theirs(sums string) string {
	key := "k"
	if g.keyType.ID() == arrow.STRING {
		key = "substr(k, 5)::BIGINT"
	}
	return "SELECT " + strings.ReplaceAll(sums, "{key}", key) +
		" FROM (SELECT k, COUNT(*) AS c, SUM(v) AS s, MAX(v) AS m FROM t GROUP BY k)"
}

// duckSums and sums sum up what has to be read of each row of the result anyway.
const duckSums = "COUNT(k), SUM(c)::BIGINT, SUM(s)::BIGINT, SUM(m)::BIGINT"

func sums(b vec.Batch, s *digest) {
	s[0] += int64(b.Rows)
	for i := 1; i < 4; i++ {
		for _, v := range vec.Values[int64](b.Cols[i]) {
			s[i] += v
		}
	}
}

// duckMix and mix tie the values of each row to its key, which tells whether two results are equal.
const duckMix = "COUNT(*), SUM({key} * c % 1000003)::BIGINT, SUM({key} * s % 1000003)::BIGINT, SUM({key} * m % 1000003)::BIGINT"

func mix(b vec.Batch, s *digest) {
	s[0] += int64(b.Rows)
	for row := range b.Rows {
		key := keyOf(b.Cols[0], row)
		for i := 1; i < 4; i++ {
			s[i] += key * vec.Values[int64](b.Cols[i])[row] % 1000003
		}
	}
}

// keyOf is the number of a key.
func keyOf(keys arrow.Array, row int) int64 {
	if keys.DataType().ID() == arrow.INT64 {
		return vec.Values[int64](keys)[row]
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(keys.ValueStr(row), "key-"), 10, 64)
	if err != nil {
		return math.MinInt32 // equal to no key
	}
	return n
}

// check compares the results row by row.
func (g grouping) check(db *sql.DB, script string) error {
	return equal(func() (digest, error) { return g.ours(script, mix) },
		func() (digest, error) { return queryDigest(db, g.theirs(duckMix)) })
}

func typeName(t arrow.DataType) string {
	if t.ID() == arrow.STRING {
		return "STRING"
	}
	return "BIGINT"
}

// short is a number in thousands or millions.
func short(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprintf("%d M", n/1_000_000)
	case n >= 1_000 && n%1_000 == 0:
		return fmt.Sprintf("%d K", n/1_000)
	}
	return fmt.Sprint(n)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// scalingBenchmark is how much faster two tasks are than one.
func scalingBenchmark() benchmark {
	return benchmark{"scaling", func(o *options) ([]line, error) {
		keys := o.scale(1_000_000, 100_000)
		d := keyed(arrow.PrimitiveTypes.Int64, o.scale(20_000_000, 2_000_000), keys, 1)
		table := &memoryTable{dataset: d}
		with := func(tasks int) func() (sample, error) {
			script := serve("t", table, tasks) + groupQuery
			return query(func() (s digest, err error) {
				err = runQuery(script, tasks, func(b vec.Batch) { sums(b, &s) })
				return s, err
			}).timed
		}
		c, err := compare(o, with(1), with(2))
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("GROUP BY BIGINT, %s keys, rows a second of 2 tasks ÷ 1 task", short(keys))
		return []line{ofMedian(what, atLeast(1.7, ""), c.walls(), c.describe(d.rows(), "2 tasks"))}, nil
	}}
}
