package json

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/internal/text"
)

var fuzzFields = []arrow.Field{
	col("b", arrow.FixedWidthTypes.Boolean),
	col("i8", arrow.PrimitiveTypes.Int8),
	col("i64", arrow.PrimitiveTypes.Int64),
	col("d", arrow.PrimitiveTypes.Float64),
	col("s", arrow.BinaryTypes.String),
	col("list", arrow.ListOf(arrow.PrimitiveTypes.Int64)),
	col("row", arrow.StructOf(col("a", arrow.BinaryTypes.String), col("b", arrow.PrimitiveTypes.Float64))),
}

// reference decodes one record with encoding/json. It returns the values as JSON, or false for a bad record.
func reference(line []byte, fields []arrow.Field) ([]string, bool) {
	if !utf8.Valid(line) || !stdjson.Valid(line) {
		return nil, false
	}
	values := make([]string, len(fields))
	exact := make([]bool, len(fields))
	for i := range values {
		values[i] = "null"
	}
	d := stdjson.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != stdjson.Delim('{') {
		return nil, false
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, false
		}
		var raw stdjson.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, false
		}
		name := t.(string)
		i := slices.IndexFunc(fields, func(f arrow.Field) bool { return f.Name == name })
		isExact := i >= 0
		if i < 0 {
			i = slices.IndexFunc(fields, func(f arrow.Field) bool { return f.Name == strings.ToLower(name) })
		}
		if i < 0 || exact[i] && !isExact {
			continue
		}
		v, ok := referenceValue(raw, fields[i].Type)
		if !ok {
			return nil, false
		}
		values[i], exact[i] = v, exact[i] || isExact
	}
	return values, true
}

func referenceValue(raw stdjson.RawMessage, t arrow.DataType) (string, bool) {
	if string(raw) == "null" {
		return "null", true
	}
	isNumber := raw[0] == '-' || raw[0]-'0' <= 9
	switch t := t.(type) {
	case *arrow.BooleanType:
		return string(raw), raw[0] == 't' || raw[0] == 'f'
	case *arrow.Int8Type, *arrow.Int64Type:
		r, ok := new(big.Rat).SetString(string(raw))
		if !ok || !r.IsInt() || !r.Num().IsInt64() {
			return "", false
		}
		n := r.Num().Int64()
		return strconv.FormatInt(n, 10), isNumber && (t.ID() == arrow.INT64 || n == int64(int8(n)))
	case *arrow.Float64Type:
		if s := string(raw); s == `"NaN"` || s == `"Infinity"` || s == `"-Infinity"` {
			return s, true
		}
		v, err := strconv.ParseFloat(string(raw), 64)
		return string(text.AppendFloat64(nil, v)), isNumber && err == nil
	case *arrow.StringType:
		var s string
		err := stdjson.Unmarshal(raw, &s)
		return string(text.AppendJSONString(nil, []byte(s))), err == nil
	case *arrow.ListType:
		return referenceList(raw, t)
	case *arrow.StructType:
		values, ok := reference(raw, t.Fields())
		var b strings.Builder
		for i, v := range values {
			fmt.Fprintf(&b, ",%q:%s", t.Field(i).Name, v)
		}
		return "{" + strings.TrimPrefix(b.String(), ",") + "}", ok
	}
	panic("no reference for " + t.String())
}

func referenceList(raw stdjson.RawMessage, t *arrow.ListType) (string, bool) {
	var items []stdjson.RawMessage
	if stdjson.Unmarshal(raw, &items) != nil {
		return "", false
	}
	texts := make([]string, len(items))
	for i, item := range items {
		var ok bool
		if texts[i], ok = referenceValue(item, t.Elem()); !ok {
			return "", false
		}
	}
	return "[" + strings.Join(texts, ",") + "]", true
}

// longExponent finds numbers that big.Rat would take ages for.
var longExponent = regexp.MustCompile(`[eE][+-]?0*[1-9][0-9]{3}`)

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"b":true,"i8":1,"i64":9007199254740993,"d":0.25,"s":"x","list":[1,null],"row":{"a":"y","b":1e3}}`,
		`{"S":"\u00e9\ud83d\ude00\ud800","s":null,"I64":1.0,"d":"NaN"}` + "\r\n\n  " + `{"list":[],"row":null} `,
		`{"i8":128}` + "\n" + `{"i8":-0}` + "\n" + `{"i64":12345678901234567890}` + "\n" + `{"d":1e999}`,
		"{\"s\":\"a\xffb\"}\n{\"x\":{\"y\":[{},[],\"\\\"\",false]}}",
		`{"row":{"b":0.1,"A":"","a":"z","A":"w"},"row":{"b":123456789.123456789}}`,
		`{"i64":0.1e1,"d":12345678901234567890.5}` + "\n" + `[1]` + "\n" + `{"s":"` + strings.Repeat("long ", 20) + `"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if longExponent.MatchString(doc) {
			return
		}
		mem := memory.NewGoAllocator()
		in := newTestInput(t, "json", mem, fuzzFields, []int{0, 1, 2, 3, 4, 5, 6})
		var want []string
		bad := 0
		for i, line := range strings.Split(doc, "\n") {
			if strings.Trim(line, " \t\r") == "" {
				continue
			}
			values, ok := reference([]byte(line), fuzzFields)
			if !ok {
				bad++
				continue
			}
			want = append(want, strings.Join(append([]string{fmt.Sprintf("%d:", i)}, values...), " "))
		}
		for _, rows := range []int{1, 3, 100} {
			got, gotBad := decodeAll(t, in, mem, doc, rows)
			if !slices.Equal(got, want) || len(gotBad) != bad {
				t.Fatalf("%q in batches of %d:\n%s\n%d bad %v\nwant\n%s\n%d bad", doc, rows, strings.Join(got, "\n"), len(gotBad), gotBad, strings.Join(want, "\n"), bad)
			}
		}
	})
}
