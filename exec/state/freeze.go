package state

import "fmt"

// snapshot is what a table knows of its checkpoints. Each group is dirty (changed since the last one) or not and, while a
// checkpoint is being swept, pending (still to be written as it is) or not.
type snapshot struct {
	dirty     bitmap
	pending   bitmap // all clear unless a sweep is on
	persisted bitmap // may be in a chunk, so that deleting the group takes a tombstone
	graves    graves // keys deleted since the last checkpoint
	chain     chain
	frozen    []frozen // checkpoints not known to be written, oldest first
	sweep     *sweep   // the checkpoint being swept, or nil
	spare     bitmap   // memory for the next frozen.groups
}

// frozen is what goes back if a checkpoint fails.
type frozen struct {
	checkpoint uint64
	groups     bitmap
	graves     graves
}

// Frozen describes a checkpoint that has begun.
type Frozen struct {
	Rows       int // to be written
	Tombstones int
	// LiveFrom is the oldest checkpoint whose chunks are needed to restore this one: older ones are dead once it is complete.
	LiveFrom uint64
}

// Freeze begins a checkpoint: every later change is to be preceded by BeforeWrite, and Sweep yields the rows as they are now that
// have changed since the last checkpoint, and a slice of the others. It takes time for a few bits per group. It fails if the
// sweep of an earlier checkpoint is not done.
func (t *Table) Freeze(checkpoint uint64) (Frozen, error) {
	s := &t.snapshot
	if s.sweep != nil {
		return Frozen{}, fmt.Errorf("checkpoint %d cannot begin while the state of checkpoint %d is being written", checkpoint, s.sweep.checkpoint)
	}
	dirty := s.dirty.count()
	if dirty == 0 && s.graves.len() == 0 {
		return Frozen{LiveFrom: s.chain.idle(checkpoint)}, nil
	}
	from, to := s.chain.next(t.next, dirty)
	s.dirty.setRange(from, to, t.live)
	s.chain.add(checkpoint, to-from, t.next)
	groups := s.spare.resize(len(s.dirty) * 64)[:len(s.dirty)]
	s.spare = nil
	rows := s.moveDirty(groups)
	s.frozen = append(s.frozen, frozen{checkpoint, groups, s.graves})
	s.sweep = t.newSweep(checkpoint, rows, s.graves)
	f := Frozen{Rows: rows, Tombstones: s.graves.len(), LiveFrom: s.chain.liveFrom()}
	s.graves = graves{}
	return f, nil
}

// moveDirty makes the dirty groups pending, copies their bits to groups and returns their number.
func (s *snapshot) moveDirty(groups bitmap) int {
	s.pending, s.dirty = s.dirty, s.pending
	copy(groups, s.pending)
	for i, w := range s.pending {
		s.persisted[i] |= w
	}
	return s.pending.count()
}

// Forget makes the next checkpoint write every row and need no earlier one, as after a restore from chunks that are not its own.
func (t *Table) Forget() {
	s := &t.snapshot
	s.dirty.setRange(0, t.next, t.live)
	clear(s.persisted)
	s.graves.release()
	s.graves = graves{}
	s.chain = chain{}
}

// Written says that every chunk of the checkpoint is durable.
func (t *Table) Written(checkpoint uint64) {
	s := &t.snapshot
	for i, f := range s.frozen {
		if f.checkpoint == checkpoint {
			f.graves.release()
			s.spare = f.groups
			s.frozen = append(s.frozen[:i:i], s.frozen[i+1:]...)
			return
		}
	}
}

// Abort says that a chunk of the checkpoint could not be written: what was to be written goes into the next checkpoint. Later
// checkpoints that have begun are incomplete without it and are aborted too. A sweep of any of them ends. Chunks of theirs that
// were written may be kept or dropped.
func (t *Table) Abort(checkpoint uint64) {
	s := &t.snapshot
	if s.sweep != nil && s.sweep.checkpoint >= checkpoint {
		s.sweep.release()
		s.sweep = nil
		clear(s.pending)
	}
	kept := s.frozen[:0]
	for _, f := range s.frozen {
		if f.checkpoint < checkpoint {
			kept = append(kept, f)
			continue
		}
		for i, w := range f.groups {
			s.dirty[i] |= w & t.live[i]
		}
		s.graves.add(f.graves)
		s.chain.fail(f.checkpoint)
	}
	s.frozen = kept
}

// BeforeWrite is to be called before the value of any of groups is changed; a group may be named more than once.
func (t *Table) BeforeWrite(groups []uint32) error {
	s := &t.snapshot
	for _, g := range groups {
		s.dirty.set(g)
	}
	if s.sweep == nil {
		return nil
	}
	return t.copyOut(groups)
}

// beforeDelete is BeforeWrite for groups that are about to be deleted.
func (t *Table) beforeDelete(groups []uint32) error {
	s := &t.snapshot
	if s.sweep != nil {
		if err := t.copyOut(groups); err != nil {
			return err
		}
	}
	var dead []uint32
	for _, g := range groups {
		if s.persisted.has(g) {
			dead = append(dead, g)
		}
		s.dirty.unset(g)
		s.persisted.unset(g)
	}
	if len(dead) > 0 {
		s.graves.parts = append(s.graves.parts, t.keyBatch(dead))
	}
	return nil
}

// release gives up the arrays that are kept.
func (s *snapshot) release() {
	if s.sweep != nil {
		s.sweep.release()
		s.sweep = nil
	}
	for _, f := range s.frozen {
		f.graves.release()
	}
	s.graves.release()
	s.frozen, s.graves = nil, graves{}
}

// resize makes room for n groups.
func (s *snapshot) resize(n int) {
	s.dirty, s.pending, s.persisted = s.dirty.resize(n), s.pending.resize(n), s.persisted.resize(n)
}

// reset forgets everything.
func (s *snapshot) reset() {
	s.release()
	clear(s.dirty)
	clear(s.pending)
	clear(s.persisted)
	s.chain = chain{}
}

func (s *snapshot) bytes() int64 { return int64(len(s.dirty)+len(s.pending)+len(s.persisted)) * 8 }
