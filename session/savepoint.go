package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"streamsql/internal/suggest"
	"streamsql/parser"
	"streamsql/storage"
)

// savepoint is what the engine keeps of a savepoint that was given a name.
type savepoint struct {
	Name    string    `json:"name"`
	Job     string    `json:"job"`
	Dir     string    `json:"dir"` // absolute, or relative to the data directory
	Created time.Time `json:"created"`
}

const savepointsDir = "savepoints"

// newSavepoint names a savepoint to be made of a job, and the directory it is to be written to. A savepoint without a name gets
// one from the job and the time.
func (s *Session) newSavepoint(st statement, r record, name, dir *parser.Text) (savepoint, error) {
	p := savepoint{Job: r.Name, Created: time.Now()}
	p.Name = fmt.Sprintf("%s-%s", r.Name, p.Created.UTC().Format("20060102-150405.000"))
	at := st.tree.At()
	if name != nil {
		p.Name, at = name.Value, name.At()
	}
	switch {
	case dir != nil:
		p.Dir = s.absolute(dir.Value)
	case strings.ContainsAny(p.Name, `/\`) || strings.HasPrefix(p.Name, ".") || p.Name == "":
		return p, st.errorAt(at, fmt.Sprintf("'%s' cannot name a savepoint", p.Name), "a name has no slash and does not begin with a dot; TO 'dir' names a directory")
	default:
		data, err := filepath.Abs(s.engine.dir)
		if err != nil {
			return p, err
		}
		p.Dir = filepath.Join(data, savepointsDir, p.Name)
	}
	if err := os.MkdirAll(filepath.Dir(p.Dir), 0o755); err != nil {
		return p, err
	}
	return p, s.checkFree(st, at, p)
}

// checkFree refuses a savepoint whose name or directory is taken.
func (s *Session) checkFree(st statement, at parser.Span, p savepoint) error {
	store, err := s.engine.open()
	if err != nil {
		return err
	}
	if _, err := store.Get(storage.SavepointKey(p.Name)); !isNotFound(err) {
		if err != nil {
			return err
		}
		return st.errorAt(at, fmt.Sprintf("savepoint '%s' exists already", p.Name), "DROP SAVEPOINT removes it")
	}
	if _, err := os.Stat(p.Dir); err == nil {
		return st.errorAt(at, fmt.Sprintf("directory %s exists already", p.Dir), "name one that does not")
	}
	return nil
}

// keepSavepoint enters a savepoint that has been written into the index and tells of it.
func (s *Session) keepSavepoint(p savepoint) (*Result, error) {
	store, err := s.engine.open()
	if err != nil {
		return nil, err
	}
	kept := p
	if data, err := filepath.Abs(s.engine.dir); err == nil {
		if inside, err := filepath.Rel(data, p.Dir); err == nil && filepath.IsLocal(inside) {
			kept.Dir = inside // so that it is found when the data directory has moved
		}
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return nil, err
	}
	if err := store.Put(storage.SavepointKey(p.Name), data); err != nil {
		return nil, err
	}
	g := s.newGrid(textField("savepoint"), textField("job"), textField("directory"))
	g.add(p.Name, p.Job, p.Dir)
	return g.result(), nil
}

// savepoints lists the savepoints of the index, by name.
func (s *Session) savepoints() ([]savepoint, error) {
	store, err := s.store()
	if store == nil {
		return nil, err
	}
	data, err := filepath.Abs(s.engine.dir)
	if err != nil {
		return nil, err
	}
	var all []savepoint
	err = store.Scan(storage.SavepointPrefix, func(k storage.Key, v []byte) error {
		p, err := decodeSavepoint(k.Name(), v)
		if err != nil {
			return err
		}
		if !filepath.IsAbs(p.Dir) {
			p.Dir = filepath.Join(data, p.Dir)
		}
		all = append(all, p)
		return nil
	})
	return all, err
}

// savepointDir finds the directory of a savepoint by its name or the directory itself.
func (s *Session) savepointDir(nameOrDir string) (string, error) {
	all, err := s.savepoints()
	if err != nil {
		return "", err
	}
	var names []string
	for _, p := range all {
		if p.Name == nameOrDir {
			return p.Dir, nil
		}
		names = append(names, p.Name)
	}
	dir := s.absolute(nameOrDir)
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir, nil
	}
	hint := suggest.Hint(nameOrDir, names)
	if hint == "" {
		hint = "SHOW SAVEPOINTS lists them"
	}
	return "", &noSavepointError{nameOrDir, hint}
}

// noSavepointError says that there is no savepoint of a name.
type noSavepointError struct{ name, hint string }

func (e *noSavepointError) Error() string {
	return fmt.Sprintf("there is no savepoint '%s' and no such directory", e.name)
}

// absolute is a path of a statement.
func (s *Session) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.options.Dir, path)
}

// decodeSavepoint reads an entry of the index.
func decodeSavepoint(name string, data []byte) (savepoint, error) {
	var p savepoint
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("the entry of savepoint %s is damaged: %w", name, err)
	}
	return p, nil
}
