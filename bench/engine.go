package main

import (
	"context"
	"fmt"
	"time"

	_ "streamsql/connector/all"

	"streamsql/catalog"
	"streamsql/checkpoint"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
	"streamsql/job"
	"streamsql/parser"
	"streamsql/planner"
	"streamsql/storage"
)

// serve makes the dataset the table of that name and returns the statement that creates it.
func serve(name string, t *memoryTable, splits int) string {
	memoryTables.Store(name, t)
	return fmt.Sprintf("CREATE TABLE %s (%s) WITH ('connector' = 'memory', 'name' = '%s', 'splits' = '%d');\n",
		name, t.columns("STRING"), name, splits)
}

// newJob plans a script of CREATE TABLE statements and a query or INSERT, as a session would.
func newJob(name, script string, parallelism int) (job.Spec, error) {
	spec := job.Spec{
		Name: name, SQL: script, Parallelism: parallelism, BatchRows: vec.DefaultRows,
		Settings:   expr.Settings{TimeZone: time.UTC},
		Checkpoint: checkpoint.DefaultConfig(), Restart: checkpoint.NoRestart{},
	}
	trees, err := parser.Parse(name, script)
	if err != nil {
		return spec, err
	}
	objects := catalog.New(nil)
	p := planner.New(objects, planner.Settings{Expr: spec.Settings, Parallelism: parallelism, FinalResult: true})
	in := catalog.Script{Name: name, Text: script}
	for _, tree := range trees {
		var planned *planner.Planned
		switch tree := tree.(type) {
		case *parser.CreateTable:
			table, err := p.CreateTable(tree, in)
			if err != nil {
				return spec, err
			}
			if err := objects.Create(table, catalog.Refuse); err != nil {
				return spec, err
			}
			continue
		case *parser.QueryStmt:
			planned, err = p.PlanQuery(tree.Query, in)
		case *parser.Insert:
			planned, err = p.PlanInsert(tree, in)
		default:
			err = fmt.Errorf("%s: a %T has no plan", name, tree)
		}
		if err != nil {
			return spec, err
		}
		spec.Graph = planned.Graph
	}
	return spec, nil
}

// runQuery runs a bounded query to its end and hands its batches to collect.
func runQuery(script string, parallelism int, collect func(vec.Batch)) error {
	spec, err := newJob("query", script, parallelism)
	if err != nil {
		return err
	}
	spec.Collect = func(b vec.Batch) error {
		collect(b)
		b.Release()
		return nil
	}
	j, err := job.Start(context.Background(), spec)
	if err != nil {
		return err
	}
	return j.Wait()
}

// stateful is a job with checkpoints, and the log they are in.
type stateful struct {
	*job.Job
	store *storage.Store
	log   *checkpoint.Log
}

// startStateful starts a job that keeps its checkpoints in a store. The interval 0 takes none by itself.
func startStateful(store *storage.Store, script string, parallelism int, interval time.Duration) (*stateful, error) {
	spec, err := newJob("bench", script, parallelism)
	if err != nil {
		return nil, err
	}
	spec.Store = store
	spec.Checkpoint.Interval = interval
	log, err := checkpoint.OpenLog(store, spec.Name)
	if err != nil {
		return nil, err
	}
	j, err := job.Start(context.Background(), spec)
	if err != nil {
		return nil, err
	}
	return &stateful{j, store, log}, nil
}

// checkpoint takes a checkpoint and returns its manifest.
func (s *stateful) checkpoint() (*checkpoint.Manifest, error) {
	id, err := s.Checkpoint(context.Background())
	if err != nil {
		return nil, err
	}
	return s.log.Get(id)
}

// rowsIn is the number of rows read so far.
func (s *stateful) rowsIn() int64 { return s.Status().RowsIn }

// waitRows waits until the job has read so many rows.
func (s *stateful) waitRows(n int) error {
	for s.rowsIn() < int64(n) {
		select {
		case <-s.Done():
			return fmt.Errorf("the job has ended: %w", s.Wait())
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// rate is the rows read in some time.
type rate struct {
	rows int64
	sample
}

func (r rate) rowsPerSecond() float64          { return float64(r.rows) / r.wall.Seconds() }
func (r rate) rowsPerProcessorSecond() float64 { return float64(r.rows) / r.cpu.Seconds() }

// throughput measures the job over some time from now.
func (s *stateful) throughput(over time.Duration) (rate, error) {
	began, cpu, rows := time.Now(), processorTime(), s.rowsIn()
	select {
	case <-s.Done():
		return rate{}, fmt.Errorf("the job has ended: %w", s.Wait())
	case <-time.After(over):
	}
	return rate{s.rowsIn() - rows, sample{time.Since(began), processorTime() - cpu}}, nil
}

// cancel ends the job at once.
func (s *stateful) cancel() error {
	s.Cancel()
	return s.Wait()
}
