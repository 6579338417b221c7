package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// flushBytes is how much text is collected before it is written.
const flushBytes = 256 << 10

// segment is the hidden file a writer writes to until the next checkpoint.
type segment struct {
	path   string
	header []byte // comes before the first row
	file   *os.File
	out    *bufio.Writer
	pack   io.WriteCloser // nil, or between the rows and out
	text   []byte         // not yet written
	used   bool           // something has been written
	// visible tells that path is no longer a hidden file but the output itself.
	visible bool
}

// newSegment creates the file. One of that name belongs to another writer: those of earlier attempts have been removed.
func newSegment(path string, c compression, header []byte) (*segment, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("another writer of the same job and table is at work: %s exists", path)
	}
	if err != nil {
		return nil, unwritable(filepath.Dir(path), err)
	}
	s := &segment{path: path, header: header, file: f, out: bufio.NewWriterSize(f, 64<<10)}
	switch c {
	case gzipped:
		s.pack = gzip.NewWriter(s.out)
	case zstandard:
		s.pack, err = zstd.NewWriter(s.out, zstd.WithEncoderConcurrency(1))
	}
	if err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

// unwritable says that nothing can be written in a directory.
func unwritable(dir string, err error) error {
	return fmt.Errorf("cannot write to the directory %s: %w", dir, reason(err))
}

// begin puts the header before what comes first.
func (s *segment) begin() {
	if !s.used {
		s.text = append(s.text, s.header...)
		s.used = true
	}
}

// flush hands the text collected so far on.
func (s *segment) flush() error {
	var w io.Writer = s.out
	if s.pack != nil {
		w = s.pack
	}
	_, err := w.Write(s.text)
	s.text = s.text[:0]
	return s.failed(err)
}

// drain brings everything written so far into the file.
func (s *segment) drain() error {
	if err := s.flush(); err != nil {
		return err
	}
	if p, ok := s.pack.(interface{ Flush() error }); ok {
		if err := p.Flush(); err != nil {
			return s.failed(err)
		}
	}
	return s.failed(s.out.Flush())
}

// moveTo goes on in another file, at whose end it puts what the segment's own has.
func (s *segment) moveTo(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	_, err = s.file.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(f, s.file)
	}
	if err == nil {
		err = s.remove()
	}
	if err != nil {
		f.Close()
		return err
	}
	s.path, s.file = path, f
	s.out.Reset(f)
	return nil
}

// finish makes the file durable and closes it. It returns the size.
func (s *segment) finish() (int64, error) {
	if err := s.flush(); err != nil {
		return 0, err
	}
	if s.pack != nil && s.used {
		if err := s.pack.Close(); err != nil {
			return 0, s.failed(err)
		}
	}
	err := s.out.Flush()
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		return 0, s.failed(err)
	}
	info, err := s.file.Stat()
	if err != nil {
		return 0, s.failed(err)
	}
	return info.Size(), s.failed(s.file.Close())
}

func (s *segment) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write %s: %w", s.path, reason(err))
}

// remove gives the file up.
func (s *segment) remove() error {
	s.file.Close() // it may be closed already
	return os.Remove(s.path)
}

// syncDirectory makes the names in a directory durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("sync the directory %s: %w", dir, reason(err))
	}
	return nil
}
