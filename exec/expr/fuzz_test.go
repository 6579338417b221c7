package expr

import (
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzLike: any pattern and any bytes are matched without failing, and a string matches its own escaped text.
func FuzzLike(f *testing.F) {
	f.Add("abc", "a%c")
	f.Add("日本", "_本%")
	f.Add("\xff%", "%\xff_")
	f.Fuzz(func(t *testing.T, subject, pattern string) {
		if p, err := parseLike(pattern, 0); err != nil {
			t.Fatal(err)
		} else {
			p.match([]byte(subject))
		}
		if p, err := parseLike(pattern, '!'); err == nil {
			p.match([]byte(subject))
		}
		if !utf8.ValidString(subject) {
			return
		}
		var escaped []rune
		for _, r := range subject {
			if r == '%' || r == '_' || r == '!' {
				escaped = append(escaped, '!')
			}
			escaped = append(escaped, r)
		}
		for _, around := range []string{"", "%"} {
			p, err := parseLike(around+string(escaped)+around, '!')
			if err != nil || !p.match([]byte(subject)) {
				t.Fatalf("%q does not match itself: %v", subject, err)
			}
		}
	})
}

// FuzzDatePattern: any pattern writes and reads without failing; what it reads is a date of the calendar.
func FuzzDatePattern(f *testing.F) {
	f.Add("yyyy-MM-dd HH:mm:ss.SSS", "2024-02-29 12:30:00.123")
	f.Add("EEE d MMM yy 'at' h:mm a XXX", "Thu 29 Feb 24 at 1:30 pm +02:00")
	f.Fuzz(func(t *testing.T, pattern, value string) {
		p, err := parseDatePattern(pattern)
		if err != nil || len(p) > 50 {
			return
		}
		for i := range p {
			if p[i].count > 50 {
				return
			}
		}
		m := momentOf(19782, 45045*nanosPerSecond, 3600)
		p.append(nil, &m)
		d, ok := p.parse([]byte(value))
		if !ok {
			return
		}
		got := time.UnixMilli(d.millis()).UTC()
		if got.Year() != d.year || int(got.Month()) != d.month || got.Day() != d.day || got.Hour() != d.hour {
			t.Fatalf("%q by %q is %+v, %v", value, pattern, d, got)
		}
	})
}

// FuzzInterval: what is read as an interval is read again from its canonical text.
func FuzzInterval(f *testing.F) {
	f.Add("1 02:03:04.567", "DAY", "SECOND")
	f.Add("-1-2", "YEAR", "MONTH")
	f.Add("10", "MINUTE", "")
	f.Fuzz(func(t *testing.T, value, from, to string) {
		l, err := NewInterval(value, from, to, false)
		if err != nil {
			return
		}
		e, err := bindText(l.String(), Settings{})
		if err != nil || !Equal(e, l) {
			t.Fatalf("%q %s %s is %s, read again %v, %v", value, from, to, l, e, err)
		}
	})
}

// FuzzJSONPath: any path into any document finds JSON, or nothing, without failing.
func FuzzJSONPath(f *testing.F) {
	f.Add(`{"a": [{"b": 1}]}`, "lax $.a[0].b")
	f.Add(`{"a": [1, {"b": null}]}`, "strict $..b")
	f.Add(`[1, 2, 3]`, "$[?@ > 1]")
	f.Add("{\"\\u0000\": \"\xff\"}", "$['\\u0000']")
	f.Fuzz(func(t *testing.T, doc, path string) {
		p, err := parseJSONPath(path)
		if err != nil {
			return
		}
		m, status := p.find(doc)
		if status != jsonFound {
			return
		}
		if found := string(m.appendTo(nil)); !isJSONText(found) {
			t.Fatalf("%q in %q is %q", path, doc, found)
		}
	})
}

// FuzzFormats: any format of PRINTF, SIMILAR TO or strftime is refused or written without failing.
func FuzzFormats(f *testing.F) {
	f.Add("%-5s|%05d|%.2f", "abc")
	f.Add("(a|b)+[^%]_", "a!b")
	f.Add("%Y-%m-%d %E3S", "2024-02-29 01.500")
	f.Fuzz(func(t *testing.T, format, value string) {
		if p, err := parsePrintf(format); err == nil {
			for i := range p {
				d := &p[i]
				d.pad(d.appendInteger(nil, -42, 32), 0)
				d.pad(d.appendFloat(nil, -1234.5), 0)
			}
		}
		if re, err := compileSimilar(format, "!"); err == nil {
			re.MatchString(value)
		}
		if p, err := parseStrftime(format); err == nil {
			m := momentOf(19782, 45045*nanosPerSecond, 3600)
			p.append(nil, &m)
			p.parse([]byte(value))
		}
		parseURL([]byte(value))
		appendURLDecoded(nil, []byte(value))
	})
}
