package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/pace"
)

// reader implements connector.Reader: it takes what the pipeline has decoded and keeps account of where it stands.
type reader struct {
	name     string // of the file, in messages
	full     string
	baseLine func() int64 // line of the file at which the piece starts
	at       place
	limiter  *pace.Limiter
	tags     tags
	pipeline *pipeline // nil: there is nothing to read
	chunks   []format.Chunk
}

// Read implements connector.Reader.
func (r *reader) Read(ctx context.Context) (connector.Fragment, error) {
	if r.pipeline == nil {
		return connector.Fragment{}, io.EOF
	}
	for len(r.chunks) == 0 {
		var err error
		if r.chunks, err = r.pipeline.next(ctx); err != nil {
			return connector.Fragment{}, err
		}
	}
	if err := r.limiter.Wait(ctx, r.chunks[0].Batch.Rows); err != nil {
		return connector.Fragment{}, err
	}
	c := r.chunks[0]
	r.chunks = r.chunks[1:]
	return r.fragment(c)
}

// fragment is a chunk at the reader's place, which moves behind it.
func (r *reader) fragment(c format.Chunk) (connector.Fragment, error) {
	line := r.at.line
	if err := r.tags.add(&c.Batch, func(row int) int64 { return r.baseLine() + line + int64(c.RowLine(row)) + 1 }); err != nil {
		c.Batch.Release()
		return connector.Fragment{}, err
	}
	f := connector.Fragment{
		Batch: c.Batch,
		Place: func(row int) string { return r.placeOf(line + int64(c.RowLine(row))) },
	}
	for _, b := range c.Bad {
		f.Bad = append(f.Bad, connector.BadRecord{
			Place: r.placeOf(line + int64(b.Line)), Field: b.Field, Reason: b.Reason, Raw: b.Raw,
		})
	}
	r.at.offset += int64(c.Bytes)
	r.at.line += int64(c.Lines)
	f.Position = r.at.position()
	return f, nil
}

// placeOf names a line of the piece, counted from 0.
func (r *reader) placeOf(line int64) string {
	return fmt.Sprintf("%s:%d", r.name, r.baseLine()+line+1)
}

// countLines is the number of line breaks in the first n bytes of a file. It serves messages only; what cannot be read counts as
// nothing.
func countLines(full string, n int64) int64 {
	if n == 0 {
		return 0
	}
	f, err := os.Open(full)
	if err != nil {
		return 0
	}
	defer f.Close()
	var lines int64
	buf := make([]byte, 256<<10)
	for in := io.LimitReader(f, n); ; {
		m, err := in.Read(buf)
		lines += int64(bytes.Count(buf[:m], []byte{'\n'}))
		if err != nil {
			return lines
		}
	}
}

// Close implements connector.Reader.
func (r *reader) Close() error {
	for _, c := range r.chunks {
		c.Batch.Release()
	}
	r.chunks = nil
	r.tags.release()
	if r.pipeline == nil {
		return nil
	}
	if err := r.pipeline.close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("close %s: %w", r.full, reason(err))
	}
	return nil
}
