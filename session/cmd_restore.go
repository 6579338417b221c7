package session

import (
	"context"
	"fmt"
	"strings"

	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/parser"
)

func init() {
	register(runRestoreJob, Command{
		"RESTORE JOB j FROM SAVEPOINT 'name' | SAVEPOINT 'dir' | CHECKPOINT n | LATEST [AS j2] [WITH ('on.mismatch' = '…', 'parallelism' = 'n')] [DRY RUN]",
		"start a job again from its state; DRY RUN tells what would become of the state",
	})
	register(runRestoreInsert, Command{"RESTORE FROM SAVEPOINT 'name' | 'dir' [WITH (…)] INSERT INTO …", "start a changed query from the state of another"})
}

// runRestoreJob starts a job again with the statements and settings it was made of. Of the session's own settings only those count
// that are not about what the job does.
func runRestoreJob(ctx context.Context, s *Session, st statement, r *parser.RestoreJob) (*Result, error) {
	from, err := s.restoration(st, r)
	if err != nil {
		return nil, err
	}
	if r.As != nil {
		from.name = r.As.Value
	}
	replay := s.engine.NewSession(Options{Dir: from.dir, Note: s.options.Note, Warn: s.options.Warn})
	defer replay.Close()
	last, err := replay.prepare(ctx, from)
	if err != nil {
		return nil, err
	}
	if err := replay.settings.Take(s.settings, settings.Parallelism.Key, settings.DMLSync.Key, settings.IgnoreMissingOutput.Key); err != nil {
		return nil, err
	}
	if err := restoreOptions(st, r.With, &from.restore, &replay.settings); err != nil {
		return nil, err
	}
	if r.DryRun {
		return replay.dryRun(last, from.manifest)
	}
	result, err := replay.startJob(ctx, last, start{name: from.name, restore: from.restore, sql: from.script})
	s.jobs = append(s.jobs, replay.jobs...)
	return result, err
}

// prepare runs the statements of a job's script up to its last, and returns that.
func (s *Session) prepare(ctx context.Context, from restoration) (statement, error) {
	text := &script{Source: Source{Name: "job " + from.name, Text: from.script}}
	trees, err := parser.Parse(text.Name, text.Text)
	if err != nil {
		return statement{}, err
	}
	if len(trees) == 0 {
		return statement{}, fmt.Errorf("the state of job %s does not tell its statement", from.name)
	}
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

// runRestoreInsert starts the job of a statement from the state of another one, whose name it takes over if it has none itself.
func runRestoreInsert(ctx context.Context, s *Session, st statement, r *parser.RestoreInsert) (*Result, error) {
	m, dir, err := s.openSavepoint(st, r.Savepoint)
	if err != nil {
		return nil, err
	}
	insert := statement{st.script, r.Stmt}
	how := start{name: m.Job, restore: job.Restore{Savepoint: dir}}
	if name := s.givenName(insert); name != "" {
		how.name = name
	}
	own := s.settings
	defer func() { s.settings = own }()
	s.settings = own.Clone()
	if err := restoreOptions(st, r.With, &how.restore, &s.settings); err != nil {
		return nil, err
	}
	return s.startJob(ctx, insert, how)
}

// mismatches are the values of the option on.mismatch.
var mismatches = map[string]func(*job.Restore){
	"fail":   func(*job.Restore) {},
	"ignore": func(r *job.Restore) { r.Mismatch = job.IgnoreState },
	"fresh":  func(r *job.Restore) { *r = job.Restore{Fresh: true} },
}

// restoreOptions takes the options of WITH: on.mismatch, and settings for this start of the job.
func restoreOptions(st statement, with []parser.Property, r *job.Restore, values *settings.Values) error {
	for _, p := range with {
		if !strings.EqualFold(p.Key.Value, "on.mismatch") {
			if err := values.Set(p.Key.Value, p.Value.Value); err != nil {
				return settingError(st, &p.Key, &p.Value, err)
			}
			continue
		}
		apply := mismatches[strings.ToLower(p.Value.Value)]
		if apply == nil {
			return st.errorAt(p.Value.At(), fmt.Sprintf("'on.mismatch' takes 'fail', 'ignore' or 'fresh', got '%s'", p.Value.Value))
		}
		apply(r)
	}
	return nil
}
