package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"streamsql/checkpoint"
	"streamsql/storage"
)

// checkpointing is a benchmark of single checkpoints, taken one after the other while a job reads as fast as it can.
type checkpointing struct {
	name  string
	keys  int
	count int           // of checkpoints
	share int           // of the keys that change between two checkpoints: one out of share
	pause time.Duration // between two
	lines func(*checkpoints) []line
}

func checkpointBenchmarks() []benchmark {
	var all []benchmark
	for _, b := range []checkpointing{
		{"checkpoints-1m", 1_000_000, 200, 1, 300 * time.Millisecond, (*checkpoints).allDirty},
		{"checkpoints-1m-tenth", 1_000_000, 200, 10, 100 * time.Millisecond, (*checkpoints).tenthDirty},
		{"checkpoints-10m", 10_000_000, 20, 1, time.Second, (*checkpoints).large},
	} {
		all = append(all, benchmark{b.name, b.run})
	}
	return all
}

// checkpoints is what was measured of them.
type checkpoints struct {
	keys      int
	count     int64     // of checkpoints
	pauses    []float64 // of the tasks with keyed state, ms
	aligned   []float64 // longest of the tasks, ms
	durations []float64 // for each million rows written, s
	rows      int64     // written
	bytes     int64     // written, by the manifests
	toDisk    int64     // written, by the operating system's account of the process; 0: not known
	disk      int64     // taken by the store at the end, bytes
	peak      int64     // the most it took after a checkpoint
	named     int64     // of the chunks that the retained checkpoints name
}

func (b checkpointing) run(o *options) ([]line, error) {
	keys, count := o.scale(b.keys, b.keys/10), o.scale(b.count, max(b.count/10, 5))
	table := &memoryTable{dataset: hot(2*keys, keys, keys/b.share), endless: true}
	script := serve("t", table, tasks) + statefulInsert
	c := &checkpoints{keys: keys}
	err := withStore(o, func(store *storage.Store) error {
		j, err := startStateful(store, script, tasks, 0)
		if err != nil {
			return err
		}
		defer j.Cancel()
		if err := j.waitRows(2 * keys); err != nil {
			return err
		}
		if _, err := j.checkpoint(); err != nil { // the first one writes everything
			return err
		}
		err = o.profiled(b.name, func() error { return c.take(o, j, count, b.pause) })
		if err != nil {
			return err
		}
		return j.cancel()
	})
	if err != nil {
		return nil, err
	}
	return b.lines(c), nil
}

// take takes checkpoints and notes what their manifests tell. Times are those of the checkpoints that other programs have left alone,
// if there were any.
func (c *checkpoints) take(o *options, j *stateful, count int, pause time.Duration) error {
	before := bytesWritten()
	var disturbed []*checkpoint.Manifest
	for range count {
		var m *checkpoint.Manifest
		var err error
		time.Sleep(pause)
		if o.calm.disturbed(func() { m, err = j.checkpoint() }) {
			disturbed = append(disturbed, m)
		} else if err == nil {
			c.noteTimes(m)
		}
		if err == nil {
			err = c.noteSizes(m, j.store)
		}
		if err != nil {
			return err
		}
	}
	if len(c.durations) == 0 {
		for _, m := range disturbed {
			c.noteTimes(m)
		}
	}
	if before > 0 {
		c.toDisk = bytesWritten() - before
	}
	return c.measureNamed(j.log)
}

// noteSizes adds what a checkpoint has written, and what the store has come to.
func (c *checkpoints) noteSizes(m *checkpoint.Manifest, store *storage.Store) (err error) {
	c.count++
	c.rows += rowsOf(m)
	c.bytes += m.Bytes
	c.disk, err = store.Size()
	c.peak = max(c.peak, c.disk)
	return err
}

// noteTimes adds the times of a checkpoint.
func (c *checkpoints) noteTimes(m *checkpoint.Manifest) {
	var aligned time.Duration
	for _, t := range m.Tasks {
		aligned = max(aligned, time.Duration(t.Timing.Alignment))
		if strings.HasPrefix(t.Task.Vertex, "aggregate") {
			c.pauses = append(c.pauses, milliseconds(time.Duration(t.Timing.Sync)))
		}
	}
	c.aligned = append(c.aligned, milliseconds(aligned))
	c.durations = append(c.durations, m.Duration.Seconds()/float64(rowsOf(m))*1e6)
}

// rowsOf is the number of rows that a checkpoint has written.
func rowsOf(m *checkpoint.Manifest) (rows int64) {
	for _, t := range m.Tasks {
		rows += t.Timing.Rows
	}
	return rows
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// measureNamed adds up the chunks that are needed to restore any of the retained checkpoints.
func (c *checkpoints) measureNamed(log *checkpoint.Log) error {
	manifests, _, err := log.List()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, m := range manifests {
		for _, chunk := range m.Chunks() {
			if !seen[chunk.Key] {
				seen[chunk.Key] = true
				c.named += int64(chunk.Bytes)
			}
		}
	}
	return nil
}

// bytesWritten is what the process has caused to be written to disk so far; 0 where the system does not tell.
func bytesWritten() int64 {
	text, _ := os.ReadFile("/proc/self/io")
	for l := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(l, "write_bytes: "); ok {
			bytes, _ := strconv.ParseInt(strings.TrimSpace(n), 10, 64)
			return bytes
		}
	}
	return 0
}

// perRow is the bytes that one row of state takes in a chunk.
func (c *checkpoints) perRow() float64 { return float64(c.bytes) / float64(c.rows) }

// allDirty is the lines of a job that changes every row between two checkpoints.
func (c *checkpoints) allDirty() []line {
	return []line{
		c.pauseLine(2),
		ofQuantile("alignment at saturation, p99", atMost(50, "ms"), 0.99, c.aligned, fmt.Sprintf("p50 %.1f ms", median(c.aligned))),
		ofMedian("checkpoint, for each million dirty rows, p50", atMost(0.5, "s"), c.durations, c.throughputText()),
		ofQuantile("checkpoint, for each million dirty rows, p99", atMost(1, "s"), 0.99, c.durations, c.throughputText()),
		c.writtenLine("all rows dirty", float64(c.bytes)),
		c.diskLine("all rows dirty"),
	}
}

// tenthDirty is the lines of a job that changes a tenth of its rows between two checkpoints.
func (c *checkpoints) tenthDirty() []line {
	dirty := float64(c.count) * float64(c.keys) / 10 * c.perRow()
	return []line{c.writtenLine("10 % of the rows dirty", dirty), c.diskLine("10 % of the rows dirty")}
}

// large is the lines of a job with much state.
func (c *checkpoints) large() []line { return []line{c.pauseLine(5)} }

func (c *checkpoints) pauseLine(goal float64) line {
	what := fmt.Sprintf("barrier pause of a task with keyed state, %s keys, p99", short(c.keys))
	return ofQuantile(what, atMost(goal, "ms"), 0.99, c.pauses,
		fmt.Sprintf("p50 %.2f ms; %d tasks, %d checkpoints", median(c.pauses), tasks, len(c.durations)))
}

func (c *checkpoints) throughputText() string {
	return fmt.Sprintf("%d checkpoints of %.2f M rows, %.0f bytes a row", len(c.durations), float64(c.rows)/float64(c.count)/1e6, c.perRow())
}

// writtenLine compares what reaches the disk with the dirty rows.
func (c *checkpoints) writtenLine(dirt string, dirty float64) line {
	v := float64(max(c.toDisk, c.bytes)) / dirty
	return line{
		"bytes written ÷ bytes of dirty rows, " + dirt, atMost(3, ""), v,
		[]float64{v},
		fmt.Sprintf("chunks alone %.2f", float64(c.bytes)/dirty),
	}
}

// diskLine compares the store with the state that the retained checkpoints consist of.
func (c *checkpoints) diskLine(dirt string) line {
	v := float64(c.disk) / float64(c.named)
	live := float64(c.keys) * c.perRow()
	return line{
		fmt.Sprintf("disk after %d checkpoints ÷ state of the retained ones, %s", c.count, dirt), atMost(3, ""), v,
		[]float64{v},
		fmt.Sprintf("%d MB, at most %d; %.1f × one copy of the state", c.disk>>20, c.peak>>20, float64(c.disk)/live),
	}
}
