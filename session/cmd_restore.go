package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"streamsql/checkpoint"
	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/parser"
)

func init() {
	register(runRestoreJob, Command{
		"RESTORE JOB j FROM SAVEPOINT 'name' | SAVEPOINT 'dir' | CHECKPOINT n | LATEST [AS j2] [WITH ('on.mismatch' = '…', 'parallelism' = 'n')] [DRY RUN]",
		"start a job again from its state; DRY RUN tells what would become of the state"})
	register(runRestoreInsert, Command{"RESTORE FROM SAVEPOINT 'name' | 'dir' [WITH (…)] INSERT INTO …", "start a changed query from the state of another"})
}

// restoration is a job that is to be restored.
type restoration struct {
	name     string
	script   string // starts the job
	dir      string // that relative paths in it start from
	manifest *checkpoint.Manifest
	restore  job.Restore
}

// runRestoreJob starts a job again with the statements it was made of.
func runRestoreJob(ctx context.Context, s *Session, st statement, r *parser.RestoreJob) (*Result, error) {
	what, err := s.restoration(st, r)
	if err != nil {
		return nil, err
	}
	if r.As != nil {
		what.name = r.As.Value
	}
	scratch := s.engine.NewSession(Options{Dir: what.dir, Note: s.options.Note})
	defer scratch.Close()
	last, err := scratch.prepare(ctx, what)
	if err != nil {
		return nil, err
	}
	if err := restoreOptions(st, r.With, &what.restore, &scratch.settings); err != nil {
		return nil, err
	}
	if r.DryRun {
		return scratch.dryRun(last, what.manifest)
	}
	result, err := scratch.startJob(ctx, last, start{name: what.name, restore: what.restore, sql: what.script})
	s.jobs = append(s.jobs, scratch.jobs...)
	return result, err
}

// restoration finds the state a job is to be restored from.
func (s *Session) restoration(st statement, r *parser.RestoreJob) (restoration, error) {
	if r.From.Kind == parser.FromSavepoint {
		m, dir, err := s.openSavepoint(st, r.From.Savepoint)
		if err != nil {
			return restoration{}, err
		}
		if !strings.EqualFold(m.Job, r.Job.Value) && r.As == nil {
			return restoration{}, st.errorAt(r.Job.At(), fmt.Sprintf("savepoint '%s' is of job '%s'", r.From.Savepoint.Value, m.Job),
				fmt.Sprintf("write RESTORE JOB %s, or add AS %s to start it under that name", m.Job, r.Job.Value))
		}
		what := restoration{name: m.Job, script: m.SQL, dir: s.options.Dir, manifest: m, restore: job.Restore{Savepoint: dir}}
		if known, err := s.knownDir(m.Job); err == nil && known != "" {
			what.dir = known
		}
		return what, nil
	}
	return s.ownRestoration(st, r)
}

// knownDir is the directory that relative paths of a job start from, "" if the job is not known here.
func (s *Session) knownDir(name string) (string, error) {
	store, err := s.store()
	if store == nil {
		return "", err
	}
	r, err := s.engine.jobs.record(store, name)
	if err != nil {
		return "", err
	}
	return r.Dir, nil
}

// ownRestoration finds a checkpoint of a job of this data directory.
func (s *Session) ownRestoration(st statement, r *parser.RestoreJob) (restoration, error) {
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
	var m *checkpoint.Manifest
	if r.From.Kind == parser.FromCheckpoint {
		m, err = log.Get(checkpoint.ID(r.From.Checkpoint))
	} else {
		m, _, err = log.Newest()
	}
	if err != nil {
		return restoration{}, st.errorAt(r.From.At(), err.Error(), "SHOW CHECKPOINTS FOR JOB lists those that are kept")
	}
	if m.Final {
		return restoration{}, st.errorAt(r.From.At(), fmt.Sprintf("job '%s' had read all its input at checkpoint %d: there is nothing to go on with", known.Name, m.ID))
	}
	what := restoration{name: known.Name, script: m.SQL, dir: known.Dir, manifest: m, restore: job.Restore{Checkpoint: m.ID}}
	if r.As != nil && !strings.EqualFold(r.As.Value, known.Name) && !r.DryRun {
		// Another job cannot name the chunks of this one's checkpoint: it starts from a savepoint made of it.
		name := parser.Text{Span: r.As.Span, Value: fmt.Sprintf("%s-%d-for-%s", known.Name, m.ID, r.As.Value)}
		target, err := s.newSavepoint(st, known, &name, nil)
		if err != nil {
			return what, err
		}
		if err := checkpoint.WriteSavepoint(target.Dir, m, log.Reader()); err != nil {
			return what, err
		}
		what.restore = job.Restore{Savepoint: target.Dir}
		_, err = s.keepSavepoint(target)
		return what, err
	}
	return what, nil
}

// prepare runs the statements of a job's script up to its last, and returns that.
func (s *Session) prepare(ctx context.Context, what restoration) (statement, error) {
	trees, err := parser.Parse("job "+what.name, what.script)
	if err != nil {
		return statement{}, err
	}
	if len(trees) == 0 {
		return statement{}, fmt.Errorf("the state of job %s does not tell its statement", what.name)
	}
	text := &script{Source: Source{Name: "job " + what.name, Text: what.script}}
	last := len(trees) - 1
	for _, tree := range trees[:last] {
		result, err := s.executeHere(ctx, statement{text, tree})
		if err != nil {
			return statement{}, err
		}
		closeResult(result)
	}
	return statement{text, trees[last]}, nil
}

// restoreOptions takes the options of WITH.
func restoreOptions(st statement, with []parser.Property, r *job.Restore, values *settings.Values) error {
	for _, p := range with {
		switch key := strings.ToLower(p.Key.Value); key {
		case "on.mismatch":
			switch strings.ToLower(p.Value.Value) {
			case "fail":
			case "ignore":
				r.Mismatch = job.IgnoreState
			case "fresh":
				*r = job.Restore{Fresh: true}
			default:
				return st.errorAt(p.Value.At(), fmt.Sprintf("'on.mismatch' takes 'fail', 'ignore' or 'fresh', got '%s'", p.Value.Value))
			}
		case "parallelism":
			if _, err := strconv.Atoi(p.Value.Value); err != nil {
				return st.errorAt(p.Value.At(), fmt.Sprintf("'parallelism' takes a number, got '%s'", p.Value.Value))
			}
			fallthrough
		default:
			if err := values.Set(key, p.Value.Value); err != nil {
				return settingError(st, &p.Key, &p.Value, err)
			}
		}
	}
	return nil
}

// runRestoreInsert starts the job of a statement from the state of another one.
func runRestoreInsert(ctx context.Context, s *Session, st statement, r *parser.RestoreInsert) (*Result, error) {
	m, dir, err := s.openSavepoint(st, r.Savepoint)
	if err != nil {
		return nil, err
	}
	how := start{name: s.jobName(statement{st.script, r.Stmt}, firstInsert(r.Stmt)), restore: job.Restore{Savepoint: dir}}
	if settings.PipelineName.Of(s.settings) == "" && st.script.Job == "" {
		how.name = m.Job
	}
	given := s.settings.Clone()
	defer func() { s.settings = given }()
	if err := restoreOptions(st, r.With, &how.restore, &s.settings); err != nil {
		return nil, err
	}
	return s.startJob(ctx, statement{st.script, r.Stmt}, how)
}

func firstInsert(tree parser.Stmt) *parser.Insert {
	switch tree := tree.(type) {
	case *parser.Insert:
		return tree
	case *parser.StatementSet:
		return tree.Inserts[0]
	}
	return &parser.Insert{}
}
