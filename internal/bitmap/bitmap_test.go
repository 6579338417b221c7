package bitmap

import (
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"pgregory.net/rapid"
)

// TestBytes: a set has the same bytes however it came about.
func TestBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.OneOf(rapid.Uint32Range(0, 9000), rapid.Uint32())).Draw(t, "numbers")
		one := roaring.BitmapOf(numbers...)
		other := roaring.New()
		for _, n := range slices.Backward(numbers) {
			other = roaring.Or(other, roaring.BitmapOf(n))
		}
		a, b := Append(nil, one), Append([]byte("before"), other)
		if string(a) != strings.TrimPrefix(string(b), "before") {
			t.Fatalf("%v has two forms", numbers)
		}
		var read roaring.Bitmap
		if !Decode(&read, a) || !read.Equals(one) {
			t.Fatalf("%v is read as %v", numbers, &read)
		}
	})
}

// FuzzDecode: any bytes are a bitmap or not, without failing.
func FuzzDecode(f *testing.F) {
	f.Add(Append(nil, roaring.BitmapOf(1, 2, 3, 70000)))
	f.Add(Append(nil, roaring.New()))
	f.Fuzz(func(t *testing.T, b []byte) {
		var set roaring.Bitmap
		if Decode(&set, b) {
			Append(nil, roaring.Xor(&set, roaring.BitmapOf(7)))
			set.Iterate(func(uint32) bool { return true })
		}
	})
}
