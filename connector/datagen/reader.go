package datagen

import (
	"context"
	"encoding/binary"
	"io"

	"streamsql/connector"
	"streamsql/connector/internal/column"
	"streamsql/connector/internal/pace"
)

// reader implements connector.Reader.
type reader struct {
	source  *source
	next    uint64 // number of the next row
	limiter *pace.Limiter
	rows    int // of a batch
	cols    []*column.Column
}

// Read implements connector.Reader.
func (r *reader) Read(ctx context.Context) (connector.Fragment, error) {
	if r.next >= r.source.limit {
		return connector.Fragment{}, io.EOF
	}
	stride := r.source.splits
	n := int(min(uint64(r.rows), (r.source.limit-r.next-1)/stride+1))
	if err := r.limiter.Wait(ctx, n); err != nil {
		return connector.Fragment{}, err
	}
	run := rows{first: r.next, stride: stride, n: n}
	for i, c := range r.cols {
		c.Reset()
		r.source.fields[i].fill(c, run)
	}
	r.next += uint64(n) * stride
	return connector.Fragment{
		Batch:    column.Batch(r.source.spec.Alloc, r.cols, n),
		Position: binary.AppendUvarint(nil, r.next),
		Place:    func(row int) string { return r.source.place(run.number(row)) },
	}, nil
}

// Close implements connector.Reader.
func (r *reader) Close() error { return nil }
