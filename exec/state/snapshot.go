package state

type snapshot struct {
	t     *Table
	dirty bitmap
}

func (s *snapshot) init(t *Table)                      { s.t = t }
func (s *snapshot) resize(n int)                       { s.dirty = s.dirty.resize(n) }
func (s *snapshot) bytes() int64                       { return 0 }
func (s *snapshot) beforeDelete(groups []uint32) error { return nil }
