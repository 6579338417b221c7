package sql

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// compare tells how two bags of rows, written as JSON lines, differ: exact for texts and integers, to 1e-9 for doubles; decimals
// may be numbers or strings, the fraction .000 of a timestamp may be missing.
func compare(want, got []byte) string {
	w, err := rows(want)
	if err != nil {
		return "the wanted result: " + err.Error()
	}
	g, err := rows(got)
	if err != nil {
		return "the result: " + err.Error()
	}
	var missing, extra []string
	for _, row := range w {
		if i := slices.IndexFunc(g, func(o record) bool { return sameRow(row, o) }); i >= 0 {
			g = slices.Delete(g, i, i+1)
		} else {
			missing = append(missing, row.text)
		}
	}
	for _, row := range g {
		extra = append(extra, row.text)
	}
	if len(missing)+len(extra) == 0 {
		return ""
	}
	return fmt.Sprintf("missing %d rows:\n%s\nnot expected %d rows:\n%s",
		len(missing), strings.Join(missing, "\n"), len(extra), strings.Join(extra, "\n"))
}

// record is a row as a map of its columns.
type record struct {
	text string
	cols map[string]any
}

func rows(lines []byte) (out []record, err error) {
	for line := range bytes.Lines(lines) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		r := record{text: string(line)}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&r.cols); err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		out = append(out, r)
	}
	return out, nil
}

func sameRow(a, b record) bool {
	if len(a.cols) != len(b.cols) {
		return false
	}
	for name, v := range a.cols {
		w, ok := b.cols[name]
		if !ok || !sameValue(v, w) {
			return false
		}
	}
	return true
}

func sameValue(a, b any) bool {
	x, isNumber := number(a)
	y, other := number(b)
	if isNumber && other {
		if x.Cmp(y) == 0 {
			return true
		}
		return hasFraction(a) && hasFraction(b) && near(x, y)
	}
	s, isText := a.(string)
	t, otherText := b.(string)
	if isText && otherText {
		return strings.TrimSuffix(s, ".000") == strings.TrimSuffix(t, ".000")
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}

// number reads a JSON number, or a string that is one, exactly.
func number(v any) (*big.Rat, bool) {
	switch v := v.(type) {
	case json.Number:
		return new(big.Rat).SetString(v.String())
	case string:
		return new(big.Rat).SetString(v)
	}
	return nil, false
}

// hasFraction tells a double, whose last digits may differ, from an integer and a decimal, whose may not.
func hasFraction(v any) bool {
	n, ok := v.(json.Number)
	return ok && strings.ContainsAny(n.String(), ".eE")
}

func near(x, y *big.Rat) bool {
	a, _ := x.Float64()
	b, _ := y.Float64()
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

func TestCompare(t *testing.T) {
	same := [][2]string{
		{`{"a":1,"b":"x"}`, `{"b":"x","a":1}`},
		{`{"a":0.1}`, `{"a":0.10000000000000001}`},
		{`{"a":"3.00"}`, `{"a":3}`},
		{`{"a":"2024-03-01 10:00:00"}`, `{"a":"2024-03-01 10:00:00.000"}`},
		{"{\"a\":1}\n{\"a\":2}", "{\"a\":2}\n{\"a\":1}"},
	}
	for _, c := range same {
		if diff := compare([]byte(c[0]), []byte(c[1])); diff != "" {
			t.Errorf("%s and %s: %s", c[0], c[1], diff)
		}
	}
	differ := [][2]string{
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`},
		{`{"a":null}`, `{"a":0}`},
		{`{"a":1}`, "{\"a\":1}\n{\"a\":1}"},
		{`{"a":1}`, `{"b":1}`},
		{`{"a":1.5}`, `{"a":1.50001}`},
	}
	for _, c := range differ {
		if compare([]byte(c[0]), []byte(c[1])) == "" {
			t.Errorf("%s and %s are taken for equal", c[0], c[1])
		}
	}
}
