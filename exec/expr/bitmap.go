package expr

import (
	"bytes"

	"github.com/RoaringBitmap/roaring/v2"

	"streamsql/internal/bitmap"
)

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
		r.ok = bitmap.Decode(&r.set, r.text)
	}
	if !r.ok {
		return nil
	}
	return &r.set
}
