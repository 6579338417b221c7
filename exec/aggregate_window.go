package exec

import "streamsql/exec/vec"

// windowAggregate emits each group once, when the watermark reaches the end of the window that is part of its key plus the allowed
// lateness, and forgets it.
type windowAggregate struct {
	aggregate
	index windowIndex
}

func (a *windowAggregate) Open(c *Context) error {
	if err := a.aggregate.Open(c); err != nil {
		return err
	}
	return a.file(a.table.Groups(nil))
}

func (a *windowAggregate) Process(_ int, b vec.Batch, _ Emitter) error {
	defer b.Release()
	b, err := a.timely(b, a.keyed.watermark)
	if err != nil || b.Len() == 0 {
		return err
	}
	if err := a.assign(b); err != nil {
		return err
	}
	if err := a.accumulate(b); err != nil {
		return err
	}
	return a.file(a.table.Added())
}

// timely narrows the batch to the rows whose window was not over: neither when the row's source read it, nor here.
func (a *aggregate) timely(b vec.Batch, watermark int64) (vec.Batch, error) {
	w := a.op.Window
	ends, err := millis(b.Cols[a.op.Keys[w.End]])
	if err != nil {
		return b, err
	}
	n := b.Len()
	sel := make([]uint32, 0, n)
	for i := range n {
		row := b.Row(i)
		over := watermark
		if b.Marks != nil {
			over = max(over, b.Marks[row])
		}
		if ends[row]+w.Lateness > over {
			sel = append(sel, uint32(row))
		}
	}
	if len(sel) == n {
		return b, nil
	}
	a.context.Counters.Late.Add(int64(n - len(sel)))
	return b.Select(sel), nil
}

// file puts groups into the index by the end of their window.
func (a *windowAggregate) file(groups []uint32) error {
	if len(groups) == 0 {
		return nil
	}
	ends, free, err := a.ends(groups)
	if err != nil {
		return err
	}
	defer free()
	for i, g := range groups {
		a.index.add(ends[i]+a.op.Window.Lateness, g)
	}
	return nil
}

// ends gives the window end of each group, until free is called.
func (a *aggregate) ends(groups []uint32) (ends []int64, free func(), err error) {
	keys := a.table.Keys(groups)
	free = vec.Batch{Cols: keys}.Release
	if ends, err = millis(keys[a.op.Window.End]); err != nil {
		free()
	}
	return ends, free, err
}

func (a *windowAggregate) Watermark(time int64, out Emitter) error {
	if !a.keyed.advance(time) {
		return nil
	}
	for {
		groups, ok := a.index.next(time)
		if !ok {
			return nil
		}
		if err := a.emitGroups(a.present(groups), out); err != nil {
			return err
		}
		if err := a.table.Delete(groups); err != nil {
			return err
		}
	}
}
