package session

import (
	"context"
	"errors"
	"fmt"
	"os"

	"streamsql/checkpoint"
	"streamsql/parser"
	"streamsql/storage"
)

func init() {
	register(runCreateSavepoint, Command{
		"CREATE SAVEPOINT ['name'] FOR JOB j [TO 'dir']",
		"write a copy of a job's state that can be moved and restored",
	})
	register(runDropSavepoint, Command{"DROP SAVEPOINT 'name'", "delete a savepoint"})
	register(runVerifySavepoint, Command{"VERIFY SAVEPOINT 'name' | 'dir'", "read a savepoint and compare all its checksums"})
}

// runCreateSavepoint makes a savepoint of a running job, or of the newest checkpoint of one that does not run.
func runCreateSavepoint(ctx context.Context, s *Session, st statement, c *parser.CreateSavepoint) (*Result, error) {
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	r, err := s.jobRecord(st, store, c.Job)
	if err != nil {
		return nil, err
	}
	target, err := s.newSavepoint(st, r, c.Name, c.Dir)
	if err != nil {
		return nil, err
	}
	if run := s.engine.jobs.find(r.Name); run != nil {
		err = run.Savepoint(ctx, target.Dir)
	} else {
		err = copyCheckpoint(store, r.Name, target.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("savepoint '%s' of job '%s': %w", target.Name, r.Name, err)
	}
	return s.keepSavepoint(target)
}

// copyCheckpoint writes the newest checkpoint of a job that does not run as a savepoint.
func copyCheckpoint(store *storage.Store, job, dir string) error {
	log, err := checkpoint.OpenLog(store, job)
	if err != nil {
		return err
	}
	m, _, err := log.Newest()
	if err != nil {
		return err
	}
	return checkpoint.WriteSavepoint(dir, m, log.Reader())
}

func showSavepoints(s *Session, _ statement, show *parser.Show) (*Result, error) {
	all, err := s.savepoints()
	if err != nil {
		return nil, err
	}
	fits := filter(show)
	g := s.newGrid(textField("savepoint"), textField("job"), timeField("created"), textField("directory"))
	for _, p := range all {
		if fits(p.Name) && (show.Job == nil || show.Job.Value == p.Job) {
			g.add(p.Name, p.Job, p.Created, p.Dir)
		}
	}
	return g.result(), nil
}

// runDropSavepoint deletes a savepoint that has a name. One that is known by its directory alone is the user's own.
func runDropSavepoint(_ context.Context, s *Session, st statement, d *parser.DropSavepoint) (*Result, error) {
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	dir, err := s.savepointDir(d.Savepoint.Value)
	if err != nil {
		return nil, savepointError(st, d.Savepoint, err)
	}
	if store == nil || !indexed(store, d.Savepoint.Value) {
		return nil, st.errorAt(d.Savepoint.At(), fmt.Sprintf("'%s' is a directory and not the name of a savepoint", d.Savepoint.Value),
			"SHOW SAVEPOINTS lists the names")
	}
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("savepoint '%s': %w", d.Savepoint.Value, err)
	}
	if err := store.Delete(storage.SavepointKey(d.Savepoint.Value)); err != nil {
		return nil, err
	}
	return confirmation("savepoint %s dropped", d.Savepoint.Value), nil
}

func indexed(store *storage.Store, name string) bool {
	_, err := store.Get(storage.SavepointKey(name))
	return err == nil
}

// savepointError puts an error about a savepoint's name at its place.
func savepointError(st statement, name parser.Text, err error) error {
	if unknown := (*noSavepointError)(nil); errors.As(err, &unknown) {
		return st.errorAt(name.At(), unknown.Error(), unknown.hint)
	}
	return err
}

// openSavepoint reads the manifest of the savepoint that a statement names.
func (s *Session) openSavepoint(st statement, name parser.Text) (*checkpoint.Manifest, string, error) {
	dir, err := s.savepointDir(name.Value)
	if err != nil {
		return nil, "", savepointError(st, name, err)
	}
	m, _, err := checkpoint.OpenSavepoint(dir)
	if err != nil {
		return nil, "", fmt.Errorf("savepoint '%s': %w", name.Value, err)
	}
	return m, dir, nil
}

func runVerifySavepoint(_ context.Context, s *Session, st statement, v *parser.VerifySavepoint) (*Result, error) {
	dir, err := s.savepointDir(v.Savepoint.Value)
	if err != nil {
		return nil, savepointError(st, v.Savepoint, err)
	}
	m, err := checkpoint.VerifySavepoint(dir)
	if err != nil {
		return nil, fmt.Errorf("savepoint '%s': %w", v.Savepoint.Value, err)
	}
	return &Result{Message: fmt.Sprintf("savepoint %s is whole: checkpoint %d of job %s", v.Savepoint.Value, m.ID, m.Job)}, nil
}
