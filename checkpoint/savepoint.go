package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/internal/failpoint"
)

// A savepoint is a directory that can be moved, copied and read by other programs:
//
//	savepoint.json            a savepointFile
//	state/<operator>.arrow    the keyed state of an operator, one row for each group, as an Arrow IPC file
//
// The manifest is that of the checkpoint it was made from, but for the chunks: they are the records of the state files,
// named <file>@<offset>, each of a key-group range of its own.

const (
	savepointName   = "savepoint.json"
	savepointKind   = "streamsql savepoint"
	savepointFormat = 1
	stateDir        = "state"
)

// ErrNotSavepoint says that a directory is not a savepoint, or not one this engine can read.
var ErrNotSavepoint = errors.New("not a savepoint")

// savepointFile is the content of savepoint.json.
type savepointFile struct {
	Kind     string          `json:"kind"`
	Format   int             `json:"format"`
	CRC      string          `json:"crc32c"` // of the manifest without white space, hexadecimal
	Manifest json.RawMessage `json:"manifest"`
}

// WriteSavepoint makes a savepoint of a completed checkpoint in the directory dir, which must not exist. The savepoint appears
// there complete and durable, or not at all; what is written meanwhile lies in dir + ".incomplete".
func WriteSavepoint(dir string, m *Manifest, r ChunkReader) error {
	if err := writeSavepoint(filepath.Clean(dir), m, r); err != nil {
		return fmt.Errorf("write savepoint %s: %w", dir, err)
	}
	return nil
}

func writeSavepoint(dir string, m *Manifest, r ChunkReader) error {
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		return errors.Join(errors.New("it exists already; name a new directory"), err)
	}
	temp := dir + ".incomplete"
	if err := os.RemoveAll(temp); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(temp, stateDir), 0o755); err != nil {
		return err
	}
	err := fillSavepoint(temp, m, r)
	if err == nil {
		err = failpoint.Err(failpoint.SavepointBeforeRename)
	}
	if err == nil {
		err = os.Rename(temp, dir)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	return syncDir(filepath.Dir(dir))
}

// fillSavepoint writes all files of a savepoint.
func fillSavepoint(dir string, m *Manifest, r ChunkReader) error {
	w := savepointWriter{dir: dir, id: m.ID, files: make(map[string]*stateFileWriter)}
	copied := *m
	err := w.copyTasks(&copied, r)
	if err := errors.Join(err, w.close()); err != nil {
		return err
	}
	if err := writeDescription(dir, &copied); err != nil {
		return err
	}
	return errors.Join(syncDir(filepath.Join(dir, stateDir)), syncDir(dir))
}

// savepointWriter writes the state files.
type savepointWriter struct {
	dir   string
	id    ID
	files map[string]*stateFileWriter // by operator
}

// copyTasks writes the keyed state of all tasks and lets the manifest refer to it.
func (w *savepointWriter) copyTasks(m *Manifest, r ChunkReader) error {
	tasks := make([]TaskState, len(m.Tasks))
	for i, t := range m.Tasks {
		t.Operators = append([]OperatorState(nil), t.Operators...)
		for j := range t.Operators {
			o := &t.Operators[j]
			var err error
			if o.Chunks, err = w.copyChain(o.Operator, o.Chunks, r); err != nil {
				return fmt.Errorf("state of operator %s: %w", o.Operator, err)
			}
		}
		tasks[i] = t
	}
	m.Tasks = tasks
	return nil
}

// copyChain writes the live rows of a chain and returns the references to them.
func (w *savepointWriter) copyChain(operator string, chain []Chunk, r ChunkReader) (copied []Chunk, err error) {
	err = mergeChain(memory.DefaultAllocator, chain, r, func(rec arrow.Record, groups [2]int) error {
		f := w.files[operator]
		if f == nil {
			if f, err = createStateFile(w.dir, stateDir+"/"+fileName(operator)+".arrow", rec.Schema()); err != nil {
				return err
			}
			w.files[operator] = f
		}
		c, err := f.write(rec, w.id, groups)
		copied = append(copied, c)
		return err
	})
	return copied, err
}

func (w *savepointWriter) close() (err error) {
	for _, f := range w.files {
		err = errors.Join(err, f.close())
	}
	return err
}

// fileName makes a file name of an operator's name that every file system takes.
func fileName(operator string) string {
	var name strings.Builder
	for _, b := range []byte(operator) {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '-', b == '_':
			name.WriteByte(b)
		default:
			fmt.Fprintf(&name, "%%%02x", b)
		}
	}
	return name.String()
}

// writeDescription writes savepoint.json.
func writeDescription(dir string, m *Manifest) error {
	manifest, err := json.Marshal(m)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(savepointFile{
		Kind: savepointKind, Format: savepointFormat, CRC: fmt.Sprintf("%08x", checksum(manifest)), Manifest: manifest,
	}, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, savepointName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// OpenSavepoint reads the description of the savepoint in dir and returns its manifest and the reader of its chunks. Chunks
// are verified as they are read. A directory that is no savepoint gets an ErrNotSavepoint, a spoilt one an ErrDamaged.
func OpenSavepoint(dir string) (*Manifest, ChunkReader, error) {
	path := filepath.Join(dir, savepointName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, missingDescription(dir, err)
	}
	var f savepointFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, nil, fmt.Errorf("%w: %s: %w", ErrDamaged, path, err)
	}
	switch {
	case f.Kind != savepointKind:
		return nil, nil, fmt.Errorf("%w: %s describes something else", ErrNotSavepoint, path)
	case f.Format > savepointFormat:
		return nil, nil, fmt.Errorf("%w this engine can read: %s has format %d, written by a newer engine; this one reads up to %d",
			ErrNotSavepoint, path, f.Format, savepointFormat)
	}
	m, err := f.manifest()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s: %w", ErrDamaged, path, err)
	}
	return m, stateFileReader{dir}, nil
}

// manifest decodes and verifies the manifest.
func (f *savepointFile) manifest() (*Manifest, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, f.Manifest); err != nil {
		return nil, err
	}
	if crc := fmt.Sprintf("%08x", checksum(compact.Bytes())); crc != f.CRC {
		return nil, fmt.Errorf("the manifest has checksum %s instead of %s", crc, f.CRC)
	}
	m := new(Manifest)
	return m, json.Unmarshal(f.Manifest, m)
}

func missingDescription(dir string, err error) error {
	if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("open savepoint: %w", err)
	}
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("open savepoint: %w", err)
	}
	return fmt.Errorf("%w: %s has no %s", ErrNotSavepoint, dir, savepointName)
}

// VerifySavepoint reads all of the savepoint in dir and returns its manifest, or what is wrong with it.
func VerifySavepoint(dir string) (*Manifest, error) {
	m, r, err := OpenSavepoint(dir)
	if err != nil {
		return nil, err
	}
	if err := verifyAll(m.Chunks(), r); err != nil {
		return nil, fmt.Errorf("savepoint %s: %w", dir, err)
	}
	return m, nil
}

// syncDir makes the entries of a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
