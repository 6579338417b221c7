package text

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestParseDecimal(t *testing.T) {
	for _, c := range []struct {
		in               string
		precision, scale int32
		want             string
		err              error
	}{
		{"12345678901234567.89", 20, 2, "12345678901234567.89", nil},
		{"-0.10", 20, 2, "-0.10", nil},
		{"0.1", 3, 2, "0.10", nil},
		{"1.005", 5, 2, "1.01", nil},
		{"-1.005", 5, 2, "-1.01", nil},
		{"1.0049999999999999999999999999999999999999999999", 5, 2, "1.00", nil},
		{"9.995", 3, 2, "", ErrRange},
		{"99999999999999999999999999999999999999", 38, 0, "99999999999999999999999999999999999999", nil},
		{"100000000000000000000000000000000000000", 38, 0, "", ErrRange},
		{"999999999999999999999999999999999999999999999999999999", 38, 0, "", ErrRange},
		{"0.00000000000000000000000000000000000001", 38, 38, "0.00000000000000000000000000000000000001", nil},
		{"1e3", 10, 1, "1000.0", nil},
		{"125E-2", 10, 1, "1.3", nil},
		{"1e-100", 10, 2, "0.00", nil},
		{"0e99999999999", 10, 2, "0.00", nil},
		{"1e99999999999", 10, 2, "", ErrRange},
		{".5", 2, 1, "0.5", nil},
		{"5.", 2, 1, "5.0", nil},
		{"+5", 2, 1, "5.0", nil},
		{"", 2, 1, "", ErrSyntax},
		{".", 2, 1, "", ErrSyntax},
		{"1.2.3", 9, 1, "", ErrSyntax},
		{"1e", 9, 1, "", ErrSyntax},
		{"1e+", 9, 1, "", ErrSyntax},
		{"NaN", 9, 1, "", ErrSyntax},
	} {
		n, err := ParseDecimal([]byte(c.in), c.precision, c.scale)
		if !errors.Is(err, c.err) {
			t.Errorf("ParseDecimal(%q, %d, %d): %v, want %v", c.in, c.precision, c.scale, err, c.err)
		} else if got := string(AppendDecimal(nil, n, c.scale)); err == nil && got != c.want {
			t.Errorf("ParseDecimal(%q, %d, %d) = %s, want %s", c.in, c.precision, c.scale, got, c.want)
		}
	}
}

// TestParseDecimalIsExact compares with arithmetic on rationals.
func TestParseDecimalIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9])?`).Draw(t, "s")
		scale := rapid.Int32Range(0, 12).Draw(t, "scale")
		want, _ := new(big.Rat).SetString(s)
		want.Mul(want, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
		n, err := ParseDecimal([]byte(s), 38, scale)
		if err != nil {
			if limit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(38), nil)); want.Abs(want).Cmp(limit) < 0 {
				t.Fatalf("ParseDecimal(%q, 38, %d): %v", s, scale, err)
			}
			return
		}
		off := new(big.Rat).Sub(want, new(big.Rat).SetInt(n.BigInt()))
		if off.Abs(off).Cmp(big.NewRat(1, 2)) > 0 {
			t.Fatalf("ParseDecimal(%q, 38, %d) = %v, off by %v", s, scale, n.BigInt(), off)
		}
	})
}

func TestDecimalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`(-[1-9]|[1-9])[0-9]{0,25}\.[0-9]{12}`).Draw(t, "s")
		n, err := ParseDecimal([]byte(s), 38, 12)
		if got := string(AppendDecimal(nil, n, 12)); err != nil || got != s {
			t.Fatalf("%s became %s, %v", s, got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "-1.5e3", "2013-01-01 05:00:00.25", "12:00:00", "true", "10 s", "NaN", "+02:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := []byte(s)
		if v, err := ParseInt64(b); err == nil {
			if d, err := ParseDecimal(b, 38, 0); err != nil || d.BigInt().Int64() != v {
				t.Fatalf("%q is the integer %d and the decimal %v, %v", s, v, d.BigInt(), err)
			}
		}
		if _, err := ParseDecimal(b, 38, 10); err == nil {
			if _, err := ParseFloat64(b); errors.Is(err, ErrSyntax) {
				t.Fatalf("%q is a decimal but no float", s)
			}
		}
		if v, err := ParseTimestamp(b, 1); err == nil {
			if w, err := ParseTimestamp(AppendTimestamp(nil, v, 1), 1); err != nil || w != v {
				t.Fatalf("%q is %d and then %d, %v", s, v, w, err)
			}
		}
		ParseTime(b, 1)
		ParseBool(b)
		ParseDuration(s)
	})
}
