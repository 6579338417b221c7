package expr

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

func init() {
	Register(Function{
		Name: "JSON_QUOTE", Category: categoryJSON,
		Doc:     "The string as a JSON string, with characters beyond ASCII and / escaped.",
		Example: `JSON_QUOTE('say "hi"')`, ExampleResult: `"say \"hi\""`,
		Overloads: []Overload{stringFunction(textOf(appendJSONQuoted))},
	})
	Register(Function{
		Name: "JSON_UNQUOTE", Category: categoryJSON,
		Doc:     "The characters of a string that stands in double quotes, its escapes undone; any other string as it is.",
		Example: `JSON_UNQUOTE('"say \"hi\""')`, ExampleResult: `say "hi"`,
		Overloads: []Overload{stringFunction(textOf(appendJSONUnquoted))},
	})
	Register(Function{
		Name: "PARSE_JSON", Category: categoryJSON,
		Doc:     "The string, which must be JSON, without blanks between its parts. A key that is twice in an object is an error, or with TRUE the last one counts.",
		Example: `PARSE_JSON('{"a": [1, 2]}')`, ExampleResult: `{"a":[1,2]}`,
		Overloads: []Overload{{
			Params: []Param{jsonParam, repeatsParam}, Optional: 1, Returns: returns(String), Fails: Sometimes, Slow: true,
			Compile: func(*Site) Kernel { return parseJSON(true) },
		}},
	})
	Register(Function{
		Name: "TRY_PARSE_JSON", Category: categoryJSON,
		Doc:     "The string without blanks between its parts if it is JSON, else NULL. A key that is twice in an object makes it NULL, or with TRUE the last one counts.",
		Example: `TRY_PARSE_JSON('{"a": [1, 2')`, ExampleResult: "NULL",
		Overloads: []Overload{{
			Params: []Param{jsonParam, repeatsParam}, Optional: 1, Returns: returns(String), Nulls: PropagateOrNull, Slow: true,
			Compile: func(*Site) Kernel { return parseJSON(false) },
		}},
	})
	Register(Function{
		Name: "JSON_EXTRACT", Category: categoryJSON,
		Doc:     "What is at a path ($.a[0]), at a JSON pointer (/a/0) or under a name (a) of a JSON document, as JSON; NULL if there is nothing or the string is not JSON.",
		Example: `JSON_EXTRACT('{"a": ["x", 7]}', '$.a[0]')`, ExampleResult: `"x"`,
		Overloads: []Overload{{
			Params: []Param{jsonParam, jsonPathParam}, Check: validExtractPath, Returns: returns(String), Nulls: PropagateOrNull, Fails: Sometimes, Slow: true,
			Compile: jsonExtractKernel,
		}},
	})
	Register(Function{
		Name: "JSON_TYPE", Category: categoryJSON,
		Doc:     "The type of a JSON document, or of what is at a path of it: 'object', 'array', 'string', 'number', 'boolean' or 'null'. NULL if there is nothing, or more than one value, or the string is not JSON.",
		Example: `JSON_TYPE('{"a": [1, 2]}', '$.a')`, ExampleResult: "array",
		Overloads: []Overload{{
			Params: []Param{jsonParam, jsonPathParam}, Optional: 1, Check: plainJSONPath, Returns: returns(String), Nulls: PropagateOrNull, Slow: true,
			Compile: jsonTypeKernel,
		}},
	})
	Register(Function{
		Name: "JSON_LENGTH", Category: categoryJSON,
		Doc:     "The number of elements of an array, or of members of an object, in a JSON document or at a path of it; 1 for a scalar. NULL if there is nothing, or more than one value, or the string is not JSON.",
		Example: `JSON_LENGTH('{"a": [1, 2, 3]}', '$.a')`, ExampleResult: "3",
		Overloads: []Overload{{
			Params: []Param{jsonParam, jsonPathParam}, Optional: 1, Check: plainJSONPath, Returns: returns(Int), Nulls: PropagateOrNull, Slow: true,
			Compile: jsonLengthKernel,
		}},
	})
}

// repeatsParam tells whether a key may be twice in an object.
var repeatsParam = named(boolParam, "repeats")

// jsonTypeNames are the types of JSON values.
var jsonTypeNames = map[gjson.Type]string{gjson.Null: "null", gjson.True: "boolean", gjson.False: "boolean", gjson.Number: "number", gjson.String: "string"}

func jsonTypeName(v gjson.Result) string {
	switch {
	case v.IsObject():
		return "object"
	case v.IsArray():
		return "array"
	}
	return jsonTypeNames[v.Type]
}

func appendJSONQuoted(dst, s []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		if letter := strings.IndexRune("\"\\/\b\f\n\r\t", r); letter >= 0 && r < utf8.RuneSelf {
			dst = append(dst, '\\', "\"\\/bfnrt"[letter])
			continue
		}
		if r >= ' ' && r < 0x80 {
			dst = append(dst, byte(r))
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			dst = append(dst, '\\', 'u', digits[unit>>12], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
		}
	}
	return append(dst, '"')
}

// appendJSONUnquoted leaves a string with a malformed escape as it is.
func appendJSONUnquoted(dst, s []byte) []byte {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return append(dst, s...)
	}
	start := len(dst)
	for inner := s[1 : len(s)-1]; len(inner) > 0; {
		if inner[0] != '\\' {
			dst, inner = append(dst, inner[0]), inner[1:]
			continue
		}
		r, n := unescape(inner)
		if n == 0 {
			return append(dst[:start], s...)
		}
		dst, inner = utf8.AppendRune(dst, r), inner[n:]
	}
	return dst
}

// unescape reads an escape of a JSON string; n is 0 if it is malformed.
func unescape(s []byte) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	if letter := strings.IndexByte("\"\\/bfnrt", s[1]); letter >= 0 {
		return rune("\"\\/\b\f\n\r\t"[letter]), 2
	}
	r, ok := hexEscape(s)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hexEscape(s[6:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return utf16.DecodeRune(r, low), 12
		}
		r = utf8.RuneError
	}
	return r, 6
}

// hexEscape reads \uXXXX.
func hexEscape(s []byte) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range s[2:6] {
		digit, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}

// parseJSON makes a kernel that checks and compacts JSON; a string that is none, or repeats a key that it must not, fails or becomes
// NULL.
func parseJSON(fails bool) Kernel {
	var writer uniqueJSON
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			doc, before := args[0].str(row), len(out.data)
			valid := isJSONText(doc)
			if valid {
				repeats := boolArg(args, 1, row, false)
				var ok bool
				if out.data, ok = writer.append(out.data, doc, repeats); ok {
					out.end(row)
					continue
				}
				out.data = out.data[:before]
			}
			if !fails {
				f.SetNull(row)
				continue
			}
			if err := f.FailWith(row, func() string { return noParse(doc, valid) }); err != nil {
				return err
			}
		}
		return nil
	}
}

func noParse(doc string, valid bool) string {
	if valid {
		return quote(cut(doc)) + " has a key twice; allow that with TRUE as the second argument"
	}
	return quote(cut(doc)) + " is not JSON"
}

// rawJSON checks and compacts JSON that is to be part of other JSON; an empty string is NULL.
func rawJSON(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		doc := args[0].str(row)
		switch {
		case doc == "":
			f.SetNull(row)
		case isJSONText(doc):
			out.data = appendCompact(out.data, doc)
			out.end(row)
		default:
			if err := f.FailWith(row, func() string { return noParse(doc, false) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// parseExtractPath reads a path, a JSON pointer or a name.
func parseExtractPath(text string) (*jsonPath, error) {
	switch {
	case strings.HasPrefix(text, "$"):
		return parseJSONPath(text)
	case !strings.HasPrefix(text, "/"):
		return &jsonPath{steps: []jsonStep{nameStep(text)}}, nil
	}
	p := &jsonPath{}
	for _, part := range strings.Split(text[1:], "/") {
		name := strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		p.steps = append(p.steps, pointerStep(name))
	}
	return p, nil
}

func validExtractPath(args []Expr) *ArgumentError {
	path, ok := literalText(args[1])
	if !ok {
		return nil
	}
	if _, err := parseExtractPath(path); err != nil {
		return &ArgumentError{Arg: 1, Msg: err.Error()}
	}
	return nil
}

func jsonExtractKernel(*Site) Kernel {
	paths := jsonPathCache{parse: parseExtractPath}
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			path, err := paths.find(args[1].bytes(row))
			if err != nil {
				if err := f.Fail(row, err.Error()); err != nil {
					return err
				}
				continue
			}
			m, status := path.find(args[0].str(row))
			if status != jsonFound {
				f.SetNull(row)
				continue
			}
			out.data = m.appendTo(out.data)
			out.end(row)
		}
		return nil
	}
}

func jsonLengthKernel(*Site) Kernel {
	var paths jsonPathCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[int32](out)
		for _, row := range f.Rows() {
			if v, ok := paths.one(args, row); ok {
				o[row] = int32(jsonLength(v))
			} else {
				f.SetNull(row)
			}
		}
		return nil
	}
}

func jsonTypeKernel(*Site) Kernel {
	var paths jsonPathCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			if v, ok := paths.one(args, row); ok {
				out.data = append(out.data, jsonTypeName(v)...)
				out.end(row)
			} else {
				f.SetNull(row)
			}
		}
		return nil
	}
}

// wholeJSON is the path to all of a document.
var wholeJSON = &jsonPath{}

// one is the only value at the path in the second argument, if there is one, of the document in the first.
func (c *jsonPathCache) one(args []*Vector, row uint32) (v gjson.Result, ok bool) {
	path := wholeJSON
	if len(args) == 2 {
		var err error
		if path, err = c.find(args[1].bytes(row)); err != nil {
			return v, false
		}
	}
	m, _ := path.find(args[0].str(row))
	return m.value, m.count == 1
}

func jsonLength(v gjson.Result) int {
	if v.Type != gjson.JSON {
		return 1
	}
	n := 0
	v.ForEach(func(_, _ gjson.Result) bool {
		n++
		return true
	})
	return n
}
