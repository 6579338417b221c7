package session

import (
	"context"
	"io"

	"streamsql/exec/vec"
)

// limitEarly lets a stream of rows that are neither sorted nor ever taken back end as soon as its LIMIT is reached.
func (r *Rows) limitEarly() {
	sort := r.Sort
	if sort == nil || len(sort.Keys) > 0 || r.Updating {
		return
	}
	r.Sort = nil
	r.Bounded = r.Bounded || sort.Limit >= 0
	l := &limiter{skip: sort.Offset, left: sort.Limit, next: r.next}
	r.next = l.read
}

// limiter passes on the rows of a stream that OFFSET and LIMIT leave.
type limiter struct {
	skip int64
	left int64 // -1: all
	next func(context.Context) (vec.Batch, error)
}

func (l *limiter) read(ctx context.Context) (vec.Batch, error) {
	for l.left != 0 {
		b, err := l.next(ctx)
		if err != nil {
			return b, err
		}
		skipped := min(l.skip, int64(b.Len()))
		l.skip -= skipped
		rows := int64(b.Len()) - skipped
		if l.left > 0 {
			rows = min(rows, l.left)
			l.left -= rows
		}
		if rows > 0 {
			return b.Select(window(b, int(skipped), int(rows))), nil
		}
		b.Release()
	}
	return vec.Batch{}, io.EOF
}

// window is the selection of n selected rows of a batch from the given one on.
func window(b vec.Batch, from, n int) []uint32 {
	if from == 0 && n == b.Len() {
		return b.Sel
	}
	sel := make([]uint32, n)
	for i := range sel {
		sel[i] = uint32(b.Row(from + i))
	}
	return sel
}
