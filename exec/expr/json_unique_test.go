package expr

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// FuzzUniqueJSON: what is written with repeats is the same value, for which the last of several members counts; without, the same text
// but for blanks.
func FuzzUniqueJSON(f *testing.F) {
	for _, doc := range []string{
		`{}`, ` [ ] `, `{"a":1,"a":{"b":[1,{"c":2,"c":3}],"b":null}}`, `{"a":1,"\u0061":2}`, `"a\"b"`, `{"":{},"":[]}`, "\t1e5 ", `[[[]],{"x":"}"}]`,
	} {
		f.Add(doc)
	}
	f.Fuzz(checkUniqueJSON)
}

func checkUniqueJSON(t *testing.T, doc string) {
	if !isJSONText(doc) || !json.Valid([]byte(doc)) {
		return
	}
	var w uniqueJSON
	out, ok := w.append([]byte("before"), doc, true)
	if !ok || !strings.HasPrefix(string(out), "before") {
		t.Fatalf("%q becomes %q, %v", doc, out, ok)
	}
	var want, got any
	if json.Unmarshal([]byte(doc), &want) != nil {
		return // a number is too large
	}
	if err := json.Unmarshal(out[len("before"):], &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q becomes %q, %v", doc, out, err)
	}
	if same, ok := w.append(nil, doc, false); ok && string(same) != string(appendCompact(nil, doc)) {
		t.Fatalf("%q becomes %q", doc, same)
	}
}

// TestUniqueJSON draws objects of few keys, and of many.
func TestUniqueJSON(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var doc func(depth int) string
		doc = func(depth int) string {
			if depth == 0 || rapid.Bool().Draw(r, "scalar") {
				return rapid.SampledFrom([]string{"1", `"x"`, "null", "[]", "{}"}).Draw(r, "value")
			}
			n := rapid.SampledFrom([]int{0, 2, 5, 40}).Draw(r, "members")
			keys := rapid.SampledFrom([]int{3, 100}).Draw(r, "keys")
			var members []string
			for range n {
				members = append(members, fmt.Sprintf(" %q : %s", fmt.Sprint(rapid.IntRange(0, keys).Draw(r, "key")), doc(depth-1)))
			}
			return "{" + strings.Join(members, ",") + "}"
		}
		checkUniqueJSON(t, doc(2))
	})
}

func BenchmarkParseJSON(b *testing.B) {
	doc := `{"user": {"id": 12345, "name": "ann", "tags": ["a", "b", "c"]}, "amount": 12.5, "at": "2024-02-29T12:00:00Z", "ok": true}`
	var w uniqueJSON
	var dst []byte
	for b.Loop() {
		dst, _ = w.append(dst[:0], doc, false)
	}
}
