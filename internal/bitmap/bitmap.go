// Package bitmap holds sets of INTs as bytes: the portable format of Roaring bitmaps, in which INTs count as numbers without sign,
// with runs where they are smaller. The same set has the same bytes.
package bitmap

import (
	"bytes"

	"github.com/RoaringBitmap/roaring/v2"
)

// Decode reads b into set and reports whether it is a bitmap and nothing else. The set is undefined if it is not.
func Decode(set *roaring.Bitmap, b []byte) bool {
	set.Clear()
	n, err := set.ReadFrom(bytes.NewReader(b))
	return err == nil && n == int64(len(b)) && (set.IsEmpty() || set.Validate() == nil) // the library panics for some that are not valid
}

// Append appends the set, and may change how it holds its numbers.
func Append(dst []byte, set *roaring.Bitmap) []byte {
	set.RunOptimize()
	w := bytes.NewBuffer(dst)
	if _, err := set.WriteTo(w); err != nil {
		return dst
	}
	return w.Bytes()
}
