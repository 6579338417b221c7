package state

import (
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"
)

// TestIntegerKeys: keys that lie close together or do not, around any number, with NULL among them, have one group each while the
// table grows, loses groups and is emptied, whether there is an index of them or not.
func TestIntegerKeys(t *testing.T) {
	remade := 0
	rapid.Check(t, func(t *rapid.T) {
		table, err := New(Config{Keys: []arrow.DataType{arrow.PrimitiveTypes.Int64}, Mem: memory.DefaultAllocator})
		if err != nil {
			t.Fatal(err)
		}
		center := rapid.SampledFrom([]int64{math.MinInt64, -5000, 0, 7, 1 << 40, math.MaxInt64 - 10_000}).Draw(t, "center")
		type key struct {
			v    int64
			null bool
		}
		groups := map[key]uint32{}
		draw := rapid.Custom(func(t *rapid.T) []key {
			first := rapid.Int64Range(0, 60_000).Draw(t, "first")
			step := rapid.SampledFrom([]int64{1, 1, 2, 3, 10, 1000}).Draw(t, "step")
			keys := make([]key, rapid.IntRange(1, 9000).Draw(t, "keys"))
			for i := range keys {
				keys[i] = key{v: center + first + int64(i)*step}
			}
			if rapid.Bool().Draw(t, "null") {
				keys[len(keys)/2] = key{null: true}
			}
			return keys
		})
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			keys := draw.Draw(t, "batch")
			b := array.NewInt64Builder(memory.DefaultAllocator)
			for _, k := range keys {
				if k.null {
					b.AppendNull()
				} else {
					b.Append(k.v)
				}
			}
			column := []arrow.Array{b.NewArray()}
			before := len(table.direct.groups)
			got := table.Assign(column, len(keys), nil, nil, nil)
			if len(table.direct.groups) > before {
				remade++
			}
			for i, k := range keys {
				if g, ok := groups[k]; ok && g != got[i] {
					t.Fatalf("%v is in group %d and in %d", k, g, got[i])
				}
				groups[k] = got[i]
			}
			if again := table.Lookup(column, len(keys), nil, nil, nil); table.Len() != len(groups) || again[0] != got[0] {
				t.Fatalf("%d keys in %d groups", len(groups), table.Len())
			}
			switch rapid.IntRange(0, 9).Draw(t, "then") {
			case 0:
				table.Reset()
				clear(groups)
			case 1, 2:
				var gone []uint32
				for _, k := range keys[:len(keys)/2] {
					gone = append(gone, groups[k])
					delete(groups, k)
				}
				if err := table.Delete(gone); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if remade == 0 {
		t.Error("no index has been made anew")
	}
}
