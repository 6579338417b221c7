package state

// Delete removes groups, each of which is in the table and named once. Their numbers may be given out again.
func (t *Table) Delete(groups []uint32) error {
	if err := t.beforeDelete(groups); err != nil {
		return err
	}
	t.value.Free(t.Rows(), groups)
	for _, g := range groups {
		t.remove(g)
	}
	return nil
}

// remove takes one group out of the table, without a trace in snapshots.
func (t *Table) remove(g uint32) {
	t.slots.remove(tagOf(*At[uint64](t.hashes.Rows, g)), g)
	for _, column := range t.layout.texts {
		if text := At[[2]uint64](t.rows.Field(8*t.layout.columns[column].word), g); isLongText(text[1]) {
			t.texts.Free(Ref(text[1]), textLength(text[1]))
		}
	}
	switch {
	case int64(g) == t.nullGroup:
		t.nullGroup = -1
	case t.direct.integers:
		t.direct.remove(*At[uint64](t.rows.Rows, g))
	}
	t.live.unset(g)
	t.free = append(t.free, g)
	t.size--
}
