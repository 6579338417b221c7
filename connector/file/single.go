package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"streamsql/connector"
)

// single is a target in which parts go to the end of one file. The first part of a new file becomes the file; a later one is
// appended at an offset fixed when it was prepared, after the file has been cut to it, so that doing it again or again after half of
// it gives the same bytes.
type single struct {
	path   string
	job    string
	length int64 // of the file with every part prepared so far
	first  bool  // the next part becomes the file
	gap    bool  // the file ends in the middle of a line
}

func (s *single) directory() string { return filepath.Dir(s.path) }

// hiddenName is the beginning of the names of the job's hidden files.
func (s *single) hiddenName() string { return "." + filepath.Base(s.path) + "-" + s.job }

func (s *single) begin(overwrite bool) error {
	if err := s.sweep(); err != nil {
		return err
	}
	size, err := s.size()
	if err != nil {
		return err
	}
	s.length, s.first = size, overwrite || size == 0
	if overwrite {
		s.length = 0
	}
	s.gap, err = s.endsInLine()
	return err
}

// size is the length of the file, 0 if there is none.
func (s *single) size() (int64, error) {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", s.path, reason(err))
	}
	return info.Size(), nil
}

// endsInLine reports whether rows appended to the file would continue its last line.
func (s *single) endsInLine() (bool, error) {
	if s.length == 0 || packing(s.path) != plain {
		return false, nil
	}
	f, err := os.Open(s.path)
	if err != nil {
		return false, fmt.Errorf("open %s: %w", s.path, reason(err))
	}
	defer f.Close()
	var last [1]byte
	if _, err := f.ReadAt(last[:], s.length-1); err != nil {
		return false, fmt.Errorf("read %s: %w", s.path, reason(err))
	}
	return last[0] != '\n', nil
}

// sweep makes the directory if need be and removes the job's hidden files from it.
func (s *single) sweep() error {
	dir := s.directory()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return unwritable(dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list %s: %w", dir, reason(err))
	}
	for _, e := range entries {
		if s.isOurs(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove what an earlier attempt left: %w", err)
			}
		}
	}
	return nil
}

// isOurs reports whether a file is one of the job's hidden ones.
func (s *single) isOurs(name string) bool {
	rest, ok := strings.CutPrefix(name, s.hiddenName())
	if !ok {
		return false
	}
	number, isPending := strings.CutSuffix(strings.TrimPrefix(rest, "-"), pendingSuffix)
	_, err := strconv.ParseUint(number, 10, 64)
	return rest == openSuffix || isPending && err == nil
}

func (s *single) resume(handles []handle, ignoreMissing bool) error {
	for _, h := range handles {
		if ignoreMissing {
			if err := s.moveUp(h.Part); err != nil {
				return err
			}
		}
		if err := publish(s, h); err != nil && !(ignoreMissing && isMissing(err)) {
			return err
		}
	}
	if err := s.sweep(); err != nil {
		return err
	}
	size, err := s.size()
	if err != nil {
		return err
	}
	s.length, s.first, s.gap = handles[len(handles)-1].Length, false, false
	switch {
	case size < s.length && ignoreMissing:
		s.length, s.first = size, size == 0
		s.gap, err = s.endsInLine()
		return err
	case size < s.length:
		return s.shortened(size, s.length)
	case size == s.length:
		return nil
	}
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", s.path, reason(err))
	}
	defer f.Close()
	return truncate(f, s.length)
}

// moveUp lets a part begin where the file ends, if the file lacks what would be before it.
func (s *single) moveUp(p *part) error {
	size, err := s.size()
	if err == nil && p != nil {
		p.Offset = min(p.Offset, size)
	}
	return err
}

func (s *single) shortened(size, want int64) error {
	return connector.Missing("%s has %d bytes, but %d had been written to it: it has been changed or replaced", s.path, size, want)
}

// isMissing reports whether an error says that a part is neither where it should be nor hidden.
func isMissing(err error) bool {
	var missing *connector.MissingOutput
	return errors.As(err, &missing)
}

func truncate(f *os.File, length int64) error {
	err := f.Truncate(length)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return fmt.Errorf("cut %s to %d bytes: %w", f.Name(), length, reason(err))
	}
	return nil
}

func (s *single) open(_ int, header []byte) (*segment, error) {
	if s.length > 0 {
		header = nil
	}
	if s.gap {
		header, s.gap = []byte{'\n'}, false
	}
	return newSegment(filepath.Join(s.directory(), s.hiddenName()+openSuffix), packing(s.path), header)
}

func (s *single) wantsEmpty(int) bool { return s.first }

func (s *single) part(_ int, checkpoint uint64, size int64) part {
	p := part{
		Pending:    fmt.Sprintf("%s-%d%s", s.hiddenName(), checkpoint, pendingSuffix),
		Checkpoint: checkpoint, Offset: s.length, Size: size, First: s.first,
	}
	s.length += size
	s.first = false
	return p
}

func (s *single) pending(p part) string { return filepath.Join(s.directory(), p.Pending) }

func (s *single) publish(p part) error {
	in, err := os.Open(s.pending(p))
	if errors.Is(err, fs.ErrNotExist) {
		return s.isPublished(p)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	if p.First {
		err = os.Rename(s.pending(p), s.path)
	} else if err = s.appendAt(in, p); err == nil {
		err = os.Remove(s.pending(p))
	}
	if err != nil {
		return err
	}
	return syncDirectory(s.directory())
}

// isPublished checks that the file has a part whose hidden form is gone.
func (s *single) isPublished(p part) error {
	size, err := s.size()
	if err == nil && size < p.Offset+p.Size {
		return s.shortened(size, p.Offset+p.Size)
	}
	return err
}

// appendAt makes the file end with the part.
func (s *single) appendAt(in io.Reader, p part) error {
	out, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("open %s: %w", s.path, reason(err))
	}
	defer out.Close()
	size, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size < p.Offset {
		return s.shortened(size, p.Offset)
	}
	if err := truncate(out, p.Offset); err != nil {
		return err
	}
	if _, err := out.Seek(p.Offset, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("write %s: %w", s.path, reason(err))
	}
	return out.Sync()
}

func (s *single) reveal(_ int, seg *segment) error {
	if !s.first {
		return seg.moveTo(s.path)
	}
	s.first = false
	if err := os.Rename(seg.path, s.path); err != nil {
		return err
	}
	seg.path = s.path
	return syncDirectory(s.directory())
}

func (s *single) stamp(h *handle) { h.Job, h.Length = s.job, s.length }
