package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"streamsql/storage"
)

// steady are jobs whose allocations are counted from source to sink.
var steady = []struct{ what, sink, insert string }{
	{"filter and expression", "x BIGINT", "SELECT k * 2 + v FROM t WHERE v > 100"},
	{"GROUP BY, final result", "k BIGINT, n BIGINT, s BIGINT", "SELECT k, COUNT(*), SUM(v) FROM t GROUP BY k EMIT FINAL"},
	{"GROUP BY, changes", "k BIGINT, n BIGINT, s BIGINT", "SELECT k, COUNT(*), SUM(v) FROM t GROUP BY k"},
}

// allocationBenchmark counts allocations for each row read, once a job has all its groups.
func allocationBenchmark() benchmark {
	return benchmark{"allocations", func(o *options) ([]line, error) {
		keys := o.scale(100_000, 10_000)
		source := serve("t", &memoryTable{dataset: hot(10*keys, keys, keys), endless: true}, tasks)
		var lines []line
		for _, s := range steady {
			script := source + fmt.Sprintf("CREATE TABLE nowhere (%s) WITH ('connector' = 'blackhole');\nINSERT INTO nowhere %s", s.sink, s.insert)
			l, err := countAllocations(o, s.what, script, 3*keys)
			if err != nil {
				return lines, fmt.Errorf("%s: %w", s.what, err)
			}
			lines = append(lines, l)
		}
		l, err := fileAllocations(o)
		return append(lines, l...), err
	}}
}

// countAllocations starts a job and, after some rows, counts allocations over a while.
func countAllocations(o *options, what, script string, warmUp int) (l line, err error) {
	err = withStore(o, func(store *storage.Store) error {
		j, err := startStateful(store, script, tasks, 0)
		if err != nil {
			return err
		}
		defer j.Cancel()
		if err := j.waitRows(warmUp); err != nil {
			return err
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rows := j.rowsIn()
		time.Sleep(time.Second)
		rows = j.rowsIn() - rows
		runtime.ReadMemStats(&after)
		v := float64(after.Mallocs-before.Mallocs) / float64(rows)
		bytes := float64(after.TotalAlloc-before.TotalAlloc) / float64(rows)
		l = line{"allocations a row, source to sink: " + what, atMost(0.05, ""), v, []float64{v}, fmt.Sprintf("%.1f bytes a row", bytes)}
		return j.cancel()
	})
	return l, err
}

// fileAllocations counts those of a job that reads a file.
func fileAllocations(o *options) ([]line, error) {
	f := fileFormats[0]
	path := filepath.Join(o.dir, "allocations."+f.name)
	defer os.Remove(path)
	rows := o.scale(6_000_000, 2_000_000)
	if _, err := f.write(path, rows); err != nil {
		return nil, err
	}
	script := f.table(path) + "CREATE TABLE nowhere (sensor STRING, n BIGINT, total BIGINT) WITH ('connector' = 'blackhole');\n" +
		"INSERT INTO nowhere SELECT sensor, COUNT(*), SUM(reading) FROM readings GROUP BY sensor EMIT FINAL"
	l, err := countAllocations(o, "JSON file, GROUP BY, final result", script, rows/20)
	return []line{l}, err
}
