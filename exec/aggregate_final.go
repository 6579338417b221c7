package exec

import "streamsql/exec/vec"

// finalAggregate emits each group once, at the end of its bounded input.
type finalAggregate struct{ aggregate }

func (a *finalAggregate) Process(_ int, b vec.Batch, _ Emitter) error {
	defer b.Release()
	if err := a.assign(b); err != nil {
		return err
	}
	return a.accumulate(b)
}

func (a *finalAggregate) Watermark(time int64, out Emitter) error {
	if time != vec.MaxTime || !a.keyed.advance(time) {
		return nil
	}
	if a.global() {
		if err := a.ensureGlobal(); err != nil {
			return err
		}
	}
	return a.emitGroups(a.present(a.table.Groups(nil)), out)
}
