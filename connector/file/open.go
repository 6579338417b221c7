package file

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/pace"
)

// maxDecoders bounds the goroutines that decode one split.
const maxDecoders = 4

// open starts to read the piece at a place, which is fresh if it has not been read before.
func (s *source) open(p piece, at place, fresh bool) (connector.Reader, error) {
	full := s.full(p.path)
	var pre preamble
	if fresh && p.start == 0 || s.input.Header(nil) != 0 {
		var err error
		if pre, err = readPreamble(full, s.input); err != nil {
			return nil, err
		}
		if fresh {
			at = place{pre.size, int64(bytes.Count(pre.header, []byte{'\n'}))}
		}
		if pre.empty {
			return &reader{}, nil
		}
	}
	decoders, err := s.decoders(p.path, pre.header)
	if err != nil {
		return nil, err
	}
	in, err := openPiece(full, p, &at, fresh)
	if err != nil {
		return nil, err
	}
	limiter := pace.New(float64(s.rate))
	r := &reader{
		name: p.path, full: full, at: at, limiter: limiter,
		tags:     tags{keys: s.spec.Metadata, full: full, rows: limiter.Rows(s.spec.Rows), mem: s.spec.Alloc},
		baseLine: sync.OnceValue(func() int64 { return countLines(full, p.start) }),
		pipeline: &pipeline{
			name: full, in: in, rows: limiter.Rows(s.spec.Rows), decoders: decoders,
			blocks: blocks{r: in, input: s.input, offset: at.offset, end: p.end},
		},
	}
	r.pipeline.start()
	return r, nil
}

// decoders makes the decoders of a file.
func (s *source) decoders(path string, header []byte) (chan format.Decoder, error) {
	n := min(runtime.GOMAXPROCS(0), maxDecoders)
	decoders := make(chan format.Decoder, n)
	for range n {
		d, err := s.input.NewDecoder(header)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		decoders <- d
	}
	return decoders, nil
}

// openPiece opens the file at the place. A fresh piece in the middle of a file begins behind the first line break from the byte
// before it on; at is moved there.
func openPiece(full string, p piece, at *place, fresh bool) (*stream, error) {
	if !fresh || p.start == 0 {
		return openStream(full, at.offset)
	}
	s, err := openStream(full, p.start-1)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(s.Reader, 64<<10)
	s.Reader = r
	at.offset = p.start - 1
	for {
		line, err := r.ReadSlice('\n')
		at.offset += int64(len(line))
		switch {
		case err == nil:
			if at.offset > p.start {
				at.line = 1
			}
			return s, nil
		case errors.Is(err, io.EOF):
			return s, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			s.Close()
			return nil, fmt.Errorf("read %s: %w", full, reason(err))
		}
	}
}
