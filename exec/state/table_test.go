package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
	"streamsql/internal/dirty"
)

// keyText is row i of cols as text that is equal if the keys are.
func keyText(cols []arrow.Array, i int) string {
	var s strings.Builder
	for _, c := range cols {
		fmt.Fprintf(&s, "%s;", valueText(c, i))
	}
	return s.String()
}

func valueText(arr arrow.Array, i int) string {
	if arr.IsNull(i) {
		return "NULL"
	}
	switch a := arr.(type) {
	case *array.Map:
		return "map" + fmt.Sprint(elementTexts(a, i, true))
	case *array.List:
		return "list" + fmt.Sprint(elementTexts(a, i, false))
	case *array.Struct:
		var fields []string
		for f := range a.NumField() {
			fields = append(fields, valueText(a.Field(f), i))
		}
		return fmt.Sprintf("row%q", fields)
	}
	text := arr.ValueStr(i)
	if text == "-0" {
		text = "0"
	}
	return fmt.Sprintf("%q", text)
}

func elementTexts(list array.ListLike, i int, sorted bool) []string {
	var texts []string
	for from, to := list.ValueOffsets(i); from < to; from++ {
		texts = append(texts, valueText(list.ListValues(), int(from)))
	}
	if sorted {
		slices.Sort(texts)
	}
	return texts
}

func hashesOf(cols []arrow.Array, rows int, sel []uint32) []uint64 {
	return vec.Hash(cols, rows, sel, nil)
}

// keyTypes draws up to three key columns.
func keyTypes(t *rapid.T) []arrow.DataType {
	return rapid.SliceOfN(rapid.SampledFrom(vectest.All), 0, 3).Draw(t, "key types")
}

// TestTableIsAMap compares a table with a map while keys come and go.
func TestTableIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		types := keyTypes(t)
		table, err := New(Config{Keys: types, Mem: mem})
		if err != nil {
			t.Fatal(err)
		}
		model := map[string]uint32{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			rows := rapid.IntRange(0, 40).Draw(t, "rows")
			cols := vectest.Columns(t, mem, types, rows)
			sel := vectest.Selection(t, rows)
			hashes := hashesOf(cols, rows, sel)
			b := vec.Batch{Rows: rows, Sel: sel}
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				checkAssign(t, table, model, cols, b, hashes)
			case 1:
				for i, g := range table.Lookup(cols, rows, sel, hashes, nil) {
					if want, ok := model[keyText(cols, b.Row(i))]; ok && g != want || !ok && g != NoGroup {
						t.Fatalf("looked up group %d, want %d, %v", g, want, ok)
					}
				}
			case 2:
				found := table.Lookup(cols, rows, sel, hashes, nil)
				unique, _ := table.Touched(found, nil, nil)
				for _, k := range keyTexts(table, unique) {
					delete(model, k)
				}
				if err := table.Delete(unique); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range cols {
				c.Release()
			}
			checkTable(t, table, model, types)
		}
		if rapid.Bool().Draw(t, "reset") {
			table.Reset()
			checkTable(t, table, map[string]uint32{}, types)
		}
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
		}
	})
}

func checkAssign(t *rapid.T, table *Table, model map[string]uint32, cols []arrow.Array, b vec.Batch, hashes []uint64) {
	groups := table.Assign(cols, b.Rows, b.Sel, hashes, nil)
	var wantUnique []uint32
	var wantAdded []bool
	seen := map[uint32]bool{}
	for i, g := range groups {
		k := keyText(cols, b.Row(i))
		want, ok := model[k]
		if ok && g != want {
			t.Fatalf("key %s is in group %d, was %d", k, g, want)
		}
		model[k] = g
		if !seen[g] {
			seen[g] = true
			wantUnique = append(wantUnique, g)
			wantAdded = append(wantAdded, !ok)
		}
	}
	unique, added := table.Touched(groups, nil, nil)
	if fmt.Sprint(unique, added) != fmt.Sprint(wantUnique, wantAdded) {
		t.Fatalf("touched %v %v, want %v %v", unique, added, wantUnique, wantAdded)
	}
}

func keyTexts(table *Table, groups []uint32) []string {
	keys := table.Keys(groups)
	out := make([]string, len(groups))
	for i := range groups {
		out[i] = keyText(keys, i)
	}
	for _, k := range keys {
		k.Release()
	}
	return out
}

func checkTable(t *rapid.T, table *Table, model map[string]uint32, types []arrow.DataType) {
	groups := table.Groups(nil)
	if table.Len() != len(model) || len(groups) != len(model) {
		t.Fatalf("%d keys, groups %v, want %d", table.Len(), groups, len(model))
	}
	keys := table.Keys(groups)
	for i, k := range keys {
		if !arrow.TypeEqual(k.DataType(), types[i]) {
			t.Fatalf("key column %d is %s, want %s", i, k.DataType(), types[i])
		}
	}
	hashes := vec.Hash(keys, len(groups), nil, nil)
	stored := table.Hashes(groups, nil)
	for i, g := range groups {
		if want, ok := model[keyText(keys, i)]; !ok || want != g {
			t.Fatalf("group %d has key %s, which is in group %d, %v", g, keyText(keys, i), want, ok)
		}
		if hashes[i] != stored[i] {
			t.Fatalf("group %d has hash %x, its key %x", g, stored[i], hashes[i])
		}
	}
	for _, k := range keys {
		k.Release()
	}
}

// TestTableGrows fills a table far beyond its first slots, segments and arena block, in the key groups of one of three subtasks.
func TestTableGrows(t *testing.T) {
	const n = 200_000
	b := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range n {
		b.Append(fmt.Sprintf("a key of some length %d", i))
	}
	cols := []arrow.Array{b.NewArray()}
	hashes := hashesOf(cols, n, nil)
	owned := vec.OwnedBy(1, 3)
	var sel []uint32
	var selected []uint64
	for i, h := range hashes {
		if owned.Contains(vec.KeyGroup(h)) {
			sel = append(sel, uint32(i))
			selected = append(selected, h)
		}
	}
	table, err := New(Config{Keys: []arrow.DataType{arrow.BinaryTypes.String}, KeyGroups: owned, Mem: memory.DefaultAllocator})
	if err != nil {
		t.Fatal(err)
	}
	groups := table.Assign(cols, n, sel, selected, nil)
	for i, g := range groups {
		if g != uint32(i) {
			t.Fatalf("row %d of distinct keys got group %d", i, g)
		}
	}
	for i, g := range table.Assign(cols, n, sel, selected, nil) {
		if g != groups[i] {
			t.Fatalf("row %d moved to group %d", i, g)
		}
	}
	keys := table.Keys(groups)[0].(*array.String)
	for i := range groups {
		if keys.Value(i) != cols[0].(*array.String).Value(int(sel[i])) {
			t.Fatalf("group %d has key %q", i, keys.Value(i))
		}
	}
	if b := table.Bytes(); b < int64(len(sel))*(16+8+32) || b > int64(len(sel))*150 {
		t.Fatalf("%d bytes for %d keys", b, len(sel))
	}
}

// TestEqualNestedKeys: keys are one where = says that they are equal, or both are NULL.
func TestEqualNestedKeys(t *testing.T) {
	double := arrow.PrimitiveTypes.Float64
	cases := []struct {
		dt    arrow.DataType
		texts []string // JSON; the keys of a line are equal, those of different lines are not
	}{
		{arrow.ListOf(double), []string{`[0] [-0]`, `[null]`, `[]`, `null`, `["NaN"] ["NaN"]`, `[0,0] [-0,0]`, `["+Inf"]`}},
		{arrow.MapOf(arrow.BinaryTypes.String, double), []string{
			`[{"key":"a","value":1},{"key":"b","value":-0}] [{"key":"b","value":0},{"key":"a","value":1}]`,
			`[{"key":"a","value":0},{"key":"b","value":1}]`, `[{"key":"a","value":null}]`, `[]`, `null`,
		}},
		{arrow.StructOf(arrow.Field{Name: "a", Type: arrow.BinaryTypes.String, Nullable: true}, arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true}), []string{
			`{"a":"x","b":null}`, `{"a":null,"b":"x"}`, `{"a":"","b":"x"}`, `{"a":"x","b":""}`, `{"a":null,"b":null}`, `null`,
		}},
		{arrow.ListOf(arrow.ListOf(arrow.FixedWidthTypes.Boolean)), []string{`[[true],[]]`, `[[],[true]]`, `[[true]]`, `[[],[]]`, `[[]]`, `[null]`, `[]`, `null`}},
	}
	for _, c := range cases {
		t.Run(c.dt.String(), func(t *testing.T) {
			b := array.NewBuilder(memory.DefaultAllocator, c.dt)
			var want []uint32
			for line, texts := range c.texts {
				for _, text := range strings.Fields(texts) {
					if err := b.UnmarshalJSON([]byte("[" + text + "]")); err != nil {
						t.Fatal(err)
					}
					want = append(want, uint32(line))
				}
			}
			column := b.NewArray()
			other := vec.Take(memory.DefaultAllocator, column, make([]uint32, column.Len()))
			for _, cols := range [][]arrow.Array{{column}, {column, other}} {
				types := []arrow.DataType{c.dt, c.dt}[:len(cols)]
				table, err := New(Config{Keys: types, Mem: memory.DefaultAllocator})
				if err != nil {
					t.Fatal(err)
				}
				if groups := table.Assign(cols, column.Len(), nil, nil, nil); !slices.Equal(groups, want) {
					t.Errorf("the groups are %v, want %v", groups, want)
				}
				keys := table.Keys(table.Groups(nil))
				if again := table.Lookup(keys, len(c.texts), nil, nil, nil); !slices.Equal(again, table.Groups(nil)) {
					t.Errorf("the keys of the groups are found in %v", again)
				}
			}
		})
	}
}

// TestTextsOfOneTag: long texts that agree in length, first bytes and the half of the hash that slots hold are two keys, also where
// one of them is the first text the table has kept.
func TestTextsOfOneTag(t *testing.T) {
	const n = 300_000
	b := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range n {
		b.Append(fmt.Sprintf("a text %08d", i))
	}
	texts := b.NewArray()
	for _, cols := range [][]arrow.Array{{texts}, {texts, texts}} {
		types := []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.String}[:len(cols)]
		seen := map[uint32]uint32{}
		pairs := 0
		for i, h := range hashesOf(cols, n, nil) {
			j, ok := seen[tagOf(h)]
			seen[tagOf(h)] = uint32(i)
			if !ok {
				continue
			}
			pairs++
			table, err := New(Config{Keys: types, Mem: memory.DefaultAllocator})
			if err != nil {
				t.Fatal(err)
			}
			if groups := table.Assign(cols, n, []uint32{j, uint32(i)}, nil, nil); groups[0] == groups[1] {
				t.Errorf("%s and %s are one key", texts.ValueStr(int(j)), texts.ValueStr(i))
			}
		}
		if pairs == 0 {
			t.Fatal("no two texts have a tag in common")
		}
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Config{Keys: []arrow.DataType{arrow.ListOf(arrow.FixedWidthTypes.Float16)}}); err == nil ||
		!strings.Contains(err.Error(), "a key column cannot be of type list") {
		t.Errorf("got %v", err)
	}
	if _, err := New(Config{Keys: make([]arrow.DataType, 65)}); err == nil || !strings.Contains(err.Error(), "at most 64 columns, got 65") {
		t.Errorf("got %v", err)
	}
}
