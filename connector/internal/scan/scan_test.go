package scan

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func padded(s string) []byte { return append([]byte(s), make([]byte, 16)...) }

func TestDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lead := rapid.StringMatching(`[0-9]{0,16}`).Draw(t, "digits")
		rest := rapid.SampledFrom([]string{"", "/", ":", ".", "\x7f", "\x80", "\xb0", "\xb9", "\xff", "a", " "}).Draw(t, "rest")
		want, _ := strconv.ParseUint(lead, 10, 64)
		if v, n := Digits(padded(lead+rest), 0); v != want || n != len(lead) {
			t.Fatalf("Digits(%q) = %d, %d", lead+rest, v, n)
		}
		if n := Run(padded(lead+rest), 0); n != len(lead) {
			t.Fatalf("Run(%q) = %d", lead+rest, n)
		}
	})
	if n := Run(padded("12345678901234567890123456789012x"), 0); n != 32 {
		t.Errorf("Run of 32 digits is %d", n)
	}
}

func TestIntegerAndFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`-?[0-9]{0,17}(\.[0-9]{0,17})?[eE,]?[0-9]?`).Draw(t, "s")
		buf := padded(s)
		if v, end, ok := Integer(buf, 0); ok {
			if want, err := strconv.ParseInt(s[:end], 10, 64); err != nil || v != want {
				t.Fatalf("Integer(%q) = %d up to %d", s, v, end)
			}
		}
		if v, end, ok := Float(buf, 0); ok {
			want, err := strconv.ParseFloat(s[:end], 64)
			if err != nil || math.Float64bits(v) != math.Float64bits(want) {
				t.Fatalf("Float(%q) = %v up to %d", s, v, end)
			}
		}
	})
	for s, end := range map[string]int{"0": 1, "-5": 2, "123456789012345": 15, "12,": 2, "12}": 2} {
		if _, e, ok := Integer(padded(s), 0); !ok || e != end {
			t.Errorf("Integer(%q) ends at %d, %v", s, e, ok)
		}
		if _, e, ok := Float(padded(s), 0); !ok || e != end {
			t.Errorf("Float(%q) ends at %d, %v", s, e, ok)
		}
	}
	for _, s := range []string{"", "-", "01", "1.", "1.5e3", "1e3", "1234567890123456", "0.1234567890123456", "x"} {
		if _, _, ok := Float(padded(s), 0); ok {
			t.Errorf("Float(%q) succeeded", s)
		}
	}
}

func TestZero(t *testing.T) {
	for i := range 8 {
		w := ^uint64(0) &^ (0xff << (8 * i))
		if got := First(Zero(w)); got != i {
			t.Errorf("the zero byte of %x is found at %d", w, got)
		}
	}
	if got := First(Zero(^uint64(0))); got != 8 {
		t.Errorf("a zero byte found at %d", got)
	}
}
