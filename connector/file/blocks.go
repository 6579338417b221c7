package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"streamsql/connector/format"
)

// maxRecord is the length of the longest record.
const maxRecord = 256 << 20

// buffers holds the buffers of blocks that are done with.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// recycle takes the buffer of a block back.
func recycle(data []byte) {
	buffers.Put(&data)
}

// blocks cuts a stream into blocks.
type blocks struct {
	r      io.Reader
	input  format.Input
	offset int64  // of the next block
	end    int64  // the records that begin before it count
	rest   []byte // read and not yet handed out
	eof    bool
}

// next returns the next block: whole records, of about the given size in all, with the padding that decoders need. After the last
// block it returns io.EOF. The block is the caller's to recycle.
func (b *blocks) next(size int) ([]byte, error) {
	buf := append((*buffers.Get().(*[]byte))[:0], b.rest...)
	for b.offset < b.end {
		if err := b.fill(&buf, max(size, len(buf))); err != nil {
			return nil, err
		}
		if n := b.cut(buf); n > 0 {
			b.rest = append(b.rest[:0], buf[n:]...)
			b.offset += int64(n)
			return buf[:n], nil
		}
		if b.eof {
			break
		}
		if size = 2 * len(buf); size > maxRecord {
			return nil, fmt.Errorf("the record at offset %d is longer than %d MiB", b.offset, maxRecord>>20)
		}
	}
	return nil, io.EOF
}

// fill reads until buf has size bytes and room for the padding, or the stream is at its end.
func (b *blocks) fill(buf *[]byte, size int) error {
	if need := size + format.Padding; cap(*buf) < need {
		*buf = append(make([]byte, 0, need), *buf...)
	}
	for len(*buf) < size && !b.eof {
		n, err := b.r.Read((*buf)[len(*buf):size])
		*buf = (*buf)[:len(*buf)+n]
		if errors.Is(err, io.EOF) {
			b.eof = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// cut is the length of the whole records that data begins with, up to the end of the piece.
func (b *blocks) cut(data []byte) int {
	if left := b.end - b.offset; int64(len(data)) >= left {
		if i := bytes.IndexByte(data[left-1:], '\n'); i >= 0 {
			return int(left) + i
		}
	}
	if b.eof {
		return len(data)
	}
	return b.input.Cut(data)
}
