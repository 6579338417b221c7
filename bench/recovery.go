package main

import (
	"fmt"
	"time"

	"streamsql/storage"
)

// recoveryBenchmark is how long a job needs until it goes on from its newest checkpoint, whose files are in the page cache.
func recoveryBenchmark() benchmark {
	return benchmark{"recovery", func(o *options) ([]line, error) {
		keys := o.scale(10_000_000, 1_000_000)
		table := &memoryTable{dataset: hot(keys, keys, keys), endless: true}
		script := serve("t", table, tasks) + statefulInsert
		var took []float64
		var bytes int64
		err := withStore(o, func(store *storage.Store) (err error) {
			if bytes, err = leaveState(store, script, keys); err != nil {
				return err
			}
			table.paused.Store(true)
			for range o.pairs {
				var s time.Duration
				err := o.calm.run(func() error {
					return o.profiled("recovery", func() (err error) {
						s, err = recoverOnce(store, script)
						return err
					})
				})
				if err != nil {
					return err
				}
				took = append(took, s.Seconds())
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		perGB := make([]float64, len(took))
		for i, s := range took {
			perGB[i] = s / float64(bytes) * 1e9
		}
		extra := fmt.Sprintf("%s keys, %d MB of state in %.2f s, %d tasks", short(keys), bytes>>20, median(took), tasks)
		return []line{ofMedian("recovery, for each GB of state, warm", atMost(3, "s"), perGB, extra)}, nil
	}}
}

// leaveState runs a job until it has all keys, takes checkpoints as it goes on, and stops it. It returns the size of one copy of the
// state.
func leaveState(store *storage.Store, script string, keys int) (bytes int64, err error) {
	j, err := startStateful(store, script, tasks, 0)
	if err != nil {
		return 0, err
	}
	defer j.Cancel()
	for i := range 4 {
		if err := j.waitRows(keys + i*keys/4); err != nil {
			return 0, err
		}
		m, err := j.checkpoint()
		if err != nil {
			return 0, err
		}
		if i == 0 {
			bytes = m.Bytes
		}
	}
	return bytes, j.cancel()
}

// recoverOnce starts the job again and waits until all its tasks are ready, which a checkpoint tells.
func recoverOnce(store *storage.Store, script string) (time.Duration, error) {
	began := time.Now()
	j, err := startStateful(store, script, tasks, 0)
	if err != nil {
		return 0, err
	}
	defer j.Cancel()
	if _, err := j.checkpoint(); err != nil {
		return 0, err
	}
	took := time.Since(began)
	return took, j.cancel()
}
