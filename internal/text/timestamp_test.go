package text

import (
	"errors"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/apache/arrow/go/v17/arrow"
	"pgregory.net/rapid"
)

func TestCivilMatchesTime(t *testing.T) {
	day := time.Date(-401, 1, 1, 0, 0, 0, 0, time.UTC)
	for ; day.Year() < 2105; day = day.AddDate(0, 0, 7) {
		n := floorDiv(day.Unix(), secondsPerDay)
		if got := Days(day.Year(), int(day.Month()), day.Day()); got != n {
			t.Fatalf("Days(%v) = %d, want %d", day, got, n)
		}
		if y, m, d := Civil(n); y != day.Year() || m != int(day.Month()) || d != day.Day() {
			t.Fatalf("Civil(%d) = %d-%d-%d, want %v", n, y, m, d, day)
		}
	}
	for year := 1896; year <= 2004; year++ {
		for month := 1; month <= 12; month++ {
			if want := time.Date(year, time.Month(month+1), 0, 0, 0, 0, 0, time.UTC).Day(); DaysIn(year, month) != want {
				t.Fatalf("DaysIn(%d, %d) = %d, want %d", year, month, DaysIn(year, month), want)
			}
		}
	}
}

func TestParseTimestamp(t *testing.T) {
	const day = 86400
	for _, c := range []struct {
		in   string
		unit arrow.TimeUnit
		want int64
		err  error
	}{
		{"1970-01-01 00:00:00", arrow.Second, 0, nil},
		{"1970-01-02T00:00:01Z", arrow.Millisecond, day*1000 + 1000, nil},
		{"1970-01-01 00:00:00.5", arrow.Millisecond, 500, nil},
		{"1970-01-01 00:00:00.123456789123", arrow.Microsecond, 123456, nil},
		{"1969-12-31 23:59:59.999", arrow.Millisecond, -1, nil},
		{"1969-12-31 23:59:59.999", arrow.Second, -1, nil},
		{"0001-01-01 00:00:00", arrow.Second, -62135596800, nil},
		{"9999-12-31 23:59:59.999", arrow.Millisecond, 253402300799999, nil},
		{"2262-04-11 23:47:16.854775807", arrow.Nanosecond, 1<<63 - 1, nil},
		{"2262-04-11 23:47:16.854775808", arrow.Nanosecond, 0, ErrRange},
		{"1677-09-21 00:12:43.145224192", arrow.Nanosecond, -1 << 63, nil},
		{"1677-09-21 00:12:43.145224191", arrow.Nanosecond, 0, ErrRange},
		{"9999-12-31 00:00:00", arrow.Nanosecond, 0, ErrRange},
		{"2024-02-29 00:00:00", arrow.Second, 1709164800, nil},
		{"2023-02-29 00:00:00", arrow.Second, 0, ErrSyntax},
		{"2023-13-01 00:00:00", arrow.Second, 0, ErrSyntax},
		{"2023-00-01 00:00:00", arrow.Second, 0, ErrSyntax},
		{"2023-01-00 00:00:00", arrow.Second, 0, ErrSyntax},
		{"0000-01-01 00:00:00", arrow.Second, 0, ErrSyntax},
		{"2023-01-01 24:00:00", arrow.Second, 0, ErrSyntax},
		{"2023-01-01 00:60:00", arrow.Second, 0, ErrSyntax},
		{"2023-01-01 00:00:60", arrow.Second, 0, ErrSyntax},
		{"2023-01-01 00:00:00.", arrow.Second, 0, ErrSyntax},
		{"2023-01-01 00:00:00+00:00", arrow.Second, 0, ErrSyntax},
		{"2023-01-01 00:00:00 Z", arrow.Second, 0, ErrSyntax},
		{"2023-01-01", arrow.Second, 0, ErrSyntax},
		{"2023-01-01_00:00:00", arrow.Second, 0, ErrSyntax},
		{"2o23-01-01 00:00:00", arrow.Second, 0, ErrSyntax},
		{"", arrow.Second, 0, ErrSyntax},
	} {
		got, err := ParseTimestamp([]byte(c.in), c.unit)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("ParseTimestamp(%q, %v) = %d, %v; want %d, %v", c.in, c.unit, got, err, c.want, c.err)
		}
	}
}

func TestParseTimestampLTZ(t *testing.T) {
	la, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ in, want string }{
		{"2024-03-10 00:00:00", "2024-03-10T08:00:00Z"},
		{"2024-03-10 01:59:59", "2024-03-10T09:59:59Z"},
		{"2024-03-10 02:30:00", "2024-03-10T10:30:00Z"}, // skipped: 03:30 PDT
		{"2024-03-10 03:00:00", "2024-03-10T10:00:00Z"},
		{"2024-11-03 00:59:59", "2024-11-03T07:59:59Z"},
		{"2024-11-03 01:30:00", "2024-11-03T08:30:00Z"}, // repeated: the first one
		{"2024-11-03 02:00:00", "2024-11-03T10:00:00Z"},
		{"2024-07-01 12:00:00Z", "2024-07-01T12:00:00Z"},
		{"2024-07-01T12:00:00+02:00", "2024-07-01T10:00:00Z"},
		{"2024-07-01 12:00:00.25-0330", "2024-07-01T15:30:00Z"},
		{"2024-07-01 12:00:00+05", "2024-07-01T07:00:00Z"},
	} {
		got, err := ParseTimestampLTZ([]byte(c.in), arrow.Second, la)
		if s := time.Unix(got, 0).UTC().Format(time.RFC3339); err != nil || s != c.want {
			t.Errorf("ParseTimestampLTZ(%q) = %s, %v; want %s", c.in, s, err, c.want)
		}
	}
	for _, bad := range []string{"2024-07-01 12:00:00+2", "2024-07-01 12:00:00+02:0", "2024-07-01 12:00:00+19:00", "2024-07-01 12:00:00+02:60", "2024-07-01 12:00:00 PST"} {
		if _, err := ParseTimestampLTZ([]byte(bad), arrow.Second, la); !errors.Is(err, ErrSyntax) {
			t.Errorf("ParseTimestampLTZ(%q) gave %v", bad, err)
		}
	}
}

func TestTimestampRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]arrow.TimeUnit{arrow.Second, arrow.Millisecond, arrow.Microsecond, arrow.Nanosecond}).Draw(t, "unit")
		lo, hi := int64(-62135596800), int64(253402300799)
		if unit == arrow.Nanosecond {
			lo, hi = -9223372036, 9223372035
		}
		v := rapid.Int64Range(lo, hi).Draw(t, "sec")*perSecond[unit] + rapid.Int64Range(0, perSecond[unit]-1).Draw(t, "frac")
		s := AppendTimestamp(nil, v, unit)
		if got, err := ParseTimestamp(s, unit); err != nil || got != v {
			t.Fatalf("%d became %q became %d, %v", v, s, got, err)
		}
		s = AppendTimestampLTZ(nil, v, unit, nil)
		if got, err := ParseTimestampLTZ(s, unit, time.UTC); err != nil || got != v {
			t.Fatalf("%d became %q became %d, %v", v, s, got, err)
		}
	})
}

func TestZoneRoundTrip(t *testing.T) {
	la, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64Range(0, 4e9).Draw(t, "sec")
		local := ToLocal(v, arrow.Second, la)
		back := ToUTC(local, arrow.Second, la)
		if back != v && (back > v || ToLocal(back, arrow.Second, la) != local) { // only a repeated hour has two instants
			t.Fatalf("%d is %d there is %d", v, local, back)
		}
	})
}

func TestDateAndTime(t *testing.T) {
	if d, err := ParseDate([]byte("2013-01-31")); err != nil || string(AppendDate(nil, d)) != "2013-01-31" {
		t.Errorf("date: %d, %v", d, err)
	}
	for _, bad := range []string{"", "2013-1-31", "2013-01-32", "2013-01-31 ", "2013/01/31"} {
		if _, err := ParseDate([]byte(bad)); !errors.Is(err, ErrSyntax) {
			t.Errorf("ParseDate(%q) gave %v", bad, err)
		}
	}
	v, err := ParseTime([]byte("23:59:59.25"), arrow.Millisecond)
	if err != nil || v != 86399250 || string(AppendTime(nil, v, arrow.Millisecond)) != "23:59:59.250" {
		t.Errorf("time: %d, %v", v, err)
	}
	for _, bad := range []string{"", "23:59", "24:00:00", "12:00:00Z", "12:00:00."} {
		if _, err := ParseTime([]byte(bad), arrow.Second); !errors.Is(err, ErrSyntax) {
			t.Errorf("ParseTime(%q) gave %v", bad, err)
		}
	}
	if got := string(AppendDate(nil, int32(Days(12024, 5, 6)))); got != "12024-05-06" {
		t.Errorf("a far date is %q", got)
	}
}

func TestParseDuration(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"10 s": 10 * time.Second, "300ms": 300 * time.Millisecond, "5 minutes": 5 * time.Minute, "1min": time.Minute,
		"250": 250 * time.Millisecond, "2 D": 48 * time.Hour, "0 s": 0, "7 micros": 7 * time.Microsecond,
	} {
		if got, err := ParseDuration(in); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", in, got, err, want)
		}
	}
	for _, bad := range []string{"", "s", "-1 s", "1.5 s", "10 parsecs", "99999999999 d"} {
		if _, err := ParseDuration(bad); err == nil {
			t.Errorf("ParseDuration(%q) succeeded", bad)
		}
	}
}
