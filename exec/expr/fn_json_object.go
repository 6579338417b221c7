package expr

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

func init() {
	nulls := wordParam("NULL ON NULL", "ABSENT ON NULL")
	object := Overload{
		Params: []Param{named(stringParam, "key"), anyParam}, Optional: 2, Variadic: true, Check: evenKeys(0), Returns: returns(String), Nulls: NeverNull,
		Fails: Sometimes, Unfolded: true, Slow: true, Compile: jsonObjectKernel,
	}
	withNulls := object
	withNulls.Params, withNulls.Check = append([]Param{nulls}, object.Params...), evenKeys(1)
	Register(Function{
		Name: "JSON_OBJECT", Category: categoryJSON, form: jsonObjectForm, mismatch: keyMismatch,
		Doc:     "A JSON object of keys and values; a NULL becomes null, or is left out with ABSENT ON NULL. Values made by JSON_OBJECT, JSON_ARRAY or JSON are put in as they are.",
		Example: "JSON_OBJECT('a' VALUE 1, 'b' VALUE JSON_ARRAY('x'))", ExampleResult: `{"a":1,"b":["x"]}`,
		Overloads: []Overload{withNulls, object},
	})
	array := Overload{
		Params: []Param{anyParam}, Optional: 1, Variadic: true, Returns: returns(String), Nulls: NeverNull, Unfolded: true, Slow: true, Compile: jsonArrayKernel,
	}
	arrayWithNulls := array
	arrayWithNulls.Params = append([]Param{nulls}, array.Params...)
	Register(Function{
		Name: "JSON_ARRAY", Category: categoryJSON, form: jsonArrayForm,
		Doc:     "A JSON array of values; a NULL is left out, or becomes null with NULL ON NULL. Values made by JSON_OBJECT, JSON_ARRAY or JSON are put in as they are.",
		Example: "JSON_ARRAY(1, NULL, 'x')", ExampleResult: `[1,"x"]`,
		Overloads: []Overload{arrayWithNulls, array},
	})
	Register(Function{
		Name: "JSON", Category: categoryJSON,
		Doc:     "The string, which must be JSON, as JSON_OBJECT and JSON_ARRAY put it in without quotes; NULL if it is empty.",
		Example: "JSON_ARRAY(JSON('{\"a\": 1}'))", ExampleResult: `[{"a":1}]`,
		Overloads: []Overload{{
			Params: []Param{jsonParam}, Returns: returns(String), Nulls: PropagateOrNull, Fails: Sometimes, Unfolded: true, Slow: true, Compile: only(rawJSON),
		}},
	})
	Register(Function{
		Name: "JSON_STRING", Category: categoryJSON,
		Doc: "The value as JSON.", Example: "JSON_STRING(ARRAY[1, 2])", ExampleResult: "[1,2]",
		Overloads: []Overload{{Params: []Param{anyParam}, Returns: returns(String), Slow: true, Compile: jsonStringKernel}},
	})
}

// jsonWord is the word ON NULL says, empty if it says nothing, and the arguments behind it.
func jsonWord(args []Expr) (word string, rest []Expr) {
	if len(args) > 0 {
		if l, ok := args[0].(*Literal); ok && l.Symbol {
			return wordOf(l), args[1:]
		}
	}
	return "", args
}

// withTail writes NAME(parts word).
func withTail(name string, parts []string, word string) string {
	text := name + "(" + strings.Join(parts, ", ")
	if word != "" {
		text += " " + word
	}
	return text + ")"
}

func jsonObjectForm(args []Expr) (string, level) {
	word, rest := jsonWord(args)
	var parts []string
	for i := 0; i+1 < len(rest); i += 2 {
		parts = append(parts, operand(rest[i], levelOr)+" VALUE "+operand(rest[i+1], levelOr))
	}
	return withTail("JSON_OBJECT", parts, word), levelPrimary
}

func jsonArrayForm(args []Expr) (string, level) {
	word, rest := jsonWord(args)
	return withTail("JSON_ARRAY", operands(rest, levelOr), word), levelPrimary
}

// evenKeys is a Check that keys, in turn from the argument start on, have values and are STRINGs.
func evenKeys(start int) func([]Expr) *ArgumentError {
	return func(args []Expr) *ArgumentError {
		if (len(args)-start)%2 != 0 {
			return &ArgumentError{Arg: len(args) - 1, Msg: "this key of JSON_OBJECT has no value"}
		}
		for i := start; i < len(args); i += 2 {
			if args[i].Type().ID() != arrow.STRING {
				return &ArgumentError{Arg: i, Msg: notKey(args[i])}
			}
		}
		return nil
	}
}

// keyMismatch words what is wrong with the first key, whose type decides the overload.
func keyMismatch(args []Expr) string {
	_, rest := jsonWord(args)
	return notKey(rest[0])
}

func notKey(e Expr) string { return "a key of JSON_OBJECT must be a STRING, got " + describe(e) }

// jsonStyle writes values as JSON_OBJECT and the like do: as JSON documents hold them, with DECIMALs as numbers.
func jsonStyle(s Settings) *text.Style {
	style := *text.JSON(s.zone())
	style.QuoteDecimals = false
	return &style
}

// jsonValues writes the values of a row.
type jsonValues struct {
	arrays []arrow.Array
	args   []*Vector
	raw    []bool // which of them are JSON
	style  *text.Style
}

func newJSONValues(args []Expr, s Settings) jsonValues {
	v := jsonValues{raw: make([]bool, len(args)), style: jsonStyle(s)}
	for i, a := range args {
		v.raw[i] = IsJSON(a)
	}
	return v
}

// IsJSON reports whether the value of e is JSON, to be part of other JSON as it is and not as a string.
func IsJSON(e Expr) bool {
	c, ok := e.(*Call)
	return ok && (c.Fn.Name == "JSON_OBJECT" || c.Fn.Name == "JSON_ARRAY" || c.Fn.Name == "JSON")
}

func (v *jsonValues) start(f *Frame, args []*Vector) {
	v.args, v.arrays = args, v.arrays[:0]
	for _, a := range args {
		v.arrays = append(v.arrays, f.arrayOf(a))
	}
}

func (v *jsonValues) isNull(i int, row uint32) bool { return !v.args[i].isValid(row) }

func (v *jsonValues) append(dst []byte, i int, row uint32) []byte {
	if v.raw[i] && !v.isNull(i, row) {
		return append(dst, v.args[i].bytes(row)...)
	}
	return v.style.Append(dst, v.arrays[i], v.args[i].at(int(row)))
}

func jsonObjectKernel(s *Site) Kernel {
	word, args := jsonWord(s.Args)
	skip := len(s.Args) - len(args)
	values := newJSONValues(args, s.Settings)
	return func(f *Frame, args []*Vector, out *Vector) error {
		args = args[skip:]
		values.start(f, args)
		defer releaseAll(values.arrays)
		for _, row := range f.Rows() {
			start := len(out.data)
			out.data = append(out.data, '{')
			nullKey := false
			for i := 0; i < len(args); i += 2 {
				nullKey = nullKey || values.isNull(i, row)
				if values.isNull(i+1, row) && word == "ABSENT ON NULL" {
					continue
				}
				if len(out.data) > start+1 {
					out.data = append(out.data, ',')
				}
				out.data = append(text.AppendJSONString(out.data, args[i].bytes(row)), ':')
				out.data = values.append(out.data, i+1, row)
			}
			if nullKey {
				out.data = out.data[:start]
				if err := f.Fail(row, "a key of JSON_OBJECT is NULL"); err != nil {
					return err
				}
				continue
			}
			out.data = append(out.data, '}')
			out.end(row)
		}
		return nil
	}
}

func jsonArrayKernel(s *Site) Kernel {
	word, args := jsonWord(s.Args)
	skip := len(s.Args) - len(args)
	values := newJSONValues(args, s.Settings)
	return func(f *Frame, args []*Vector, out *Vector) error {
		args = args[skip:]
		values.start(f, args)
		defer releaseAll(values.arrays)
		for _, row := range f.Rows() {
			start := len(out.data)
			out.data = append(out.data, '[')
			for i := range args {
				if values.isNull(i, row) && word != "NULL ON NULL" {
					continue
				}
				if len(out.data) > start+1 {
					out.data = append(out.data, ',')
				}
				out.data = values.append(out.data, i, row)
			}
			out.data = append(out.data, ']')
			out.end(row)
		}
		return nil
	}
}

func jsonStringKernel(s *Site) Kernel {
	style := jsonStyle(s.Settings)
	var column text.Column
	return func(f *Frame, args []*Vector, out *Vector) error {
		arr := args[0].store(f.mem, args[0].t, f.n)
		defer arr.Release()
		rows := f.Rows()
		column.Render(arr, rows, style)
		for i, row := range rows {
			out.data = append(out.data, column.Row(i)...)
			out.end(row)
		}
		return nil
	}
}
