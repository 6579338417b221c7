package state

import "streamsql/exec/vec"

// A text in a row is its two words as vec.TextWords makes them; the second word of a long one holds, below the length, the Ref of
// all its bytes. NULL has a length no text has.
const nullText = uint64(0xffffffff) << 32

// textLength is the length in the second word of a text; it is negative for NULL.
func textLength(rest uint64) int { return int(int32(rest >> 32)) }

// isLongText reports whether the second word of a text holds a Ref.
func isLongText(rest uint64) bool { return textLength(rest) > vec.ShortText }
