package session

import (
	"fmt"
	"strings"

	"streamsql/checkpoint"
	"streamsql/job"
	"streamsql/parser"
	"streamsql/storage"
)

// restoration is a job that is to be restored.
type restoration struct {
	name     string
	script   string // starts the job
	dir      string // that relative paths in it start from
	manifest *checkpoint.Manifest
	restore  job.Restore
}

// restoration finds the state that a job is to be restored from.
func (s *Session) restoration(st statement, r *parser.RestoreJob) (restoration, error) {
	if r.From.Kind == parser.FromSavepoint {
		return s.fromSavepoint(st, r)
	}
	store, err := s.store()
	if err != nil {
		return restoration{}, err
	}
	known, err := s.jobRecord(st, store, r.Job)
	if err != nil {
		return restoration{}, err
	}
	log, err := checkpoint.OpenLog(store, known.Name)
	if err != nil {
		return restoration{}, err
	}
	m, err := findCheckpoint(log, r.From)
	if err != nil {
		return restoration{}, st.errorAt(r.From.At(), err.Error(), "SHOW CHECKPOINTS FOR JOB lists those that are kept")
	}
	if m.Final {
		return restoration{}, st.errorAt(r.From.At(),
			fmt.Sprintf("job '%s' had read all its input at checkpoint %d: there is nothing to go on with", known.Name, m.ID))
	}
	from := restoration{name: known.Name, script: m.SQL, dir: known.Dir, manifest: m, restore: job.Restore{Checkpoint: m.ID}}
	if r.As != nil && !strings.EqualFold(r.As.Value, known.Name) && !r.DryRun {
		from.restore, err = s.copyFor(st, known, *r.As, m, log)
	}
	return from, err
}

// findCheckpoint returns the checkpoint that CHECKPOINT n or LATEST names.
func findCheckpoint(log *checkpoint.Log, from parser.RestorePoint) (*checkpoint.Manifest, error) {
	if from.Kind == parser.FromCheckpoint {
		return log.Get(checkpoint.ID(from.Checkpoint))
	}
	m, _, err := log.Newest()
	return m, err
}

// copyFor makes a savepoint of a job's checkpoint for another job to start from: a job can use the checkpoints of its own only.
func (s *Session) copyFor(st statement, r record, other parser.Text, m *checkpoint.Manifest, log *checkpoint.Log) (job.Restore, error) {
	name := parser.Text{Span: other.Span, Value: fmt.Sprintf("%s-%d-for-%s", r.Name, m.ID, other.Value)}
	target, err := s.newSavepoint(st, r, &name, nil)
	if err != nil {
		return job.Restore{}, err
	}
	if err := checkpoint.WriteSavepoint(target.Dir, m, log.Reader()); err != nil {
		return job.Restore{}, err
	}
	_, err = s.keepSavepoint(target)
	return job.Restore{Savepoint: target.Dir}, err
}

// fromSavepoint finds the savepoint that a job is to be restored from.
func (s *Session) fromSavepoint(st statement, r *parser.RestoreJob) (restoration, error) {
	m, dir, err := s.openSavepoint(st, r.From.Savepoint)
	if err != nil {
		return restoration{}, err
	}
	if !strings.EqualFold(m.Job, r.Job.Value) && r.As == nil {
		return restoration{}, st.errorAt(r.Job.At(), fmt.Sprintf("savepoint '%s' is of job '%s'", r.From.Savepoint.Value, m.Job),
			fmt.Sprintf("write RESTORE JOB %s, or add AS %s to start it under that name", m.Job, r.Job.Value))
	}
	from := restoration{name: m.Job, script: m.SQL, dir: s.options.Dir, manifest: m, restore: job.Restore{Savepoint: dir}}
	store, err := s.store()
	if err != nil || store == nil {
		return from, err
	}
	from.dir = knownDir(s.engine, store, m.Job, from.dir)
	return from, nil
}

// knownDir is the directory that relative paths of a job start from, or other if the job is not known here.
func knownDir(e *Engine, store *storage.Store, name, other string) string {
	r, err := e.jobs.record(store, name)
	if err != nil {
		return other
	}
	return r.Dir
}
