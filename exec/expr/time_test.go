package expr

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
)

// drawInstant draws an instant of the years 1 to 9999 in a zone, often near a change of the clock by an hour.
func drawInstant(t *rapid.T) (time.Time, Settings) {
	name := rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/St_Johns", "America/Sao_Paulo"}).Draw(t, "zone")
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	ms := rapid.OneOf(rapid.Int64Range(-62135000000000, 253402000000000), rapid.Int64Range(0, 2000000000000)).Draw(t, "instant")
	if _, change := time.UnixMilli(ms).In(zone).ZoneBounds(); change.Unix() > 0 && rapid.Bool().Draw(t, "near a change") {
		ms = change.UnixMilli() + rapid.Int64Range(-2*hour, 2*hour).Draw(t, "distance")
	}
	return time.UnixMilli(ms).In(zone), Settings{TimeZone: zone}
}

func instantLiteral(at time.Time) *Literal {
	return NewLiteral(TimestampLTZ(3), arrow.Timestamp(at.UnixMilli()))
}

// TestFieldsAgainstGo compares the fields of instants with those of package time.
func TestFieldsAgainstGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, s := drawInstant(t)
		isoYear, isoWeek := at.ISOWeek()
		fields := map[string]int{
			"YEAR": at.Year(), "MONTH": int(at.Month()), "DAY": at.Day(), "HOUR": at.Hour(), "MINUTE": at.Minute(), "SECOND": at.Second(),
			"DOY": at.YearDay(), "DOW": int(at.Weekday()) + 1, "ISODOW": (int(at.Weekday())+6)%7 + 1, "WEEK": isoWeek, "ISOYEAR": isoYear,
			"QUARTER": (int(at.Month()) + 2) / 3, "MILLISECOND": at.Second()*1000 + at.Nanosecond()/1e6, "EPOCH": int(at.Unix()),
		}
		for unit, want := range fields {
			e := must(NewCall("EXTRACT", []Expr{NewSymbol(unit), instantLiteral(at)}, s))
			if got := show(e, s); got != strconv.Itoa(want) {
				t.Fatalf("%s of %v is %s, want %d", unit, at, got, want)
			}
		}
	})
}

// TestRoundedTimes: FLOOR is at or below a time and the start of a unit, CEIL at or above, both the same at a start.
func TestRoundedTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, s := drawInstant(t)
		unit := rapid.SampledFrom(truncUnits).Draw(t, "unit")
		round := func(name string, at time.Time) time.Time {
			l, err := Evaluate(must(NewCall(name, []Expr{instantLiteral(at), NewSymbol(unit)}, s)), s)
			if err != nil {
				t.Fatal(err)
			}
			return time.UnixMilli(int64(l.V.(arrow.Timestamp))).In(at.Location())
		}
		lo, hi := round("FLOOR", at), round("CEIL", at)
		if lo.After(at) || hi.Before(at) {
			t.Fatalf("%v lies between %v and %v", at, lo, hi)
		}
		if again := round("FLOOR", lo); !again.Equal(lo) {
			t.Fatalf("the floor of %v is %v", lo, again)
		}
		if up := round("CEIL", lo); !up.Equal(lo) {
			t.Fatalf("the ceiling of %v is %v", lo, up)
		}
		if before := round("FLOOR", lo.Add(-time.Millisecond)); !before.Before(lo) {
			t.Fatalf("before %v lies %v", lo, before)
		}
		if unit == "MONTH" && (lo.Day() != 1 || lo.Month() != at.Month()) {
			t.Fatalf("the month of %v starts %v", at, lo)
		}
	})
}

// TestIntervalsAgainstGo moves wall clocks and counts back.
func TestIntervalsAgainstGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(-50000000000000, 200000000000000).Draw(t, "at")).UTC()
		n := rapid.Int64Range(-1000, 1000).Draw(t, "n")
		unit := rapid.SampledFrom([]string{"SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"}).Draw(t, "unit")
		ts := NewLiteral(Timestamp(3), arrow.Timestamp(at.UnixMilli()))
		moved := must(NewCall("TIMESTAMPADD", []Expr{NewSymbol(unit), NewBigInt(n), ts}, Settings{}))
		l, err := Evaluate(moved, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		want := at
		size, months := unitSpan(unit)
		if months {
			want = at.AddDate(0, int(size*n), 1-at.Day())
			last := want.AddDate(0, 1, -1).Day()
			want = want.AddDate(0, 0, min(at.Day(), last)-1)
		} else {
			want = at.Add(time.Duration(size*n) * time.Millisecond)
		}
		if got := time.UnixMilli(int64(l.V.(arrow.Timestamp))).UTC(); !got.Equal(want) {
			t.Fatalf("%v and %d %s is %v, want %v", at, n, unit, got, want)
		}
		back := show(must(NewCall("TIMESTAMPDIFF", []Expr{NewSymbol(unit), ts, l}, Settings{})), Settings{})
		if !months && back != strconv.FormatInt(n, 10) || months && at.Day() <= 28 && back != strconv.FormatInt(n, 10) {
			t.Fatalf("%v to %v is %s %s, want %d", at, want, back, unit, n)
		}
	})
}

// TestDateFormatAgainstGo compares patterns with Go's layouts, and reads what was written.
func TestDateFormatAgainstGo(t *testing.T) {
	layouts := []struct {
		pattern, layout string
		whole           bool // it holds all of a time to the millisecond
	}{
		{"yyyy-MM-dd HH:mm:ss.SSS", "2006-01-02 15:04:05.000", true},
		{"dd/MM/yy", "02/01/06", false},
		{"EEE, d MMM yyyy", "Mon, 2 Jan 2006", false},
		{"EEEE MMMM", "Monday January", false},
		{"hh:mm a", "03:04 PM", false},
		{"yyyyMMddHHmmssSSS", "20060102150405.000", false},
		{"yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2006-01-02T15:04:05.000Z07:00", true},
		{"D", "__2", false},
	}
	rapid.Check(t, func(t *rapid.T) {
		at, s := drawInstant(t)
		if at.Year() < 1 || at.Year() > 9999 {
			return
		}
		for _, l := range layouts {
			e := must(NewCall("DATE_FORMAT", []Expr{instantLiteral(at), NewString(l.pattern)}, s))
			want := at.Format(l.layout)
			switch l.pattern {
			case "yyyyMMddHHmmssSSS":
				want = want[:14] + want[15:]
			case "D":
				want = strconv.Itoa(at.YearDay())
			}
			got := show(e, s)
			if _, offset := at.Zone(); got != want && offset%60 == 0 {
				t.Fatalf("%v in the pattern %s is %s, want %s", at, l.pattern, got, want)
			}
			if !l.whole {
				continue
			}
			back := show(must(NewCall("TO_TIMESTAMP", []Expr{NewString(got), NewString(l.pattern)}, s)), s)
			if want := at.Format("2006-01-02 15:04:05.000"); back != want {
				t.Fatalf("%s read by the pattern %s is %s, want %s", got, l.pattern, back, want)
			}
		}
	})
}

func TestDatePatterns(t *testing.T) {
	tests := []struct{ sql, want string }{
		{"DATE_FORMAT(TIMESTAMP '2024-02-09 00:05:06', 'h:m:s k K n')", "12:5:6 24 0 0"},
		{"DATE_FORMAT(TIMESTAMP '2024-02-09 13:05:06', '''at'' H ''o''''clock''')", "at 13 o'clock"},
		{"DATE_FORMAT(TIMESTAMP '2024-02-09 13:05:06', 'y ''Q''Q ''w''w G u')", "2024 Q1 w6 AD 2024"},
		{"DATE_FORMAT(TIMESTAMP '2024-02-09 13:05:06', 'SSSSSSSSSSS')", "00000000000"},
		{"DATE_FORMAT(TIMESTAMP '2024-02-09 13:05:06', 'Z X XX x')", "+0000 Z Z +00"},
		{"TO_TIMESTAMP('20240209', 'yyyyMMdd')", "2024-02-09 00:00:00.000"},
		{"TO_TIMESTAMP('9 Feb 24 1:05 pm', 'd MMM yy h:mm a')", "2024-02-09 13:05:00.000"},
		{"TO_TIMESTAMP('12:05 am', 'hh:mm a')", "1970-01-01 00:05:00.000"},
		{"TO_TIMESTAMP('2024-060', 'yyyy-DDD')", "2024-02-29 00:00:00.000"},
		{"TO_TIMESTAMP('2024-02-30', 'yyyy-MM-dd')", "NULL"},
		{"TO_TIMESTAMP('2024-02-29 x', 'yyyy-MM-dd')", "NULL"},
		{"TO_TIMESTAMP('Thursday 29 February 2024', 'EEEE d MMMM yyyy')", "2024-02-29 00:00:00.000"},
		{"TO_TIMESTAMP_LTZ('2024-02-29 12:00 -0530', 'yyyy-MM-dd HH:mm Z')", "2024-02-29 17:30:00.000"},
	}
	for _, test := range tests {
		if got := show(mustBind(t, test.sql), Settings{}); got != test.want {
			t.Errorf("%s is %s, want %s", test.sql, got, test.want)
		}
	}
	for _, pattern := range []string{"yyyy-bb", "'open"} {
		e := must(NewCall("DATE_FORMAT", []Expr{must(NewTimestamp("2024-02-29 00:00:00")), NewString(pattern)}, Settings{}))
		if got := show(e, Settings{}); got[:6] != "error:" {
			t.Errorf("the pattern %s gives %s", pattern, got)
		}
	}
}

func TestTemporalFunctions(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"TIMESTAMP '2024-02-29 12:00:00' AT TIME ZONE 'Asia/Tokyo' = TIMESTAMP_LTZ '2024-02-29 03:00:00Z'", "TRUE"},
		{"TIMESTAMP_LTZ '2024-02-29 12:00:00Z' AT TIME ZONE '+02:30'", "2024-02-29 14:30:00"},
		{"TIMESTAMP_LTZ '2024-02-29 12:00:00Z' AT TIME ZONE 'GMT-8'", "2024-02-29 04:00:00"},
		{"TIMESTAMP_LTZ '2024-02-29 12:00:00Z' AT TIME ZONE 'Mars/Base'", "!there is no time zone 'Mars/Base'"},
		{"CONVERT_TZ('2024-02-29 12:00:00', 'GMT-08:00', 'PST')", "2024-02-29 12:00:00"},
		{"CONVERT_TZ('noon', 'UTC', 'UTC')", "NULL"},
		{"TIMESTAMP_SECONDS(-1) = TIMESTAMP_LTZ '1969-12-31 23:59:59Z'", "TRUE"},
		{"UNIX_SECONDS(TIMESTAMP '1969-12-31 23:59:59.5')", "-1"},
		{"UNIX_MILLIS(TIMESTAMP_LTZ '1970-01-01 00:00:01Z')", "1000"},
		{"UNIX_MILLIS(TIMESTAMP '1970-01-01 00:00:00.0015')", "1"},
		{"EPOCH_MS(1500)", "1970-01-01 00:00:01.500"},
		{"EPOCH(DATE '1970-01-02')", "86400.0"},
		{"EPOCH(INTERVAL '1.5' SECOND)", "1.5"},
		{"FROM_UNIXTIME(44, 'HH:mm:ss')", "00:00:44"},
		{"UNIX_TIMESTAMP('1970-01-01 00:01', 'yyyy-MM-dd HH:mm')", "60"},
		{"UNIX_TIMESTAMP('never')", "-9223372036854775808"},
		{"UNIX_TIMESTAMP(CAST(NULL AS STRING))", "NULL"},
		{"UNIX_TIMESTAMP() > 1000000000", "TRUE"},
		{"DATE_ADD(DATE '2024-02-28', INTERVAL '1' DAY)", "2024-02-29"},
		{"DATE_ADD(TIMESTAMP '2024-02-28 10:00:00', -1)", "2024-02-27 10:00:00.000"},
		{"DATE_ADD(DATE '2024-02-28', INTERVAL '1' HOUR)", "2024-02-28 01:00:00.000"},
		{"DATE_SUB(DATE '2024-03-01', 1)", "2024-02-29"},
		{"TIMESTAMP_SUB(TIMESTAMP '2024-03-31 00:00:00', INTERVAL '1' MONTH)", "2024-02-29 00:00:00"},
		{"DATE_DIFF(DATE '2024-01-01', DATE '2023-12-31', YEAR)", "1"},
		{"DATE_DIFF(DATE '2023-12-31', DATE '2024-01-01', QUARTER)", "-1"},
		{"DATE_DIFF(DATE '2024-03-04', DATE '2024-03-03', WEEK)", "1"},
		{"DATE_DIFF(DATE '2024-03-03', DATE '2024-03-02', WEEK)", "0"},
		{"DATE_DIFF('day', DATE '2024-02-28', DATE '2024-03-01')", "2"},
		{"DATE_DIFF('hour', TIMESTAMP '2024-02-28 10:59:59', TIMESTAMP '2024-02-28 11:00:00')", "1"},
		{"DATE_DIFF('minute', TIMESTAMP '1969-12-31 23:59:59', TIMESTAMP '1970-01-01 00:00:00')", "1"},
		{"TIMESTAMP_DIFF(TIMESTAMP '2024-02-28 11:00:00', TIMESTAMP '2024-02-28 10:00:01', HOUR)", "0"},
		{"TIMESTAMP_DIFF(DATE '2024-01-01', DATE '2024-02-01', MONTH)", "-1"},
		{"AGE(DATE '2024-03-01', DATE '2024-02-01')", "+29 00:00:00.000"},
		{"DATE_BIN(INTERVAL '1' DAY, TIMESTAMP '1969-12-31 12:00:00')", "1969-12-31 00:00:00.000"},
		{"DATE_BIN(INTERVAL '15' MINUTE, TIMESTAMP '2024-02-29 12:44:00', TIMESTAMP '2024-01-01 00:05:00')", "2024-02-29 12:35:00.000"},
		{"DATE_BIN(INTERVAL '0' SECOND, TIMESTAMP '2024-02-29 12:44:00')", "!needs an INTERVAL longer than 0"},
		{"DATE_TRUNC(TIMESTAMP '2024-02-29 12:44:00', HOUR)", "2024-02-29 12:00:00"},
		{"DATE_TRUNC(DATE '2024-02-29', MONTH)", "2024-02-01"},
		{"TIMESTAMP_TRUNC(TIMESTAMP '2024-03-03 12:44:00', WEEK)", "2024-02-26 00:00:00"},
		{"FLOOR(TIME '12:44:31' TO MINUTE)", "12:44:00.000"},
		{"CEIL(TIME '12:44:31' TO MINUTE)", "12:45:00.000"},
		{"MAKE_DATE(2023, 2, 29)", "!there is no such date"},
		{"MAKE_TIMESTAMP(2024, 2, 29, 24, 0, 0)", "!there is no such date or time of day"},
		{"MAKE_TIMESTAMP(1960, 1, 1, 0, 0, 59.999999)", "1960-01-01 00:00:59.999999"},
		{"LAST_DAY(TIMESTAMP '2023-02-10 12:00:00')", "2023-02-28"},
		{"LAST_DAY(DATE '2024-02-10', QUARTER)", "2024-03-31"},
		{"LAST_DAY(DATE '2024-03-03', WEEK)", "2024-03-03"},
		{"LAST_DAY(DATE '2024-03-04', WEEK)", "2024-03-10"},
		{"LAST_DAY(DATE '2021-01-03', ISOYEAR)", "2021-01-03"},
		{"DAYNAME(DATE '1969-12-31')", "Wednesday"},
		{"MONTHNAME('2024-12-01')", "December"},
		{"TO_DATE('2024-02-29')", "2024-02-29"},
		{"TO_DATE('2024-02-30')", "NULL"},
		{"TO_DATE('2024/02/29', 'yyyy/MM/dd')", "2024-02-29"},
		{"DATE_FORMAT('2024-02-29 12:30:00', 'HH')", "12"},
		{"FORMAT_TIMESTAMP('%F %T.%E3S %j %A %s', TIMESTAMP '2024-02-29 12:30:01.5')", "2024-02-29 12:30:01.01.500 060 Thursday 1709209801"},
		{"FORMAT_TIMESTAMP('%H:%M %z', TIMESTAMP_LTZ '2024-02-29 12:30:00Z', '+02:00')", "14:30 +0000"},
		{"FORMAT_TIMESTAMP('%L', TIMESTAMP '2024-02-29 12:30:00')", "!the element %L, which means nothing"},
		{"FORMAT_TIMESTAMP('%c|%r|%k|%l|%e|%P', TIMESTAMP '2024-03-07 00:05:00')", "Thu Mar  7 00:05:00 2024|12:05:00 AM| 0|12| 7|am"},
		{"FORMAT_TIMESTAMP('%C %G %g %J %V %u %w %U %W', TIMESTAMP '2021-01-03 00:00:00')", "20 2020 20 371 53 7 0 01 00"},
		{"FORMAT_TIMESTAMP('%G %J %V %u %w %U %W', TIMESTAMP '2018-12-31 00:00:00')", "2019 001 01 1 1 52 53"},
		{"FORMAT_TIMESTAMP('%G %J %V %u %w %U %W', TIMESTAMP '2024-12-29 23:00:00')", "2024 364 52 7 0 52 52"},
		{"FORMAT_TIMESTAMP('%G %J %V', TIMESTAMP '2021-01-04 00:00:00')", "2021 001 01"},
		{"FORMAT_TIMESTAMP('%H:%M%Ez', TIMESTAMP_LTZ '2024-02-29 12:30:00Z')", "12:30+00:00"},
		{"PARSE_TIMESTAMP('%c', 'Thu Mar  7 00:05:09 2024') = TIMESTAMP_LTZ '2024-03-07 00:05:09Z'", "TRUE"},
		{"PARSE_TIMESTAMP('%e %b %Y %l:%M %P', ' 7 Mar 2024  3:04 pm') = TIMESTAMP_LTZ '2024-03-07 15:04:00Z'", "TRUE"},
		{"FORMAT_TIMESTAMP('100%', TIMESTAMP '2024-02-29 12:30:00')", "!ends with a %"},
		{"PARSE_TIMESTAMP('%Y-%m-%d %H:%M:%E*S', '2024-02-29 12:30:01.123456', 'Asia/Tokyo')", "2024-02-29 03:30:01.123456"},
		{"PARSE_TIMESTAMP('%Y', 'x')", "!'x' does not follow the format '%Y'"},
		{"(DATE '2024-01-01', DATE '2024-02-01') OVERLAPS (DATE '2024-02-01', DATE '2024-03-01')", "TRUE"},
		{"(TIME '09:00:00', TIME '10:00:00') OVERLAPS (TIME '10:15:00', INTERVAL '3' HOUR)", "FALSE"},
		{"(DATE '2024-02-01', DATE '2024-01-01') OVERLAPS (DATE '2024-01-15', INTERVAL '1' MONTH)", "TRUE"},
		{"(DATE '2024-01-01', NULL) OVERLAPS (DATE '2024-01-15', DATE '2024-01-16')", "NULL"},
		{"(DATE '2024-01-01', 5) OVERLAPS (DATE '2024-01-15', DATE '2024-01-16')", "!the arguments of LEAST have no common type"},
	})
}

// TestCurrentWatermark reads the marks of a batch.
func TestCurrentWatermark(t *testing.T) {
	batch, columns := table(t, memory.DefaultAllocator, "ts TIMESTAMP(6)", "1970-01-01 00:00:05", "NULL", "1970-01-01 00:00:07")
	defer batch.Release()
	e := mustBind(t, "CURRENT_WATERMARK(ts)", columns...)
	if IsDeterministic(e) || TypeName(e.Type()) != "TIMESTAMP(3)" {
		t.Errorf("%s is %s", e, TypeName(e.Type()))
	}
	for _, test := range []struct {
		marks []int64
		sel   []uint32
		want  []string
	}{
		{nil, nil, []string{"NULL", "NULL", "NULL"}},
		{[]int64{vec.MinTime, 4000, 5000}, nil, []string{"NULL", "1970-01-01 00:00:04.000", "1970-01-01 00:00:05.000"}},
		{[]int64{vec.MinTime, 4000, 5000}, []uint32{2}, []string{"1970-01-01 00:00:05.000"}},
	} {
		batch.Marks = test.marks
		got, err := evalTexts(t, memory.DefaultAllocator, e, Settings{}, batch.Select(test.sel))
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("with marks %v: %v, %v, want %v", test.marks, got, err, test.want)
		}
	}
}
