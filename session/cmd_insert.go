package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/parser"
	"streamsql/planner"
	"streamsql/storage"
)

func init() {
	register(runInsert,
		Command{"INSERT INTO t SELECT …", "start a job that writes the rows of a query, with checkpoints"},
		Command{"INSERT INTO t VALUES (…), …", "write rows"})
	register(runStatementSet, Command{"EXECUTE STATEMENT SET BEGIN INSERT …; INSERT …; END", "start one job with several sinks"})
}

func runInsert(ctx context.Context, s *Session, st statement, _ *parser.Insert) (*Result, error) {
	return s.runInserts(ctx, st)
}

func runStatementSet(ctx context.Context, s *Session, st statement, _ *parser.StatementSet) (*Result, error) {
	return s.runInserts(ctx, st)
}

// runInserts starts the job of a statement.
func (s *Session) runInserts(ctx context.Context, st statement) (*Result, error) {
	restore, err := s.restoreSettings(st)
	if err != nil {
		return nil, err
	}
	name := s.jobName(st)
	if restore.Savepoint == "" && s.finished(name) {
		restore.Fresh = true
	}
	return s.startJob(ctx, st, start{name: name, restore: restore})
}

// finished tells whether the job of a name has read all its input and is done. One that was killed before it could say so goes on
// from its last checkpoint, which may have output that is still hidden.
func (s *Session) finished(name string) bool {
	store, err := s.store()
	if store == nil || err != nil {
		return false // the job's start tells what is wrong
	}
	r, err := s.engine.jobs.record(store, name)
	return err == nil && r.Status.State == job.Finished
}

// start is how a statement becomes a job.
type start struct {
	name    string
	restore job.Restore
	// sql is the script that starts the job again; it is made from the statement if empty.
	sql string
}

// plan plans a statement that becomes a job.
func (s *Session) plan(st statement) (*planner.Planned, error) {
	switch tree := st.tree.(type) {
	case *parser.Insert:
		return s.planner().PlanInsert(tree, st.in())
	case *parser.StatementSet:
		return s.planner().PlanStatementSet(tree, st.in())
	}
	return nil, st.errorAt(st.tree.At(), "a job is an INSERT or a statement set")
}

// startJob plans a statement and starts its job.
func (s *Session) startJob(ctx context.Context, st statement, how start) (*Result, error) {
	planned, err := s.plan(st)
	if err != nil {
		return nil, err
	}
	store, err := s.engine.open()
	if err != nil {
		return nil, err
	}
	if how.sql == "" {
		how.sql = s.jobScript(st)
	}
	spec := s.spec(how.name, how.sql, planned.Graph)
	spec.Store, spec.Restore = store, how.restore
	spec.Restore.IgnoreMissingOutput = settings.IgnoreMissingOutput.Of(s.settings)
	spec.Errors = s.errorSinks(how.name)
	run, err := s.engine.jobs.start(record{Name: how.name, SQL: how.sql, Dir: s.options.Dir, Parallelism: spec.Parallelism}, spec)
	if err != nil {
		return nil, startError(st, how.name, err)
	}
	st.script.started++
	s.jobs = append(s.jobs, localJob(run))
	if settings.DMLSync.Of(s.settings) || writesValues(st.tree) {
		return s.await(ctx, run)
	}
	return &Result{Message: fmt.Sprintf("job %s started", how.name), Job: how.name}, nil
}

// writesValues reports whether a statement writes rows it has itself. It waits for its job, so that the next statement finds them.
func writesValues(tree parser.Stmt) bool {
	insert, ok := tree.(*parser.Insert)
	if !ok {
		return false
	}
	_, ok = insert.Query.Body.(*parser.Values)
	return ok
}

// startError tells why a job cannot be started.
func startError(st statement, name string, err error) error {
	if errors.Is(err, errRunning) {
		return st.errorAt(st.tree.At(), fmt.Sprintf("job '%s' is running already", name), "SET 'pipeline.name' gives the next job another name, STOP JOB ends the one that runs")
	}
	if taken := (*placeTakenError)(nil); errors.As(err, &taken) {
		return st.errorAt(st.tree.At(), taken.Error(), "SET 'table.dml-sync' = 'true' lets each INSERT wait for the end of its job",
			"a directory, with a path that ends in '/', takes the output of several jobs")
	}
	return fmt.Errorf("job %s: %w", name, err)
}

// await waits for a job to end. If the statement is cancelled meanwhile, the job takes a last checkpoint and stops.
func (s *Session) await(ctx context.Context, run *running) (*Result, error) {
	select {
	case <-run.ended:
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), run.stop(context.WithoutCancel(ctx)))
	}
	if err := run.Wait(); err != nil {
		return nil, err
	}
	return &Result{Message: ended(run.now()), Job: run.record.Name}, nil
}

// jobName names the job of a statement: as pipeline.name says, or after the text it stands in, or else after its table.
func (s *Session) jobName(st statement) string {
	if name := s.givenName(st); name != "" {
		return name
	}
	return s.freeName(firstInsert(st.tree).Table.Last().Name)
}

// givenName is the name of the job of a statement if pipeline.name or the text it stands in gives one, else "". Further jobs of
// a file have numbers behind the name.
func (s *Session) givenName(st statement) string {
	name := settings.PipelineName.Of(s.settings)
	if name == "" {
		name = st.script.Job
	}
	if st.script.Job != "" && st.script.started > 0 {
		name = fmt.Sprintf("%s-%d", name, st.script.started+1)
	}
	return name
}

// firstInsert is the first of the inserts that a job consists of.
func firstInsert(tree parser.Stmt) *parser.Insert {
	if set, ok := tree.(*parser.StatementSet); ok {
		return set.Inserts[0]
	}
	return tree.(*parser.Insert)
}

// freeName is the name itself, or with a number behind it if a job of that name is running.
func (s *Session) freeName(name string) string {
	free := name
	for n := 2; s.engine.jobs.find(free) != nil; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}

// restoreSettings tells where the session's settings let the next job start.
func (s *Session) restoreSettings(st statement) (job.Restore, error) {
	r := job.Restore{Fresh: settings.Fresh.Of(s.settings)}
	if settings.IgnoreUnclaimed.Of(s.settings) {
		r.Mismatch = job.IgnoreState
	}
	if path := settings.RecoveryPath.Of(s.settings); path != "" {
		dir, err := s.savepointDir(path)
		if err != nil {
			return r, st.errorAt(st.tree.At(), "execution.state-recovery.path: "+err.Error())
		}
		r.Savepoint = dir
	}
	return r, nil
}

// quote writes a text as an SQL string.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// store opens the data directory for a statement about jobs or savepoints. There are none if there is no data directory, and
// then it returns nil.
func (s *Session) store() (*storage.Store, error) {
	if s.engine.opened() == nil && !s.engine.exists() {
		return nil, nil
	}
	return s.engine.open()
}
