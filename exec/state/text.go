package state

import "unsafe"

// A text is two words: its first eight bytes, and its length over either the four bytes that follow or, if it has more than
// inlineText, the Ref of all its bytes. Missing bytes are zero.
const (
	inlineText = 12
	nullText   = uint64(0xffffffff) << 32
)

// textWords is the words of b, with a zero Ref if it is long.
func textWords(b []byte) (first, rest uint64) {
	n := len(b)
	p := unsafe.Pointer(unsafe.SliceData(b))
	rest = uint64(n) << 32
	switch {
	case n > inlineText:
		return *(*uint64)(p), rest
	case n > 8:
		tail := *(*uint32)(unsafe.Add(p, n-4))
		return *(*uint64)(p), rest | uint64(tail>>(8*(inlineText-n)))
	case n == 8:
		return *(*uint64)(p), rest
	case n >= 4:
		return uint64(*(*uint32)(p)) | uint64(*(*uint32)(unsafe.Add(p, n-4)))<<(8*(n-4)), rest
	}
	for i, c := range b {
		first |= uint64(c) << (8 * i)
	}
	return first, rest
}

// textLength is the length in the second word of a text; it is negative for NULL.
func textLength(rest uint64) int { return int(int32(rest >> 32)) }

// isLongText reports whether the second word of a text holds a Ref.
func isLongText(rest uint64) bool { return textLength(rest) > inlineText }
