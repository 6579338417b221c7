package vec_test

import (
	"testing"

	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
)

func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := vec.NewBatch(rapid.IntRange(0, 300).Draw(t, "rows"), nil)
		b.Sel = vectest.Selection(t, b.Rows)
		hashes := rapid.SliceOfN(rapid.Uint64(), b.Len(), b.Len()).Draw(t, "hashes")
		parallelism := rapid.IntRange(1, vec.KeyGroups).Draw(t, "parallelism")
		want := make([][]uint32, parallelism)
		for i, h := range hashes {
			s := vec.Owner(vec.KeyGroup(h), parallelism)
			want[s] = append(want[s], uint32(b.Row(i)))
		}
		got := make([][]uint32, parallelism)
		vec.Partition(hashes, b, parallelism, got)
		for s := range want {
			if got[s] == nil || len(got[s]) != len(want[s]) {
				t.Fatalf("subtask %d: got %v, want %v", s, got[s], want[s])
			}
			for i := range want[s] {
				if got[s][i] != want[s][i] {
					t.Fatalf("subtask %d: got %v, want %v", s, got[s], want[s])
				}
			}
		}
	})
}
