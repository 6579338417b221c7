package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/checkpoint"
	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// openSplits is how many splits of a table without a watermark a task reads at once: the next one opens while one is decoded.
const openSplits = 2

// atOnce is how many splits are read at once: all if their watermarks hold each other back, one of a changelog, whose rows must stay
// in order, otherwise a few.
func (s *scan) atOnce() int {
	switch {
	case s.source.Changelog():
		return 1
	case s.op.Watermark != nil:
		return len(s.splits)
	}
	return openSplits
}

// scan is the operator at the head of a source task. Its task's gate has one input per split, filled by one reader each.
type scan struct {
	Base
	op     *plan.Scan
	source connector.Source
	splits []split
	// timeName is the event-time column, for messages.
	timeName string
	// never are the columns read that must not be NULL.
	never []int

	context *Context
	compute *evaluator // nil: the columns read are the output
	mark    *evaluator // nil: no watermark
	readers sync.WaitGroup
	stop    context.CancelFunc
	open    int // splits being read
	ended   int
	drained bool
}

// split is one split of the task.
type split struct {
	connector.Split
	position  connector.Position
	done      bool
	started   bool
	watermark int64
	lastRead  time.Time
}

func (s *scan) Open(c *Context) (err error) {
	s.context, s.never = c, s.notNull()
	if s.op.Exprs != nil {
		if s.compute, err = newEvaluator(c, s.op.Exprs); err != nil {
			return err
		}
	}
	if w := s.op.Watermark; w != nil {
		s.mark, err = newEvaluator(c, []expr.Expr{w.Expr})
	}
	return err
}

func (s *scan) Process(int, vec.Batch, Emitter) error {
	return errors.New("bug: a scan has no input")
}

// start opens the first splits and passes on where the watermark stands.
func (t *task) start(ctx context.Context) error {
	s := t.source
	ctx, s.stop = context.WithCancel(ctx)
	for i := range s.splits {
		p := &s.splits[i]
		t.times.inputs[i].Time = p.watermark
		if p.done {
			p.started = true
			s.ended++
			t.times.inputs[i].Time = vec.MaxTime
		}
	}
	if err := s.openNext(ctx, t.gate); err != nil {
		return s.wrap(err)
	}
	if len(s.splits) == 0 {
		t.times = newWatermarks(1)
		if err := t.advance(t.times.set(0, Watermark{Time: vec.MaxTime})); err != nil {
			return err
		}
	} else if err := t.advance(t.times.set(0, t.times.inputs[0])); err != nil {
		return err
	}
	t.reportEnd()
	return nil
}

// reportEnd tells the listener once all splits have ended.
func (t *task) reportEnd() {
	if t.source.ended == len(t.source.splits) {
		t.listener.SourceEnded(t.id)
	}
}

// openNext starts readers for the next splits.
func (s *scan) openNext(ctx context.Context, g *gate) error {
	for i := range s.splits {
		if s.open >= s.atOnce() {
			return nil
		}
		p := &s.splits[i]
		if p.started {
			continue
		}
		r, err := s.source.Open(ctx, p.Split, p.position)
		if err != nil {
			return err
		}
		p.started, p.lastRead = true, time.Now()
		s.open++
		s.readers.Add(1)
		go s.readAll(ctx, r, g, i)
	}
	return nil
}

// readAll feeds one split into its input of the gate until the split ends, fails, or the task does.
func (s *scan) readAll(ctx context.Context, r connector.Reader, g *gate, input int) {
	defer s.readers.Done()
	defer r.Close()
	for {
		f, err := r.Read(ctx)
		if err == nil {
			if g.send(input, fragment{f}) != nil {
				return
			}
			continue
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		if ctx.Err() == nil {
			_ = g.send(input, splitEnd{err})
		}
		return
	}
}

// read turns what a split's reader read into rows.
func (t *task) read(input int, f fragment) error {
	s := t.source
	if s.drained {
		f.Batch.Release()
		return nil
	}
	p := &s.splits[input]
	p.position, p.lastRead = f.Position, time.Now()
	if err := s.bad(f.Bad); err != nil {
		f.Batch.Release()
		return s.wrap(err)
	}
	if f.Batch.Rows == 0 {
		f.Batch.Release()
	} else {
		b, err := s.rows(p, f)
		if err != nil {
			return s.wrap(err)
		}
		if err := t.root.Emit(b); err != nil {
			return err
		}
	}
	if s.mark == nil {
		return nil
	}
	return t.advance(t.times.set(input, Watermark{Time: p.watermark}))
}

// rows computes the scan's output and its watermarks. It consumes the fragment's batch.
func (s *scan) rows(p *split, f fragment) (vec.Batch, error) {
	if len(s.never) > 0 {
		var err error
		if f.Fragment, err = s.complete(f.Fragment); err != nil {
			return vec.Batch{}, err
		}
	}
	b := f.Batch
	if s.compute != nil {
		cols, err := s.compute.eval(b)
		b.Release()
		if err != nil {
			return vec.Batch{}, err
		}
		b.Cols = cols
	}
	if s.mark == nil {
		return b, nil
	}
	bad, err := s.stamp(p, &b, f.Place)
	if err == nil {
		err = s.bad(bad)
	}
	if err != nil {
		b.Release()
		return vec.Batch{}, err
	}
	return b, nil
}

// stamp puts the split's watermark before each row into the batch, raises it by the rows, and takes out rows without an event
// time, which are bad records.
func (s *scan) stamp(p *split, b *vec.Batch, place func(int) string) ([]connector.BadRecord, error) {
	cols, err := s.mark.eval(*b)
	if err != nil {
		return nil, err
	}
	defer cols[0].Release()
	times, err := millis(cols[0])
	if err != nil {
		return nil, err
	}
	var bad []connector.BadRecord
	marks := make([]int64, b.Rows)
	high := p.watermark
	for row, t := range times {
		marks[row] = high
		if cols[0].NullN() > 0 && cols[0].IsNull(row) {
			bad = append(bad, s.badRow(place, row, s.timeName, "the event time is NULL"))
			continue
		}
		high = max(high, t)
	}
	b.Marks, p.watermark = marks, high
	if len(bad) > 0 {
		b.Sel = valid(cols[0])
	}
	return bad, nil
}

// badRow is a row that was decoded and is a bad record all the same. It is named by its table if the source knows no place.
func (s *scan) badRow(place func(int) string, row int, field, reason string) connector.BadRecord {
	r := connector.BadRecord{Place: s.op.Table.Name, Field: field, Reason: reason}
	if place != nil {
		r.Place = place(row)
	}
	return r
}

// valid selects the rows that are not NULL.
func valid(a arrow.Array) []uint32 {
	sel := make([]uint32, 0, a.Len()-a.NullN())
	for i := range a.Len() {
		if a.IsValid(i) {
			sel = append(sel, uint32(i))
		}
	}
	return sel
}

// bad treats undecodable records as the table's on.error asks.
func (s *scan) bad(records []connector.BadRecord) error {
	if len(records) == 0 {
		return nil
	}
	switch s.op.OnError {
	case connector.FailOnError:
		return records[0]
	case connector.DeadLetter:
		if s.context.Side != nil {
			if err := s.context.Side.Emit(deadLetters(s.context.Alloc, records)); err != nil {
				return err
			}
		}
	}
	s.context.Counters.BadRecords.Add(int64(len(records)))
	return nil
}

// wrap says which table an error is about.
func (s *scan) wrap(err error) error {
	if s.op.Table.Name == "" || errors.Is(err, errClosed) {
		return err
	}
	return fmt.Errorf("table %s: %w", s.op.Table.Name, err)
}

// splitEnded closes the books of a split.
func (t *task) splitEnded(input int, end splitEnd) error {
	s := t.source
	if s.drained {
		return nil
	}
	if end.err != nil {
		return s.wrap(end.err)
	}
	s.splits[input].done = true
	s.open--
	s.ended++
	if err := s.openNext(s.context, t.gate); err != nil {
		return s.wrap(err)
	}
	if err := t.advance(t.times.set(input, Watermark{Time: vec.MaxTime})); err != nil {
		return err
	}
	t.reportEnd()
	return nil
}

// drain makes the input end where it has been read to.
func (t *task) drain() error {
	s := t.source
	if s == nil || s.drained || s.ended == len(s.splits) {
		return nil
	}
	s.drained = true
	s.stop()
	for i := range s.splits {
		if err := t.advance(t.times.set(i, Watermark{Time: vec.MaxTime})); err != nil {
			return err
		}
	}
	s.ended = len(s.splits)
	t.reportEnd()
	return nil
}

// tick marks splits idle that have been silent for too long.
func (t *task) tick(now time.Time) error {
	s := t.source
	if s == nil || s.op.Watermark == nil || s.op.Watermark.IdleTimeout == 0 {
		return nil
	}
	limit := time.Duration(s.op.Watermark.IdleTimeout) * time.Millisecond
	for i := range s.splits {
		p := &s.splits[i]
		if p.started && !p.done && !t.times.inputs[i].Idle && now.Sub(p.lastRead) > limit {
			if err := t.advance(t.times.set(i, Watermark{Time: p.watermark, Idle: true})); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *scan) Snapshot(checkpoint.ID, Emitter) (Snapshot, error) {
	state := checkpoint.OperatorState{Operator: s.context.Vertex, Signature: s.context.Signature}
	for _, p := range s.splits {
		state.Splits = append(state.Splits, checkpoint.SplitState{
			Split: p.ID, Data: p.Data, Position: p.position, Done: p.done, Watermark: p.watermark,
		})
	}
	return small{state}, nil
}

func (s *scan) Close() error {
	if s.stop != nil {
		s.stop()
	}
	s.readers.Wait()
	return nil
}
