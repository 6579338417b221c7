package agg

import (
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/internal/bitmap"
)

// TestBitmapAggregates compares with counts of the members, for inputs that may be retracted and for others.
func TestBitmapAggregates(t *testing.T) {
	holds := map[string]func(count, n int) bool{
		"BITMAP_AND_AGG": func(count, n int) bool { return count == n },
		"BITMAP_OR_AGG":  func(count, _ int) bool { return count > 0 },
		"BITMAP_XOR_AGG": func(count, _ int) bool { return count%2 == 1 },
	}
	rapid.Check(t, func(t *rapid.T) {
		sets := rapid.SliceOfN(rapid.SliceOfN(rapid.OneOf(rapid.Uint32Range(0, 9), rapid.Uint32Range(0, 200_000)), 0, 300), 1, 5).Draw(t, "sets")
		b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
		counts := map[uint32]int{}
		for _, members := range sets {
			set := roaring.BitmapOf(members...)
			for _, m := range set.ToArray() {
				counts[m]++
			}
			b.Append(bitmap.Append(nil, set))
		}
		arg := b.NewArray()
		for name, holds := range holds {
			want := roaring.New()
			for m, count := range counts {
				if holds(count, len(sets)) {
					want.Add(m)
				}
			}
			for _, opt := range []Options{{}, {Retract: true}} {
				got, err := aggregate(t, name, opt, nil, arg)
				if err != nil || string(got.(*array.Binary).Value(0)) != string(bitmap.Append(nil, want)) {
					t.Fatalf("%s%+v of %v is %v, %v", name, opt, sets, got, err)
				}
				n, err := aggregate(t, strings.Replace(name, "_AGG", "_CARDINALITY_AGG", 1), opt, nil, arg)
				if err != nil || uint64(n.(*array.Int64).Value(0)) != want.GetCardinality() {
					t.Fatalf("%s%+v of %v has %v members, %v", name, opt, sets, n, err)
				}
			}
		}
	})
}

func TestBitmapAggregatesRefuse(t *testing.T) {
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	b.Append([]byte{1})
	arg := b.NewArray()
	for _, opt := range []Options{{}, {Retract: true}} {
		if _, err := run(t, "BITMAP_OR_AGG", opt, arg, nil); err == nil || err.Error() != "BITMAP_OR_AGG takes bitmaps, and the BYTES are none" {
			t.Error(err)
		}
	}
	if _, err := Resolve("BITMAP_BUILD_AGG", []arrow.DataType{bigint}, Options{}); err == nil || err.Error() != "BITMAP_BUILD_AGG takes an INT, got BIGINT" {
		t.Error(err)
	}
}
