package agg

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec/vectest"
)

// drawCodec draws a column of values that may be NULL, and its codec.
func drawCodec(t *rapid.T, mem memory.Allocator) (arrow.Array, codec, bool) {
	dt := rapid.SampledFrom(vectest.All).Draw(t, "type")
	c, err := codecOf(dt)
	if err != nil {
		t.Fatal(err)
	}
	desc := rapid.Bool().Draw(t, "descending")
	if desc {
		c = descending(c)
	}
	return vectest.Array(t, mem, dt, rapid.IntRange(0, 20).Draw(t, "rows")), orNull(c, rapid.SampledFrom([]byte{markNullFirst, markNullLast}).Draw(t, "null")), desc
}

// TestCodecRoundTrip: values written one after the other read back as they were.
func TestCodecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		arr, c, _ := drawCodec(t, mem)
		read := c.reader(arr)
		var all []byte
		for row := range arr.Len() {
			all = read(all, row)
		}
		b := array.NewBuilder(mem, arr.DataType())
		for range arr.Len() {
			all = c.write(b, all)
		}
		back := b.NewArray()
		if len(all) != 0 || !array.ApproxEqual(arr, back, array.WithNaNsEqual(true)) {
			t.Fatalf("%v became %v, and %d bytes are left", arr, back, len(all))
		}
		for _, r := range []interface{ Release() }{arr, back, b} {
			r.Release()
		}
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
		}
	})
}

// TestCodecOrder: bytes compare as values do, and those of no value begin those of another.
func TestCodecOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arr, c, desc := drawCodec(t, memory.DefaultAllocator)
		if arrow.IsNested(arr.DataType().ID()) || arr.DataType().ID() == arrow.NULL {
			return
		}
		read := c.reader(arr)
		for i := range arr.Len() {
			for j := range arr.Len() {
				a, b := read(nil, i), read(nil, j)
				if arr.IsNull(i) || arr.IsNull(j) {
					if (arr.IsNull(i) && arr.IsNull(j)) != bytes.Equal(a, b) {
						t.Fatalf("rows %d and %d of %v are %x and %x", i, j, arr, a, b)
					}
					continue
				}
				want := order(arr, i, j)
				if desc {
					want = -want
				}
				if got := bytes.Compare(a, b); got != want {
					t.Fatalf("rows %d and %d of %v compare as %d, want %d", i, j, arr, got, want)
				}
				if want != 0 && bytes.HasPrefix(a, b) {
					t.Fatalf("rows %d and %d of %v are %x and %x", i, j, arr, a, b)
				}
			}
		}
	})
}

// order compares by the domains of MIN and MAX.
func order(arr arrow.Array, i, j int) int {
	one := func(row int) arrow.Array { return array.NewSlice(arr, int64(row), int64(row)+1) }
	switch a := arr.(type) {
	case *array.Float32:
		return compareOrdered(a.Value(i), a.Value(j))
	case *array.Float64:
		return compareOrdered(a.Value(i), a.Value(j))
	}
	return compareValues(valueOf([]arrow.Array{one(i)}, 0), valueOf([]arrow.Array{one(j)}, 0))
}

// TestTextsWithZeros: a zero byte in a text neither ends it nor changes its place.
func TestTextsWithZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]byte{0, 0, 1, 2, 0xff}))
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		x, y := appendText(nil, a), appendText(nil, b)
		if bytes.Compare(x, y) != bytes.Compare(a, b) {
			t.Fatalf("%x and %x become %x and %x", a, b, x, y)
		}
		v, rest := textOf(append(x, y...))
		if !bytes.Equal(v, a) || !bytes.Equal(rest, y) {
			t.Fatalf("%x becomes %x", a, v)
		}
	})
}
