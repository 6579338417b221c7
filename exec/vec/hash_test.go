package vec_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
)

// TestHashAgreesWithEquality: over every type, equal rows have equal hashes, different ones different hashes, and neither
// slicing nor selecting nor the position in a block changes a hash.
func TestHashAgreesWithEquality(t *testing.T) {
	for _, dt := range vectest.All {
		t.Run(dt.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(0, 20).Draw(t, "rows")
				arr := vectest.Array(t, memory.DefaultAllocator, dt, n)
				cols := []arrow.Array{arr, arr}
				for _, cols := range [][]arrow.Array{cols[:1], cols} {
					sel := vectest.Selection(t, n)
					hashes := vec.Hash(cols, n, nil, nil)
					for i, h := range vec.Hash(cols, n, sel, nil) {
						if row := (vec.Batch{Sel: sel}).Row(i); h != hashes[row] {
							t.Fatalf("row %d hashes differently when selected", row)
						}
					}
					for i := range n {
						for j := range i {
							if same := sameValue(arr, i, j); same != (hashes[i] == hashes[j]) {
								t.Fatalf("%s, %s: same %v, hashes %x %x", arr.ValueStr(i), arr.ValueStr(j), same, hashes[i], hashes[j])
							}
						}
					}
				}
			})
		})
	}
}

func sameValue(arr arrow.Array, i, j int) bool {
	if a, ok := arr.(*array.Float64); ok && !arr.IsNull(i) && !arr.IsNull(j) {
		return a.Value(i) == a.Value(j) || math.IsNaN(a.Value(i)) && math.IsNaN(a.Value(j))
	}
	if a, ok := arr.(*array.Float32); ok && !arr.IsNull(i) && !arr.IsNull(j) {
		return a.Value(i) == a.Value(j) || a.Value(i) != a.Value(i) && a.Value(j) != a.Value(j)
	}
	a, b := array.NewSlice(arr, int64(i), int64(i+1)), array.NewSlice(arr, int64(j), int64(j+1))
	return array.ApproxEqual(a, b, array.WithNaNsEqual(true))
}

// TestHashOfMapsIgnoresOrder: a map's entries may come in any order, and what they are counts.
func TestHashOfMapsIgnoresOrder(t *testing.T) {
	b := array.NewMapBuilder(memory.DefaultAllocator, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, false)
	for _, entries := range []string{"a1b2c3", "c3a1b2", "b2c3a1", "a2b1c3", "a1b2", "", "a1"} {
		b.Append(true)
		for i := 0; i < len(entries); i += 2 {
			b.KeyBuilder().(*array.StringBuilder).Append(entries[i : i+1])
			b.ItemBuilder().(*array.Int64Builder).Append(int64(entries[i+1]))
		}
	}
	hashes := vec.Hash([]arrow.Array{b.NewArray()}, 7, nil, nil)
	if hashes[1] != hashes[0] || hashes[2] != hashes[0] {
		t.Errorf("the order of entries counts: %x", hashes)
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(hashes))); len(distinct) != 5 {
		t.Errorf("%d different hashes of 5 maps: %x", len(distinct), hashes)
	}
}

func TestHashIgnoresWidth(t *testing.T) {
	mem := memory.DefaultAllocator
	build := func(dt arrow.DataType, text string) arrow.Array {
		b := array.NewBuilder(mem, dt)
		if err := b.AppendValueFromString(text); err != nil {
			t.Fatal(err)
		}
		return b.NewArray()
	}
	families := []struct {
		text  string
		types []arrow.DataType
	}{
		{"-5", []arrow.DataType{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64}},
		{"7", []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint64}},
		{"1.5", []arrow.DataType{arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64}},
		{"2024-05-06 07:08:09", []arrow.DataType{arrow.FixedWidthTypes.Timestamp_s, arrow.FixedWidthTypes.Timestamp_ms, arrow.FixedWidthTypes.Timestamp_ns}},
		{"hello", []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString}},
	}
	for _, f := range families {
		want := vec.Hash([]arrow.Array{build(f.types[0], f.text)}, 1, nil, nil)[0]
		for _, dt := range f.types[1:] {
			if got := vec.Hash([]arrow.Array{build(dt, f.text)}, 1, nil, nil)[0]; got != want {
				t.Errorf("%s as %s hashes to %x, as %s to %x", f.text, dt, got, f.types[0], want)
			}
		}
	}
}

func TestHashOfDecimalsIgnoresScale(t *testing.T) {
	hash := func(unscaled string, scale int32) uint64 {
		dt := &arrow.Decimal128Type{Precision: 38, Scale: scale}
		b := array.NewDecimal128Builder(memory.DefaultAllocator, dt)
		v, err := decimal128.FromString(unscaled, 38, 0)
		if err != nil {
			t.Fatal(err)
		}
		b.Append(v)
		return vec.Hash([]arrow.Array{b.NewArray()}, 1, nil, nil)[0]
	}
	if hash("-15", 1) != hash("-15000000000000000000000000000", 28) {
		t.Error("-1.5 hashes by its scale")
	}
	if hash("0", 1) != hash("0", 9) {
		t.Error("0 hashes by its scale")
	}
	if hash("15", 1) == hash("15", 2) || hash("15", 1) == hash("-15", 1) {
		t.Error("different decimals hash alike")
	}
}

func TestTextWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.ByteRange(0, 2), 0, 14).Draw(t, "a")
		b := rapid.SliceOfN(rapid.ByteRange(0, 2), 0, 14).Draw(t, "b")
		a0, a1 := vec.TextWords(a)
		b0, b1 := vec.TextWords(b)
		same := a0 == b0 && a1 == b1
		if len(a) <= vec.ShortText && same != bytes.Equal(a, b) {
			t.Fatalf("%v and %v: words %x %x and %x %x", a, b, a0, a1, b0, b1)
		}
		if int(a1>>32) != len(a) {
			t.Fatalf("%v has words %x %x", a, a0, a1)
		}
	})
}

// TestHashIsStable pins values that are stored in checkpoints: they must never change.
func TestHashIsStable(t *testing.T) {
	mem := memory.DefaultAllocator
	ib := array.NewInt64Builder(mem)
	ib.AppendValues([]int64{0, 1, -1}, nil)
	ib.AppendNull()
	ints := ib.NewArray()
	sb := array.NewStringBuilder(mem)
	sb.AppendValues([]string{"", "abc", "twelve bytes", "more than sixteen bytes"}, nil)
	strs := sb.NewArray()
	golden := []struct {
		cols []arrow.Array
		want [4]uint64
	}{
		{nil, [4]uint64{vec.EmptyHash, vec.EmptyHash, vec.EmptyHash, vec.EmptyHash}},
		{[]arrow.Array{ints}, [4]uint64{0, 0x3c02aa47758292bd, 0x78a9666a39c1a1b5, vec.NullHash}},
		{[]arrow.Array{strs}, [4]uint64{0x73a9ed1da4ac705c, 0xe9325b983794c033, 0xee5c18782eaf67ef, 0x66cabb23739fafcd}},
		{[]arrow.Array{ints, strs}, [4]uint64{0x73a9ed1da4ac705c, 0x1803a9199f45695d, 0xfc6c92b2652f74b4, 0xc2005e26b0ae78e7}},
	}
	for i, g := range golden {
		if got := [4]uint64(vec.Hash(g.cols, 4, nil, nil)); got != g.want {
			t.Errorf("%d: %#x", i, got)
		}
	}
	if vec.NullHash&0xffffffff == 0 {
		t.Error("NULL cannot be told from the zero word")
	}
}

// TestHashSpreads: sequential, strided and floating keys fill key groups and the lower half of the hash evenly.
func TestHashSpreads(t *testing.T) {
	const n = 1 << 16
	kinds := map[string]func(i int) int64{
		"sequential": func(i int) int64 { return int64(i) },
		"minutes":    func(i int) int64 { return int64(i) * 60_000 },
		"high bits":  func(i int) int64 { return int64(i) << 48 },
		"doubles":    func(i int) int64 { return int64(math.Float64bits(float64(i))) },
	}
	for name, key := range kinds {
		b := array.NewInt64Builder(memory.DefaultAllocator)
		for i := range n {
			b.Append(key(i))
		}
		var groups [vec.KeyGroups]int
		tags := map[uint32]bool{}
		for _, h := range vec.Hash([]arrow.Array{b.NewArray()}, n, nil, nil) {
			groups[vec.KeyGroup(h)]++
			tags[uint32(h)] = true
		}
		for g, c := range groups {
			if c < n/vec.KeyGroups*3/4 || c > n/vec.KeyGroups*5/4 {
				t.Errorf("%s: key group %d has %d of %d rows", name, g, c, n)
			}
		}
		if len(tags) < n-n/1000 {
			t.Errorf("%s: only %d of %d lower halves differ", name, len(tags), n)
		}
	}
}
