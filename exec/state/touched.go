package state

// Added is the groups that the last Assign has added, in first-seen order. It is valid until the next one.
func (t *Table) Added() []uint32 { return t.born }

// Touched is each group of groups once, in first-seen order, and for each whether the last Assign added it. groups may hold
// NoGroup, which is left out. The slices passed in are reused for the results if they have the capacity.
func (t *Table) Touched(groups, unique []uint32, added []bool) ([]uint32, []bool) {
	for _, g := range t.born {
		t.isBorn.set(g)
	}
	unique, added = unique[:0], added[:0]
	for _, g := range groups {
		if g == NoGroup || t.touched.has(g) {
			continue
		}
		t.touched.set(g)
		unique = append(unique, g)
	}
	for _, g := range unique {
		t.touched.unset(g)
		added = append(added, t.isBorn.has(g))
	}
	for _, g := range t.born {
		t.isBorn.unset(g)
	}
	return unique, added
}
