package sql

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/checkpoint"
	_ "streamsql/connector/all"
	"streamsql/connector/format"
	"streamsql/exec/expr"
	"streamsql/internal/dirty"
	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/parser"
	"streamsql/session"
)

// straight runs a file and returns the final rows of its last statement.
func straight(t *testing.T, f *testFile, parallelism, batch int) ([]byte, error) {
	e := newEngine(t, f.unpack(t))
	sql := f.script
	if insert := lastInsert(f.script); insert != nil {
		sql += fmt.Sprintf("\nSELECT * FROM %s;", parser.FormatExpr(&parser.ColumnRef{Name: insert.Table}))
	}
	return e.run(t, settingsFor(parallelism, batch)+sql)
}

// restart is one way to break a job off: its parallelism before and after, and its batch size.
type restart struct{ before, after, rows int }

// slow makes the longest input of a file take half a second, in rows a second.
func slow(f *testFile) int {
	rows := 1
	for _, in := range f.inputs() {
		rows = max(rows, bytes.Count(in.Data, []byte("\n")))
	}
	return 2 * rows
}

// broken runs a file as a job: an INSERT as it is, a query as one into a file. The job is broken off after its first checkpoints,
// without a last one, and started again until it ends by itself. breaks counts how often it was.
func broken(t *testing.T, f *testFile, c restart, breaks *atomic.Int64) ([]byte, error) {
	dir := f.unpack(t)
	script, sink, err := asJob(t, f)
	if err != nil {
		return nil, err
	}
	fast := script + ";\n"
	script = slowed(t, script, slow(f)) + ";\n"
	configure := func(parallelism int) string {
		return settingsFor(parallelism, c.rows) + "SET 'pipeline.name' = 'test';\nSET 'execution.checkpointing.interval' = '4 ms';\n"
	}
	for attempt := range 3 {
		parallelism := c.before
		if attempt%2 == 1 {
			parallelism = c.after
		}
		e := newEngine(t, dir)
		ended, err := e.breakOff(t, configure(parallelism)+script, attempt+1)
		if err != nil {
			return nil, err
		}
		if ended {
			return newEngine(t, dir).run(t, tables(t, fast)+"SELECT * FROM "+sink+";")
		}
		breaks.Add(1)
	}
	e := newEngine(t, dir)
	return e.run(t, configure(c.after)+"SET 'table.dml-sync' = 'true';\n"+fast+"SELECT * FROM "+sink+";")
}

func settingsFor(parallelism, batch int) string {
	return fmt.Sprintf("SET 'parallelism.default' = '%d';\nSET 'exec.batch.rows' = '%d';\nSET 'table.local-time-zone' = 'UTC';\n",
		parallelism, batch)
}

// engine is an engine of its own for one run, in the directory of the test's files.
type engine struct {
	*session.Engine
	dir string
	mem *memory.CheckedAllocator
}

// newEngine makes an engine that, once it is closed, must have given back all memory.
func newEngine(t *testing.T, dir string) *engine {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	e := &engine{session.NewEngine(filepath.Join(dir, "data")), dir, mem}
	t.Cleanup(func() {
		e.close()
		mem.AssertSize(t, 0)
	})
	return e
}

func (e *engine) close() {
	if e.Engine == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // jobs that still run are not to take a last checkpoint
	_ = e.Close(ctx)
	e.Engine = nil
}

// run executes a script and returns the final rows of the last statement that has some, as JSON lines.
func (e *engine) run(t *testing.T, sql string) (out []byte, err error) {
	defer e.close()
	s := e.NewSession(session.Options{Dir: e.dir, FinalResult: true, Alloc: e.mem})
	defer s.Close()
	ctx := t.Context()
	for result, err := range s.Execute(ctx, session.Source{Name: "test.sql", Text: sql, Job: "test"}) {
		if err != nil {
			return nil, err
		}
		if result.Job != "" {
			if err := e.Wait(ctx); err != nil {
				return nil, err
			}
			for _, j := range s.Jobs() {
				if err := j.Err(); err != nil {
					return nil, err
				}
			}
		}
		if result.Rows != nil {
			if out, err = final(ctx, result.Rows, settings.TimeZone.Of(s.Settings()), e.mem); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// final reads a result to its end and writes what is left of it.
func final(ctx context.Context, rows *session.Rows, zone *time.Location, mem memory.Allocator) ([]byte, error) {
	var out bytes.Buffer
	w, err := format.NewRowWriter(&out, "json", rows.Schema, zone, nil)
	if err != nil {
		return nil, err
	}
	bag := session.NewBag(mem)
	defer bag.Release()
	for b, err := range rows.All(ctx) {
		if err != nil {
			return nil, err
		}
		bag.Apply(b)
	}
	for b := range bag.Rows(rows.Sort) {
		if err := w.Write(b); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}

// breakOff starts the script's job and cancels it when it has completed some checkpoints. It tells if the job has ended before.
func (e *engine) breakOff(t *testing.T, sql string, checkpoints int) (ended bool, err error) {
	defer e.close()
	s := e.NewSession(session.Options{Dir: e.dir, Alloc: e.mem})
	defer s.Close()
	for _, err := range s.Execute(t.Context(), session.Source{Name: "test.sql", Text: sql, Job: "test"}) {
		if err != nil {
			return false, err
		}
	}
	jobs := s.Jobs()
	if len(jobs) != 1 {
		return false, fmt.Errorf("the script has started %d jobs", len(jobs))
	}
	first := jobs[0].Status().Checkpoint
	for jobs[0].Status().Checkpoint < first+checkpoint.ID(checkpoints) {
		select {
		case <-jobs[0].Done():
			return true, jobs[0].Err()
		case <-time.After(time.Millisecond):
		}
	}
	e.close()
	return jobs[0].Status().State == job.Finished, jobs[0].Err()
}

// lastInsert is the script's last statement if it is an INSERT.
func lastInsert(script string) *parser.Insert {
	trees, err := parser.Parse("test.sql", script)
	if err != nil || len(trees) == 0 {
		return nil
	}
	insert, _ := trees[len(trees)-1].(*parser.Insert)
	return insert
}

// asJob turns the script's last query into an INSERT into a file, and tells the table that holds the result.
func asJob(t *testing.T, f *testFile) (script, sink string, err error) {
	if insert := lastInsert(f.script); insert != nil {
		return f.script, parser.FormatExpr(&parser.ColumnRef{Name: insert.Table}), nil
	}
	schema, err := schemaOf(t, f)
	if err != nil {
		return "", "", err
	}
	trees, err := parser.Parse("test.sql", f.script)
	if err != nil {
		return "", "", err
	}
	query := trees[len(trees)-1]
	var columns []string
	for _, c := range schema.Fields() {
		columns = append(columns, fmt.Sprintf("`%s` %s", c.Name, expr.TypeName(c.Type)))
	}
	return fmt.Sprintf("%s\nCREATE TABLE recovered (%s) WITH ('connector' = 'filesystem', 'path' = 'recovered.ndjson', "+
		"'format' = 'changelog-json');\nINSERT INTO recovered %s", f.script[:query.At().Lo], strings.Join(columns, ", "),
		query.At().Slice(f.script)), "recovered", nil
}

// schemaOf is the schema of the script's result.
func schemaOf(t *testing.T, f *testFile) (*arrow.Schema, error) {
	e := newEngine(t, f.unpack(t))
	defer e.close()
	s := e.NewSession(session.Options{Dir: e.dir, Alloc: e.mem})
	defer s.Close()
	var schema *arrow.Schema
	for result, err := range s.Execute(t.Context(), session.Source{Text: f.script}) {
		if err != nil {
			return nil, err
		}
		if result.Rows != nil {
			schema = result.Rows.Schema
		}
	}
	if schema == nil {
		return nil, errors.New("the script has no result")
	}
	return schema, nil
}

// slowed limits how fast the script's tables are read, so that there is time for checkpoints.
func slowed(t *testing.T, script string, rate int) string {
	trees, err := parser.Parse("test.sql", script)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, tree := range trees {
		if table, ok := tree.(*parser.CreateTable); ok && table.Name.Last().Name != "recovered" && !isSink(trees, table) {
			table.With = append(table.With, slowly(table, rate))
		}
		out = append(out, parser.Format(tree))
	}
	return strings.Join(out, ";\n")
}

// slowly is the option that limits how fast a table is read; one that is made up takes half a second.
func slowly(table *parser.CreateTable, rate int) parser.Property {
	option := func(key string, rate int) parser.Property {
		return parser.Property{Key: parser.Text{Value: key}, Value: parser.Text{Value: fmt.Sprint(rate)}}
	}
	for _, p := range table.With {
		if p.Key.Value == "number-of-rows" {
			rows, _ := strconv.Atoi(p.Value.Value)
			return option("rows-per-second", 2*rows)
		}
	}
	return option("scan.rows-per-second", rate)
}

// tables is the script without its last statement.
func tables(t *testing.T, script string) string {
	trees, err := parser.Parse("test.sql", script)
	if err != nil {
		t.Fatal(err)
	}
	return script[:trees[len(trees)-1].At().Lo]
}

func isSink(trees []parser.Stmt, table *parser.CreateTable) bool {
	insert, ok := trees[len(trees)-1].(*parser.Insert)
	return ok && strings.EqualFold(insert.Table.Last().Name, table.Name.Last().Name)
}
