package vec

// Partition divides the selected rows of b among the subtasks that own their key groups: out[s] becomes the selection of
// subtask s, in the order of the rows. hashes has one hash for each selected row, out has length parallelism. The selections
// share one new array.
func Partition(hashes []uint64, b Batch, parallelism int, out [][]uint32) {
	var owners [KeyGroups]uint16
	for g := range owners {
		owners[g] = uint16(Owner(g, parallelism))
	}
	var counts [KeyGroups]int
	for _, h := range hashes {
		counts[KeyGroup(h)]++
	}
	rows := make([]uint32, len(hashes))
	starts := make([]int, parallelism+1)
	for g, n := range counts {
		starts[owners[g]+1] += n
	}
	for s := range parallelism {
		starts[s+1] += starts[s]
		out[s] = rows[starts[s]:starts[s+1]:starts[s+1]]
	}
	scatter(hashes, b.Sel, &owners, starts, rows)
}

// scatter writes the rows of subtask s from starts[s] on, which it advances.
func scatter(hashes []uint64, sel []uint32, owners *[KeyGroups]uint16, starts []int, rows []uint32) {
	if sel == nil {
		for i, h := range hashes {
			s := owners[KeyGroup(h)]
			rows[starts[s]] = uint32(i)
			starts[s]++
		}
		return
	}
	for i, h := range hashes {
		s := owners[KeyGroup(h)]
		rows[starts[s]] = sel[i]
		starts[s]++
	}
}
