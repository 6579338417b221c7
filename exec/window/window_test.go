package window

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func mustNew(t testing.TB, s Spec) Assigner {
	t.Helper()
	a, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func ms(t *testing.T, text string) int64 {
	t.Helper()
	v, err := time.Parse("2006-01-02T15:04:05Z07:00", text)
	if err != nil {
		t.Fatal(err)
	}
	return v.UnixMilli()
}

func TestTumble(t *testing.T) {
	tests := []struct {
		size, offset, time, start int64
	}{
		{10, 0, 0, 0},
		{10, 0, 9, 0},
		{10, 0, 10, 10},
		{10, 0, -1, -10},
		{10, 0, -10, -10},
		{10, 0, -11, -20},
		{10, 3, 2, -7},
		{10, 3, 3, 3},
		{10, -7, 3, 3},
		{10, 23, 3, 3},
		{10, 3, -8, -17},
		{1, 0, -5, -5},
		{day, 0, -1, -day},
	}
	for _, test := range tests {
		var w Windows
		mustNew(t, Spec{Kind: "TUMBLE", Size: test.size, Offset: test.offset}).Assign([]int64{test.time}, &w)
		if w.Starts[0] != test.start || w.Ends[0] != test.start+test.size || w.Rows != nil {
			t.Errorf("size %d offset %d: %d lies in [%d, %d), want start %d", test.size, test.offset, test.time, w.Starts[0], w.Ends[0], test.start)
		}
	}
}

// TestTumbleHoldsItsTime: a window has the size asked for, starts where the offset says and holds the time.
func TestTumbleHoldsItsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int64{100, math.MaxInt32, 1 << 60}).Draw(t, "bound")
		times := rapid.SliceOf(rapid.Int64Range(-bound, bound)).Draw(t, "times")
		size := rapid.Int64Range(1, bound).Draw(t, "size")
		offset := rapid.Int64Range(-bound, bound).Draw(t, "offset")
		a, err := New(Spec{Kind: "TUMBLE", Size: size, Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		var w Windows
		half := len(times) / 2
		a.Assign(times[:half], &w)
		starts, ends := slices.Clone(w.Starts), slices.Clone(w.Ends)
		a.Assign(times[half:], &w)
		starts, ends = append(starts, w.Starts...), append(ends, w.Ends...)
		for i, time := range times {
			if starts[i] > time || time >= ends[i] || ends[i]-starts[i] != size || (starts[i]-offset)%size != 0 {
				t.Fatalf("%d lies in [%d, %d)", time, starts[i], ends[i])
			}
		}
	})
}

func TestTumbleDaysOfAZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ time, start, end string }{
		{"2024-03-31T00:30:00Z", "2024-03-30T23:00:00Z", "2024-03-31T22:00:00Z"}, // 23 hours
		{"2024-10-27T00:30:00Z", "2024-10-26T22:00:00Z", "2024-10-27T23:00:00Z"}, // 25 hours
		{"2024-06-01T22:00:00Z", "2024-06-01T22:00:00Z", "2024-06-02T22:00:00Z"},
		{"1969-12-31T23:00:00Z", "1969-12-31T23:00:00Z", "1970-01-01T23:00:00Z"},
	}
	for _, test := range tests {
		var w Windows
		mustNew(t, Spec{Kind: "TUMBLE", Size: day, Location: berlin}).Assign([]int64{ms(t, test.time)}, &w)
		if w.Starts[0] != ms(t, test.start) || w.Ends[0] != ms(t, test.end) {
			t.Errorf("%s lies in [%v, %v)", test.time, time.UnixMilli(w.Starts[0]).UTC(), time.UnixMilli(w.Ends[0]).UTC())
		}
	}
}

func TestTumbleMonths(t *testing.T) {
	tests := []struct {
		months           int32
		time, start, end string
	}{
		{1, "2024-02-29T12:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"},
		{3, "2024-02-29T12:00:00Z", "2024-01-01T00:00:00Z", "2024-04-01T00:00:00Z"},
		{12, "1969-12-31T23:59:59Z", "1969-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
	}
	for _, test := range tests {
		var w Windows
		mustNew(t, Spec{Kind: "TUMBLE", Months: test.months}).Assign([]int64{ms(t, test.time)}, &w)
		if w.Starts[0] != ms(t, test.start) || w.Ends[0] != ms(t, test.end) {
			t.Errorf("%s lies in [%v, %v)", test.time, time.UnixMilli(w.Starts[0]).UTC(), time.UnixMilli(w.Ends[0]).UTC())
		}
	}
}

// TestCalendarPartitionsTime: the windows of a calendar hold their times and lie side by side, whatever the zone does.
func TestCalendarPartitionsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia", "America/St_Johns"}).Draw(t, "zone")
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		spec := Spec{Kind: "TUMBLE", Location: zone, Size: day * rapid.Int64Range(1, 3).Draw(t, "days")}
		if rapid.Bool().Draw(t, "by months") {
			spec.Months = rapid.Int32Range(1, 12).Draw(t, "months")
		}
		spec.Offset = rapid.Int64Range(-day, day).Draw(t, "offset")
		a, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		at := rapid.Int64Range(-60*365*day, 60*365*day).Draw(t, "time")
		var w Windows
		a.Assign([]int64{at}, &w)
		start, end := w.Starts[0], w.Ends[0]
		if at < start || at >= end {
			t.Fatalf("%d lies in [%d, %d)", at, start, end)
		}
		a.Assign([]int64{start - 1, start, end - 1, end}, &w)
		if w.Ends[0] != start || w.Starts[1] != start || w.Ends[2] != end || w.Starts[3] != end {
			t.Fatalf("around [%d, %d): %v, %v", start, end, w.Starts, w.Ends)
		}
	})
}

func TestBadSpecs(t *testing.T) {
	for _, s := range []Spec{{Kind: "TUMBLE"}, {Kind: "TUMBLE", Size: -1}, {Kind: "TUMBLE", Size: 1, Slide: 1}, {Kind: "NONE", Size: 1}} {
		if _, err := New(s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}

func TestAssignAllocatesNothing(t *testing.T) {
	times := make([]int64, 4096)
	for i := range times {
		times[i] = int64(i) * 7919
	}
	var w Windows
	a := mustNew(t, Spec{Kind: "TUMBLE", Size: 60000})
	a.Assign(times, &w)
	if n := testing.AllocsPerRun(10, func() { a.Assign(times, &w) }); n > 0 {
		t.Errorf("%v allocations a batch", n)
	}
}

func BenchmarkTumble(b *testing.B) {
	times := make([]int64, 4096)
	for i := range times {
		times[i] = int64(i) * 100
	}
	var w Windows
	a := mustNew(b, Spec{Kind: "TUMBLE", Size: 60000})
	for b.Loop() {
		a.Assign(times, &w)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(times)), "ns/row")
}
