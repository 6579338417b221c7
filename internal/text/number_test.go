package text

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseInt64(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int64
		err  error
	}{
		{"0", 0, nil},
		{"-0", 0, nil},
		{"+7", 7, nil},
		{"9223372036854775807", math.MaxInt64, nil},
		{"-9223372036854775808", math.MinInt64, nil},
		{"0000000000000000000000012", 12, nil},
		{"9223372036854775808", 0, ErrRange},
		{"-9223372036854775809", 0, ErrRange},
		{"99999999999999999999999", 0, ErrRange},
		{"9999999999999999999999x", 0, ErrSyntax},
		{"", 0, ErrSyntax},
		{"-", 0, ErrSyntax},
		{"1.0", 0, ErrSyntax},
		{" 1", 0, ErrSyntax},
	} {
		got, err := ParseInt64([]byte(c.in))
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("ParseInt64(%q) = %d, %v; want %d, %v", c.in, got, err, c.want, c.err)
		}
	}
}

func TestParseInt64MatchesStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[+-]?[0-9]{0,21}x?`).Draw(t, "s")
		want, wantErr := strconv.ParseInt(s, 10, 64)
		got, err := ParseInt64([]byte(s))
		if (err == nil) != (wantErr == nil) || err == nil && got != want {
			t.Fatalf("ParseInt64(%q) = %d, %v; strconv says %d, %v", s, got, err, want, wantErr)
		}
	})
}

func TestParseIntegral(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int64
		err  error
	}{
		{"12", 12, nil},
		{"-12.000", -12, nil},
		{"1.2e1", 12, nil},
		{"1200e-2", 12, nil},
		{"0.0", 0, nil},
		{"0e99", 0, nil},
		{"9223372036854775807.0", math.MaxInt64, nil},
		{"-9223372036854775808", math.MinInt64, nil},
		{"-9.223372036854775808e18", math.MinInt64, nil},
		{"9223372036854775808.0", 0, ErrRange},
		{"1e19", 0, ErrRange},
		{"18446744073709551617", 0, ErrRange},
		{"1.5", 0, ErrSyntax},
		{"1.00000000000000000000000000000000000001", 0, ErrSyntax},
		{"1e-1", 0, ErrSyntax},
		{"1e", 0, ErrSyntax},
		{"", 0, ErrSyntax},
	} {
		got, err := ParseIntegral([]byte(c.in))
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("ParseIntegral(%q) = %d, %v; want %d, %v", c.in, got, err, c.want, c.err)
		}
	}
}

func TestParseFloat64(t *testing.T) {
	for _, c := range []struct {
		in   string
		want float64
		err  error
	}{
		{"1", 1, nil},
		{"-0", math.Copysign(0, -1), nil},
		{"0.1", 0.1, nil},
		{".5", 0.5, nil},
		{"5.", 5, nil},
		{"1e3", 1000, nil},
		{"1E-400", 0, nil},
		{"1e400", 0, ErrRange},
		{"-Infinity", math.Inf(-1), nil},
		{"inf", math.Inf(1), nil},
		{"", 0, ErrSyntax},
		{".", 0, ErrSyntax},
		{"-", 0, ErrSyntax},
		{"0x10", 0, ErrSyntax},
		{"1_0", 0, ErrSyntax},
		{"abc", 0, ErrSyntax},
	} {
		got, err := ParseFloat64([]byte(c.in))
		if math.Float64bits(got) != math.Float64bits(c.want) || !errors.Is(err, c.err) {
			t.Errorf("ParseFloat64(%q) = %v, %v; want %v, %v", c.in, got, err, c.want, c.err)
		}
	}
	if v, err := ParseFloat64([]byte("NaN")); err != nil || v == v {
		t.Errorf("ParseFloat64(NaN) = %v, %v", v, err)
	}
}

func TestParseFloat64MatchesStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{0,22})?`).Draw(t, "s")
		want, _ := strconv.ParseFloat(s, 64)
		if got, err := ParseFloat64([]byte(s)); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("ParseFloat64(%q) = %v, %v; strconv says %v", s, got, err, want)
		}
	})
}

func TestAppendFloat(t *testing.T) {
	for in, want := range map[float64]string{
		0: "0.0", 1: "1.0", -3: "-3.0", 0.1: "0.1", 1e15: "1000000000000000.0", 1e16: "1e+16", 123456.75: "123456.75",
		1e-6: "0.000001", 1e-7: "1e-07", math.MaxFloat64: "1.7976931348623157e+308",
		math.Inf(1): "Infinity", math.Inf(-1): "-Infinity", 1234567890123456: "1234567890123456.0",
	} {
		if got := string(AppendFloat64(nil, in)); got != want {
			t.Errorf("AppendFloat64(%v) = %q, want %q", in, got, want)
		}
	}
	if got := string(AppendFloat64(nil, math.Copysign(0, -1))); got != "-0.0" {
		t.Errorf("negative zero is %q", got)
	}
	if got := string(AppendFloat32(nil, 0.1)); got != "0.1" {
		t.Errorf("AppendFloat32(0.1) = %q", got)
	}
	if got := string(AppendFloat32(nil, 16777216)); got != "16777216.0" {
		t.Errorf("AppendFloat32(2^24) = %q", got)
	}
}

func TestFloatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		got, err := ParseFloat64(AppendFloat64(nil, v))
		if err != nil || math.Float64bits(got) != math.Float64bits(v) {
			t.Fatalf("%v became %v, %v", v, got, err)
		}
		f := rapid.Float32().Draw(t, "f")
		g, err := ParseFloat32(AppendFloat32(nil, f))
		if err != nil || math.Float32bits(g) != math.Float32bits(f) {
			t.Fatalf("%v became %v, %v", f, g, err)
		}
	})
}

func TestParseBool(t *testing.T) {
	for _, s := range strings.Fields("true TRUE True t yes Y 1") {
		if v, err := ParseBool([]byte(s)); err != nil || !v {
			t.Errorf("ParseBool(%q) = %v, %v", s, v, err)
		}
	}
	for _, s := range strings.Fields("false FALSE f No n 0") {
		if v, err := ParseBool([]byte(s)); err != nil || v {
			t.Errorf("ParseBool(%q) = %v, %v", s, v, err)
		}
	}
	for _, s := range []string{"", "tru", "truee", "2", "falsely"} {
		if _, err := ParseBool([]byte(s)); err == nil {
			t.Errorf("ParseBool(%q) succeeded", s)
		}
	}
}
