package expr

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// charset converts between UTF-8 and another encoding of characters. What it cannot say becomes ? on the way out and U+FFFD on
// the way in.
type charset struct {
	encode, decode func(dst, s []byte) []byte
}

var charsets = map[string]charset{
	"US-ASCII":   {encodeBytes(0x7f), decodeBytesTo(0x7f)},
	"ASCII":      {encodeBytes(0x7f), decodeBytesTo(0x7f)},
	"ISO-8859-1": {encodeBytes(0xff), decodeBytesTo(0xff)},
	"LATIN1":     {encodeBytes(0xff), decodeBytesTo(0xff)},
	"UTF-8":      {func(dst, s []byte) []byte { return append(dst, s...) }, appendValidUTF8},
	"UTF-16BE":   {func(dst, s []byte) []byte { return encodeUTF16(dst, s, binary.BigEndian) }, func(dst, s []byte) []byte { return decodeUTF16(dst, s, binary.BigEndian) }},
	"UTF-16LE":   {func(dst, s []byte) []byte { return encodeUTF16(dst, s, binary.LittleEndian) }, func(dst, s []byte) []byte { return decodeUTF16(dst, s, binary.LittleEndian) }},
	"UTF-16":     {encodeMarkedUTF16, decodeMarkedUTF16},
}

const charsetNames = "US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE or UTF-16LE"

func findCharset(name []byte) (charset, bool) {
	if c, ok := charsets[string(name)]; ok {
		return c, true
	}
	for known, c := range charsets {
		if bytes.EqualFold(name, []byte(known)) {
			return c, true
		}
	}
	return charset{}, false
}

// appendValidUTF8 replaces what is not UTF-8.
func appendValidUTF8(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[n:]
	}
	return dst
}

// encodeBytes writes one byte for each character, up to the largest.
func encodeBytes(largest rune) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for len(s) > 0 {
			r, n := utf8.DecodeRune(s)
			if r > largest {
				r = '?'
			}
			dst = append(dst, byte(r))
			s = s[n:]
		}
		return dst
	}
}

func decodeBytesTo(largest byte) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for _, c := range s {
			if c > largest {
				dst = utf8.AppendRune(dst, utf8.RuneError)
			} else {
				dst = utf8.AppendRune(dst, rune(c))
			}
		}
		return dst
	}
}

func encodeUTF16(dst, s []byte, order binary.AppendByteOrder) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			dst = order.AppendUint16(order.AppendUint16(dst, uint16(high)), uint16(low))
		} else {
			dst = order.AppendUint16(dst, uint16(r))
		}
		s = s[n:]
	}
	return dst
}

func decodeUTF16(dst, s []byte, order binary.ByteOrder) []byte {
	for len(s) > 1 {
		r := rune(order.Uint16(s))
		s = s[2:]
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if len(s) > 1 {
				pair = utf16.DecodeRune(r, rune(order.Uint16(s)))
			}
			if r = pair; pair != utf8.RuneError {
				s = s[2:]
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	if len(s) == 1 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst
}

// encodeMarkedUTF16 puts the mark of the byte order in front.
func encodeMarkedUTF16(dst, s []byte) []byte {
	return encodeUTF16(append(dst, 0xfe, 0xff), s, binary.BigEndian)
}

func decodeMarkedUTF16(dst, s []byte) []byte {
	switch {
	case len(s) > 1 && s[0] == 0xff && s[1] == 0xfe:
		return decodeUTF16(dst, s[2:], binary.LittleEndian)
	case len(s) > 1 && s[0] == 0xfe && s[1] == 0xff:
		s = s[2:]
	}
	return decodeUTF16(dst, s, binary.BigEndian)
}
