package expr

import (
	"bytes"

	"github.com/RoaringBitmap/roaring/v2"
)

// Bitmaps are sets of INTs, which count as numbers without sign, in the portable format of Roaring bitmaps, with runs where they
// are smaller: the same set has the same bytes.

// bitmapReader reads the bitmap of an argument. Kernels keep one for each from batch to batch.
type bitmapReader struct {
	known bool
	text  []byte
	set   roaring.Bitmap
	ok    bool
}

// read returns the set, which must not be changed; it is nil if the bytes are no bitmap.
func (r *bitmapReader) read(b []byte) *roaring.Bitmap {
	if !r.known || !bytes.Equal(b, r.text) {
		r.known, r.text = true, append(r.text[:0], b...)
		r.ok = decodeBitmap(&r.set, r.text)
	}
	if !r.ok {
		return nil
	}
	return &r.set
}

// decodeBitmap reports whether b is a bitmap and nothing else. The library panics for some bytes that are none.
func decodeBitmap(set *roaring.Bitmap, b []byte) bool {
	set.Clear()
	n, err := set.ReadFrom(bytes.NewReader(b))
	return err == nil && n == int64(len(b)) && (set.IsEmpty() || set.Validate() == nil)
}

// appendBitmap appends the set, and may change how it holds its numbers.
func appendBitmap(dst []byte, set *roaring.Bitmap) []byte {
	set.RunOptimize()
	w := bytes.NewBuffer(dst)
	if _, err := set.WriteTo(w); err != nil {
		return dst
	}
	return w.Bytes()
}
