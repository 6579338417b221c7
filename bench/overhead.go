package main

import (
	"fmt"
	"os"
	"time"

	"streamsql/storage"
)

// overhead is a benchmark of how many rows a job still reads in a second while it takes checkpoints.
type overhead struct {
	name     string
	dirty    string // for the table
	share    int    // of the keys that change: one out of share
	interval time.Duration
	goal     float64
}

var overheads = []overhead{
	{"overhead-1s-all", "all rows dirty", 1, time.Second, 0.80},
	{"overhead-1s-tenth", "10 % of the rows dirty", 10, time.Second, 0.95},
	{"overhead-10s-all", "all rows dirty", 1, 10 * time.Second, 0.98},
}

func overheadBenchmarks() []benchmark {
	all := make([]benchmark, len(overheads))
	for i, b := range overheads {
		all[i] = benchmark{b.name, b.run}
	}
	return all
}

// statefulInsert keeps a group for each key and gives it at the end, which never comes.
const statefulInsert = "CREATE TABLE nowhere (k BIGINT, n BIGINT, s BIGINT, m BIGINT) WITH ('connector' = 'blackhole');\n" +
	"INSERT INTO nowhere SELECT k, COUNT(*), SUM(v), MAX(v) FROM t GROUP BY k EMIT FINAL"

const tasks = 2

func (b overhead) run(o *options) ([]line, error) {
	keys := o.scale(1_000_000, 100_000)
	script := serve("t", &memoryTable{dataset: hot(10*keys, keys, keys/b.share), endless: true}, tasks) + statefulInsert
	interval := time.Duration(o.scale(int(b.interval), int(b.interval/5)))
	with := func() (rate, error) { return measureThroughput(o, b.name, script, keys, interval) }
	without := func() (rate, error) { return measureThroughput(o, b.name+"-without", script, keys, 0) }
	on, off, err := alternate(o, with, without)
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("rows a second with a checkpoint every %v ÷ without, %s keys, %s", interval, short(keys), b.dirty)
	extra := fmt.Sprintf("processor time %.2f; %.1f M rows/s, without %.1f; %d tasks",
		median(ratios(on, off, rate.rowsPerProcessorSecond)), median(each(on, rate.rowsPerSecond))/1e6, median(each(off, rate.rowsPerSecond))/1e6, tasks)
	return []line{ofMedian(what, atLeast(b.goal, ""), ratios(on, off, rate.rowsPerSecond), extra)}, nil
}

// measureThroughput runs a job with checkpoints until its state is there, and from then on counts its rows for a while.
func measureThroughput(o *options, name, script string, keys int, interval time.Duration) (r rate, err error) {
	err = withStore(o, func(store *storage.Store) error {
		j, err := startStateful(store, script, tasks, interval)
		if err != nil {
			return err
		}
		defer j.Cancel()
		if err := j.waitRows(3 * keys); err != nil {
			return err
		}
		err = o.profiled(name, func() error {
			r, err = j.throughput(max(8*time.Second, 2*interval) / time.Duration(o.scale(1, 5)))
			return err
		})
		if err != nil {
			return err
		}
		return j.cancel()
	})
	return r, err
}

// withStore runs f with a new store, which is gone afterwards.
func withStore(o *options, f func(*storage.Store) error) error {
	dir, err := os.MkdirTemp(o.dir, "data-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	store, err := storage.Open(dir)
	if err != nil {
		return err
	}
	defer store.Close()
	return f(store)
}
