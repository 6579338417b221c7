package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"streamsql/connector"
)

// Compression is how a file is packed, told by the end of its name.
type compression int

const (
	plain compression = iota
	gzipped
	zstandard
)

// packedEndings are the ends of the names of packed files, by the word for the packing.
var packedEndings = map[string]string{"none": "", "gzip": ".gz", "zstd": ".zst"}

// compressionName is the word for a packing.
func compressionName(c compression) string {
	return [...]string{plain: "none", gzipped: "gzip", zstandard: "zstd"}[c]
}

func packing(path string) compression {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz":
		return gzipped
	case ".zst":
		return zstandard
	}
	return plain
}

// stream is the unpacked bytes of a file.
type stream struct {
	io.Reader
	file *os.File
	zstd *zstd.Decoder
}

// openFile opens a file to be read.
func openFile(full string) (*os.File, error) {
	f, err := os.Open(full)
	if errors.Is(err, os.ErrNotExist) {
		return nil, missing(full)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", full, reason(err))
	}
	return f, nil
}

// openStream opens a file at an offset of its unpacked bytes.
func openStream(full string, offset int64) (*stream, error) {
	f, err := openFile(full)
	if err != nil {
		return nil, err
	}
	s := &stream{Reader: f, file: f}
	if err := s.unpack(packing(full), offset); err != nil {
		s.Close()
		return nil, fmt.Errorf("open %s at offset %d: %w", full, offset, reason(err))
	}
	return s, nil
}

// unpack starts to unpack the file and goes to the offset.
func (s *stream) unpack(c compression, offset int64) error {
	switch c {
	case plain:
		info, err := s.file.Stat()
		if err == nil && info.Size() < offset {
			return errShrunk
		}
		if err == nil {
			_, err = s.file.Seek(offset, io.SeekStart)
		}
		return err
	case gzipped:
		r, err := gzip.NewReader(s.file)
		if errors.Is(err, io.EOF) { // nothing was ever written to it
			s.Reader = bytes.NewReader(nil)
		} else if err != nil {
			return err
		} else {
			s.Reader = r
		}
	case zstandard:
		r, err := zstd.NewReader(s.file, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		s.Reader, s.zstd = r, r
	}
	_, err := io.CopyN(io.Discard, s.Reader, offset)
	if errors.Is(err, io.EOF) {
		return errShrunk
	}
	return err
}

var errShrunk = connector.Permanent(errors.New("the file is shorter than what was read of it before; it has been changed or replaced"))

// Close closes the file.
func (s *stream) Close() error {
	if s.zstd != nil {
		s.zstd.Close()
	}
	return s.file.Close()
}
