package expr

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestJSON(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		// values
		{`JSON_VALUE('{"a": true}', '$.a')`, "true"},
		{`JSON_VALUE('{"a": true}', '$.a' RETURNING BOOLEAN)`, "TRUE"},
		{`JSON_VALUE('{"a": true}', 'lax $.b' DEFAULT 'none' ON EMPTY)`, "none"},
		{`JSON_VALUE('{"a": true}', 'strict $.b' DEFAULT 'wrong' ON ERROR)`, "wrong"},
		{`JSON_VALUE('{"a.b": [0.998,0.996]}', '$.["a.b"][0]' RETURNING DOUBLE)`, "0.998"},
		{`JSON_VALUE('{"contains blank": "right"}', 'strict $.[''contains blank'']' NULL ON EMPTY DEFAULT 'wrong' ON ERROR)`, "right"},
		{`JSON_VALUE('{"a": "\u00e9\n"}', '$.a')`, "é\n"},
		{`JSON_VALUE('{"a": 123456789.987654321}', '$.a')`, "123456789.987654321"},
		{`JSON_VALUE('{"a": null}', '$.a' DEFAULT 'none' ON EMPTY)`, "none"},
		{`JSON_VALUE('{"a": [1]}', '$.a' DEFAULT 'none' ON EMPTY)`, "none"},
		{`JSON_VALUE('{"a": [1]}', 'strict $.a' DEFAULT 'wrong' ON ERROR)`, "wrong"},
		{`JSON_VALUE('{"a"', '$.a' DEFAULT 'none' ON EMPTY DEFAULT 'wrong' ON ERROR)`, "wrong"},
		{`JSON_VALUE('{"a"', '$.a' ERROR ON ERROR)`, "!the string is not JSON"},
		{`JSON_VALUE('{}', '$.a' ERROR ON EMPTY)`, "!nothing is at the path"},
		{`JSON_VALUE('{"a": 13.89}', '$.a' RETURNING INT)`, "13"},
		{`JSON_VALUE('{"a": -100}', '$.a' RETURNING TINYINT)`, "-100"},
		{`JSON_VALUE('{"a": "42"}', '$.a' RETURNING INT)`, "42"},
		{`JSON_VALUE('{"a": 9999999999}', '$.a' RETURNING INT)`, "NULL"},
		{`JSON_VALUE('{"a": "x"}', '$.a' RETURNING INT DEFAULT 42 ON ERROR)`, "42"},
		{`JSON_VALUE('{"a": "x"}', '$.a' RETURNING INT ERROR ON ERROR)`, "!'x' is not a value of type INT"},
		{`JSON_VALUE('{"a": 123.4}', '$.a' RETURNING DECIMAL(5, 2) DEFAULT '0.00' ON ERROR)`, "123.40"},
		{`JSON_VALUE('{"a": 12345.6}', '$.a' RETURNING DECIMAL(5, 2) DEFAULT '0.00' ON ERROR)`, "0.00"},
		{`JSON_VALUE(CAST(NULL AS STRING), '$.a' DEFAULT 'none' ON EMPTY)`, "NULL"},
		{`JSON_VALUE('{}', 'a')`, "!'a' is not a path into JSON: it must begin with $"},
		{`JSON_VALUE('{}', '$.a[')`, "!'$.a[' is not a path into JSON"},
		{`JSON_VALUE('[[1, 2], [3]]', '$[1][0]')`, "3"},
		{`JSON_VALUE('[1, 2]', '$[-1]')`, "2"},
		{`JSON_VALUE('[1, 2]', '$[-3]')`, "NULL"},
		{`JSON_VALUE('{"0": "x"}', '$[0]')`, "NULL"},
		{`JSON_VALUE('{"": {"*": "x"}}', '$[""]["*"]')`, "x"},
		{`JSON_VALUE('"scalar"', '$')`, "scalar"},
		{`JSON_VALUE('{}', '$.a' TRUE ON ERROR)`, "!"},
		// queries
		{`JSON_QUERY('{ "a": { "b": 1 } }', '$.a')`, `{"b":1}`},
		{`JSON_QUERY('[1, 2]', '$')`, "[1,2]"},
		{`JSON_QUERY(CAST(NULL AS STRING), '$')`, "NULL"},
		{`JSON_QUERY('{"a":[{"c":"c1"},{"c":"c2"}]}', 'lax $.a[*].c')`, `["c1","c2"]`},
		{`JSON_QUERY('{}', '$' WITH CONDITIONAL ARRAY WRAPPER)`, "[{}]"},
		{`JSON_QUERY('[1, 2]', '$' WITH CONDITIONAL ARRAY WRAPPER)`, "[1,2]"},
		{`JSON_QUERY('[1, 2]', '$' WITH UNCONDITIONAL ARRAY WRAPPER)`, "[[1,2]]"},
		{`JSON_QUERY('1', '$')`, "NULL"},
		{`JSON_QUERY('1', '$' WITH CONDITIONAL ARRAY WRAPPER)`, "[1]"},
		{`JSON_QUERY('{}', 'lax $.invalid' EMPTY OBJECT ON EMPTY)`, "{}"},
		{`JSON_QUERY('{}', 'strict $.invalid' EMPTY ARRAY ON ERROR)`, "[]"},
		{`JSON_QUERY('{}', 'lax $.err4' ERROR ON EMPTY)`, "!nothing is at the path"},
		{`JSON_QUERY('{}', 'strict $.err9' ERROR ON ERROR)`, "!nothing is at the strict path"},
		{`JSON_QUERY('{"a": "[1,2]", "b": [1,2]}', '$.b' RETURNING ARRAY<STRING>)`, "[1, 2]"},
		{`JSON_QUERY('{"a": "[1,2]"}', '$.a' RETURNING ARRAY<STRING> WITH CONDITIONAL ARRAY WRAPPER)`, "[[1,2]]"},
		{`JSON_QUERY('{"a":[{"c":null},{"c":"c2"}]}', 'lax $.a[*].c' RETURNING ARRAY<STRING> ERROR ON EMPTY ERROR ON ERROR)`, "[NULL, c2]"},
		{`JSON_QUERY('{"b": [1, null, 3]}', '$.b' RETURNING ARRAY<INT>)`, "[1, NULL, 3]"},
		{`JSON_QUERY('{"b": ["x"]}', '$.b' RETURNING ARRAY<INT>)`, "NULL"},
		{`JSON_QUERY('{"b": ["x"]}', '$.b' RETURNING ARRAY<INT> EMPTY ARRAY ON ERROR)`, "[]"},
		{`JSON_QUERY('{"b": ["x"]}', '$.b' RETURNING ARRAY<INT> ERROR ON ERROR)`, "!does not fit ARRAY<INT>"},
		{`JSON_QUERY('{"b": {}}', '$.b' RETURNING ARRAY<STRING>)`, "NULL"},
		{`JSON_QUERY('{}', '$.b' RETURNING ARRAY<INT> EMPTY ARRAY ON EMPTY)`, "[]"},
		{`JSON_QUERY('{"items": [{"id":1, "n": [ 2 ]}, null]}', '$.items' RETURNING ARRAY<STRING>)`, `[{"id":1,"n":[2]}, NULL]`},
		{`JSON_QUERY('{"a": 1}', '$' RETURNING INT)`, "!must be STRING or an ARRAY type"},
		// existence
		{`JSON_EXISTS('{"a": true}', '$.a')`, "TRUE"},
		{`JSON_EXISTS('{"a": true}', '$.b')`, "FALSE"},
		{`JSON_EXISTS('{"a": null}', '$.a')`, "TRUE"},
		{`JSON_EXISTS('{"a": [{ "b": 1 }]}', '$.a[0].b')`, "TRUE"},
		{`JSON_EXISTS('{"a": true}', 'strict $.b' TRUE ON ERROR)`, "TRUE"},
		{`JSON_EXISTS('{"a": true}', 'strict $.b' FALSE ON ERROR)`, "FALSE"},
		{`JSON_EXISTS('{"a": true}', 'strict $.b' UNKNOWN ON ERROR)`, "NULL"},
		{`JSON_EXISTS('{"a": true}', 'strict $.b' ERROR ON ERROR)`, "!nothing is at the strict path"},
		{`JSON_EXISTS('{"items": []}', '$.items[*]')`, "FALSE"},
		{`JSON_EXISTS('{"items": [{"n": 1}, {"n": 5}]}', '$.items[?@.n > 3]')`, "TRUE"},
		{`JSON_EXISTS('{', '$')`, "FALSE"},
		{`JSON_EXISTS(NULL, '$')`, "NULL"},
		// IS JSON
		{`'1' IS JSON`, "TRUE"},
		{`'abc' IS JSON`, "FALSE"},
		{`CAST(NULL AS STRING) IS JSON`, "NULL"},
		{`CAST(NULL AS STRING) IS NOT JSON OBJECT`, "NULL"},
		{`'"abc"' IS JSON SCALAR`, "TRUE"},
		{`' {} ' IS JSON OBJECT`, "TRUE"},
		{`'{}' IS JSON ARRAY`, "FALSE"},
		{`'[]' IS NOT JSON OBJECT`, "TRUE"},
		// construction
		{`JSON_OBJECT()`, "{}"},
		{`JSON_OBJECT('K1' VALUE 'V1', KEY 'K2' VALUE 1.50)`, `{"K1":"V1","K2":1.50}`},
		{`JSON_OBJECT('k' VALUE CAST(NULL AS STRING))`, `{"k":null}`},
		{`JSON_OBJECT('k' VALUE CAST(NULL AS STRING), 'l' VALUE TRUE ABSENT ON NULL)`, `{"l":true}`},
		{`JSON_OBJECT('a' VALUE JSON_OBJECT('b' VALUE '"'))`, `{"a":{"b":"\""}}`},
		{`JSON_OBJECT('a' VALUE '{}')`, `{"a":"{}"}`},
		{`JSON_OBJECT('a' VALUE JSON('{"b": 1}'))`, `{"a":{"b":1}}`},
		{`JSON_OBJECT('d' VALUE DATE '2024-02-29', 'x' VALUE X'54', 'r' VALUE ROW(1, ARRAY['a']))`, `{"d":"2024-02-29","x":"VA==","r":{"f0":1,"f1":["a"]}}`},
		{`JSON_OBJECT(CAST(NULL AS STRING) VALUE 1)`, "!a key of JSON_OBJECT is NULL"},
		{`JSON_OBJECT(1 VALUE 1)`, "!a key of JSON_OBJECT must be a STRING, got INT"},
		{`JSON_ARRAY()`, "[]"},
		{`JSON_ARRAY(1, '2')`, `[1,"2"]`},
		{`JSON_ARRAY(CAST(NULL AS STRING) NULL ON NULL)`, "[null]"},
		{`JSON_ARRAY(CAST(NULL AS STRING) ABSENT ON NULL)`, "[]"},
		{`JSON_ARRAY(JSON_ARRAY(1))`, "[[1]]"},
		{`JSON('x')`, "!'x' is not JSON"},
		{`JSON_STRING(CAST(NULL AS INT))`, "NULL"},
		{`JSON_STRING('Hello, World!')`, `"Hello, World!"`},
		{`JSON_STRING(MAP['M1', 1.23])`, `{"M1":1.23}`},
		{`JSON_STRING(0e0 / 0)`, `"NaN"`},
		// text
		{`JSON_QUOTE('a/é😀')`, `"a\/\u00e9\ud83d\ude00"`},
		{`JSON_UNQUOTE('"\u0041\n"')`, "A\n"},
		{`JSON_UNQUOTE('"\ud83d\ude00"')`, "😀"},
		{`JSON_UNQUOTE('"\u006z"')`, `"\u006z"`},
		{`JSON_UNQUOTE('"["a"]"')`, `["a"]`},
		{`JSON_UNQUOTE('"')`, `"`},
		{`JSON_UNQUOTE('[1, 2]')`, "[1, 2]"},
		{`PARSE_JSON('[1, " "]')`, `[1," "]`},
		{`PARSE_JSON('[1')`, "!'[1' is not JSON"},
		{`JSON_EXTRACT('{"a": {"b": [1, 2]}}', '/a/b/1')`, "2"},
		{`JSON_EXTRACT('{"a": {"0": "x"}}', '/a/0')`, `"x"`},
		{`JSON_EXTRACT('{"a/b": {"c": 1}}', 'a/b')`, `{"c":1}`},
		{`JSON_EXTRACT('{"a~/b": 1}', '/a~0~1b')`, "1"},
		{`JSON_EXTRACT('{"a": [1, 2]}', '$.a[*]')`, "[1,2]"},
		{`JSON_EXTRACT('{"a": null}', '$.a')`, "null"},
		{`JSON_EXTRACT('{', '$.a')`, "NULL"},
		{`JSON_LENGTH('{"a":1,"b":2}')`, "2"},
		{`JSON_LENGTH('null')`, "1"},
		{`JSON_LENGTH('{"a":[true, false, null]}', '$.a[2]')`, "1"},
		{`JSON_LENGTH('{"a":[true, false, null]}', '$.a[9]')`, "NULL"},
		{`JSON_LENGTH('{"a":[1, 2]}', '$.a[*]')`, "NULL"},
		{`JSON_LENGTH('{"a":[{"u": 1, "v": 2}]}', '$.a[*]')`, "2"},
		{`JSON_LENGTH('{')`, "NULL"},
	})
}

// TestJSONText: calls with options read back as they are written.
func TestJSONText(t *testing.T) {
	column := &Column{0, "j", String, true}
	for _, sql := range []string{
		"JSON_VALUE(j, '$.a')",
		"JSON_VALUE(j, '$.a' RETURNING INT)",
		"JSON_VALUE(j, '$.a' RETURNING INT DEFAULT 1 ON EMPTY ERROR ON ERROR)",
		"JSON_QUERY(j, '$.a' RETURNING ARRAY<STRING> WITH CONDITIONAL ARRAY WRAPPER EMPTY ARRAY ON EMPTY)",
		"JSON_EXISTS(j, '$.a' UNKNOWN ON ERROR)",
		"JSON_OBJECT('a' VALUE j, 'b' VALUE JSON_ARRAY(j NULL ON NULL) ABSENT ON NULL)",
		"j IS NOT JSON OBJECT",
	} {
		e := mustBind(t, sql, column)
		if e.String() != sql {
			t.Errorf("%s is written as %s", sql, e)
		}
		if again := mustBind(t, e.String(), column); !Equal(again, e) {
			t.Errorf("%s is read again as %s", e, again)
		}
	}
}

func TestNestedTooDeep(t *testing.T) {
	deep := strings.Repeat("[", 2_000_000)
	if isJSONText(deep + strings.Repeat("]", 2_000_000)) {
		t.Error("two million brackets are JSON")
	}
	if !isJSONText(`["` + deep + `"]`) {
		t.Error("brackets in a string count")
	}
}

// drawJSON draws a document with its paths' values.
func drawJSON(t *rapid.T, depth int) any {
	switch rapid.IntRange(0, 6-2*depth).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.SampledFrom([]any{1.0, -2.5, true, 1e20}).Draw(t, "scalar")
	case 2:
		return rapid.SampledFrom([]string{"", "x", `"\`, "é\n", "a.b"}).Draw(t, "string")
	case 3, 5:
		object := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			object[rapid.SampledFrom([]string{"a", "b", "a.b", "*", "", "é", "0"}).Draw(t, "name")] = drawJSON(t, depth+1)
		}
		return object
	}
	array := []any{}
	for range rapid.IntRange(0, 3).Draw(t, "elements") {
		array = append(array, drawJSON(t, depth+1))
	}
	return array
}

// TestJSONPathAgainstNaive walks decoded documents.
func TestJSONPathAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawJSON(t, 0)
		text, err := json.MarshalIndent(doc, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		path, want, exists := "$", doc, true
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "index") {
				i := rapid.IntRange(0, 2).Draw(t, "place")
				path += fmt.Sprintf("[%d]", i)
				array, _ := want.([]any)
				if exists = exists && i < len(array); exists {
					want = array[i]
				}
				continue
			}
			name := rapid.SampledFrom([]string{"a", "b", "a.b", "*", "", "é", "0"}).Draw(t, "member")
			path += fmt.Sprintf("[%q]", name)
			object, _ := want.(map[string]any)
			if _, ok := object[name]; exists && ok {
				want = object[name]
			} else {
				exists = false
			}
		}
		p, err := parseJSONPath(path)
		if err != nil || p.query != nil {
			t.Fatalf("%s: %v, %v", path, p, err)
		}
		m, status := p.find(string(text))
		if (status == jsonFound) != exists {
			t.Fatalf("%s in %s exists: %v", path, text, !exists)
		}
		if !exists {
			return
		}
		var got any
		if err := json.Unmarshal(m.appendTo(nil), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s in %s is %s, want %v", path, text, m.appendTo(nil), want)
		}
	})
}
