package session

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"streamsql/exec/vec"
	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/parser"
	"streamsql/plan"
	"streamsql/planner"
)

func init() {
	register(runQuery, Command{"SELECT … FROM … [WHERE …] [GROUP BY …] [HAVING …] [ORDER BY …] [LIMIT n] [EMIT …]", "run a query and print its rows"})
}

// queryCount numbers queries for messages.
var queryCount atomic.Int64

func runQuery(ctx context.Context, s *Session, st statement, q *parser.QueryStmt) (*Result, error) {
	planned, err := s.planner().PlanQuery(q.Query, st.in())
	if err != nil {
		return nil, err
	}
	rows, err := s.stream(ctx, st, planned)
	if err != nil {
		return nil, err
	}
	return &Result{Rows: rows}, nil
}

// stream starts a query and returns its rows.
func (s *Session) stream(ctx context.Context, st statement, planned *planner.Planned) (*Rows, error) {
	ctx, cancel := context.WithCancel(ctx)
	q := &query{cancel: cancel, batches: make(chan vec.Batch)}
	spec := s.spec(fmt.Sprintf("query-%d", queryCount.Add(1)), st.text(), planned.Graph)
	spec.Collect = func(b vec.Batch) error { return q.deliver(ctx, b) }
	j, err := job.Start(ctx, spec)
	if err != nil {
		cancel()
		return nil, err
	}
	q.job = j
	vertices := planned.Graph.Vertices
	rows := &Rows{
		Schema:  planned.Schema,
		columns: vertices[len(vertices)-1].Schema,
		Shape:   Shape{Updating: planned.Changelog != plan.Append, Bounded: planned.Bounded, Sort: planned.Sort},
		next:    q.next, close: q.close,
		progress: func() *job.Status { status := j.Status(); return &status },
	}
	rows.limitEarly()
	return rows, nil
}

// spec is what all jobs of the session have in common.
func (s *Session) spec(name, sql string, graph *plan.Graph) job.Spec {
	return job.Spec{
		Name: name, SQL: sql, Graph: graph,
		Parallelism: settings.Parallelism.Of(s.settings),
		BatchRows:   settings.BatchRows.Of(s.settings),
		Settings:    s.evaluation(),
		Alloc:       s.options.Alloc,
		Checkpoint:  s.checkpoints(),
		Restart:     s.restarts(),
		Notice:      s.note,
		Warn:        s.warn,
	}
}

// query is a query whose rows are being read.
type query struct {
	job     *job.Job
	cancel  context.CancelFunc
	batches chan vec.Batch
}

// deliver passes on a batch of the result, waiting for its reader.
func (q *query) deliver(ctx context.Context, b vec.Batch) error {
	select {
	case q.batches <- b:
		return nil
	case <-ctx.Done():
		b.Release()
		return ctx.Err()
	}
}

func (q *query) next(ctx context.Context) (vec.Batch, error) {
	select {
	case b := <-q.batches:
		return b, nil
	case <-q.job.Done():
		if err := q.job.Wait(); err != nil {
			return vec.Batch{}, err
		}
		return vec.Batch{}, io.EOF
	case <-ctx.Done():
		return vec.Batch{}, ctx.Err()
	}
}

// close cancels the query if it still runs, and waits for its end.
func (q *query) close() error {
	q.job.Cancel()
	q.cancel()
	<-q.job.Done()
	return nil
}
