package expr

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/tidwall/gjson"
)

const withoutWrapper = "WITHOUT ARRAY WRAPPER"

func init() {
	wrapper := wordParam(withoutWrapper, "WITH CONDITIONAL ARRAY WRAPPER", "WITH UNCONDITIONAL ARRAY WRAPPER")
	behavior := wordParam("NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT")
	listBehavior := wordParam("NULL", "ERROR", "EMPTY ARRAY")
	arrays := Param{Name: "returning", What: "an ARRAY type", Null: Unknown, Only: isNull, Accepts: func(t arrow.DataType) bool {
		return isList(t) && canCast(String, elementType(t))
	}}
	text := returningParam
	text.Accepts, text.What = is(String), "STRING or an ARRAY type"
	Register(Function{
		Name: "JSON_QUERY", Category: categoryJSON, form: jsonQueryForm,
		Doc:     "The array or object at a path of a JSON document as JSON or, with RETURNING, as an ARRAY; with a WRAPPER any value, in an array. NULL, or what ON EMPTY says, if there is nothing, NULL or what ON ERROR says if something is wrong.",
		Example: "JSON_QUERY('{\"a\": {\"b\": [1, 2]}}', '$.a')", ExampleResult: `{"b":[1,2]}`,
		Overloads: []Overload{
			{Params: []Param{jsonParam, jsonPathParam}, Check: validJSONPath, Returns: returns(String), Nulls: PropagateOrNull, Slow: true, Compile: jsonQueryKernel},
			{
				Params: []Param{jsonParam, jsonPathParam, text, wrapper, behavior, behavior}, Check: validJSONPath, Returns: returns(String),
				Nulls: HandledOrNull, Fails: Sometimes, Slow: true, Compile: jsonQueryKernel,
			},
			{
				Params: []Param{jsonParam, jsonPathParam, arrays, wrapper, listBehavior, listBehavior}, Check: validJSONPath, Returns: returnsArg(2),
				Nulls: HandledOrNull, Fails: Sometimes, Slow: true, Expand: jsonQueryArray,
			},
		},
	})
	// As JSON_QUERY, with the elements of the array as an ARRAY of texts.
	Register(Function{Name: "JSON TEXTS", form: callForm("JSON_QUERY"), Overloads: []Overload{{
		Params: []Param{jsonParam, jsonPathParam, anyParam, wrapper, listBehavior, listBehavior}, Returns: returns(arrow.ListOf(String)),
		Nulls: HandledOrNull, Fails: Sometimes, Slow: true, Compile: jsonTextsKernel,
	}}})
}

func jsonQueryForm(args []Expr) (string, level) {
	if len(args) != 6 {
		return callForm("JSON_QUERY")(args)
	}
	text := "JSON_QUERY(" + args[0].String() + ", " + args[1].String()
	if isList(args[2].Type()) {
		text += " RETURNING " + TypeName(args[2].Type())
	}
	if wrapper := wordOf(args[3]); wrapper != withoutWrapper {
		text += " " + wrapper
	}
	return text + jsonBehaviorText(args[4], nil, "EMPTY") + jsonBehaviorText(args[5], nil, "ERROR") + ")", levelPrimary
}

// jsonQueryArray converts an ARRAY of texts.
func jsonQueryArray(args []Expr, s Settings) (Expr, error) {
	texts, err := NewCall("JSON TEXTS", args, s)
	if err != nil {
		return nil, err
	}
	onError := wordOf(args[5])
	value, err := NewCast(texts, args[2].Type(), onError != "ERROR", s)
	if err != nil || onError != "EMPTY ARRAY" {
		return value, err
	}
	lost, err := lostBy(texts, value, s)
	if err != nil {
		return nil, err
	}
	empty, err := NewCall("ARRAY", nil, s)
	if err != nil {
		return nil, err
	}
	if empty, err = NewCast(empty, args[2].Type(), false, s); err != nil {
		return nil, err
	}
	return NewCase(nil, []When{{lost, empty}}, value, s)
}

// jsonQuery is how JSON_QUERY deals with what it finds.
type jsonQuery struct {
	paths            jsonPathCache
	wrapped, always  bool
	onEmpty, onError string
	buffer           []byte
}

func newJSONQuery(s *Site) *jsonQuery {
	q := &jsonQuery{onEmpty: "NULL", onError: "NULL"}
	if len(s.Args) == 6 {
		wrapper := s.Word(3)
		q.wrapped, q.always = wrapper != withoutWrapper, strings.Contains(wrapper, "UNCONDITIONAL")
		q.onEmpty, q.onError = s.Word(4), s.Word(5)
	}
	return q
}

// run returns the JSON for a row, or the word of the behavior to follow and what is wrong; it is valid until the next call.
func (q *jsonQuery) run(doc string, pathText []byte) (found []byte, behavior, what string) {
	path, err := q.paths.find(pathText)
	if err != nil {
		return nil, q.onError, err.Error()
	}
	m, status := path.find(doc)
	scalar := m.isScalar() && !q.wrapped
	switch {
	case status == jsonError && !isJSONText(doc):
		return nil, q.onError, errNoJSON.Error()
	case status == jsonError:
		return nil, q.onError, "nothing is at the strict path"
	case status == jsonEmpty || m.isNull():
		return nil, q.onEmpty, "nothing is at the path"
	case scalar && path.strict:
		return nil, q.onError, "what is at the strict path is no array or object"
	case scalar:
		return nil, q.onEmpty, "nothing but a scalar is at the path"
	}
	q.buffer = m.appendWrapped(q.buffer[:0], q.wrapped && (q.always || m.list == nil && !m.value.IsArray()))
	return q.buffer, "", ""
}

func (m *jsonMatch) appendWrapped(dst []byte, wrap bool) []byte {
	if !wrap {
		return m.appendTo(dst)
	}
	return append(m.appendTo(append(dst, '[')), ']')
}

// jsonQueryRows calls take with the JSON for each row that has some.
func jsonQueryRows(f *Frame, q *jsonQuery, args []*Vector, take func(row uint32, found []byte)) error {
	for _, row := range f.Rows() {
		if !args[0].isValid(row) || !args[1].isValid(row) {
			f.SetNull(row)
			continue
		}
		found, behavior, what := q.run(args[0].str(row), args[1].bytes(row))
		switch behavior {
		case "":
			take(row, found)
		case "EMPTY ARRAY":
			take(row, []byte("[]"))
		case "EMPTY OBJECT":
			take(row, []byte("{}"))
		case "ERROR":
			if err := f.Fail(row, what); err != nil {
				return err
			}
		default:
			f.SetNull(row)
		}
	}
	return nil
}

func jsonQueryKernel(s *Site) Kernel {
	q := newJSONQuery(s)
	return func(f *Frame, args []*Vector, out *Vector) error {
		return jsonQueryRows(f, q, args, func(row uint32, found []byte) {
			out.data = append(out.data, found...)
			out.end(row)
		})
	}
}

func jsonTextsKernel(s *Site) Kernel {
	q := newJSONQuery(s)
	var w textsWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		w.start()
		var failed error
		err := jsonQueryRows(f, q, args, func(row uint32, found []byte) {
			array := gjson.ParseBytes(found)
			if !array.IsArray() {
				failed = q.failArray(f, row)
				return
			}
			array.ForEach(func(_, element gjson.Result) bool {
				w.addJSON(element)
				return true
			})
			w.end(row)
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return err
		}
		return w.store(f, out)
	}
}

// failArray deals with a value that is no array.
func (q *jsonQuery) failArray(f *Frame, row uint32) error {
	if q.onError == "ERROR" {
		return f.Fail(row, "what is at the path is no array")
	}
	f.SetNull(row)
	return nil
}

// addJSON adds the text of a scalar, the JSON of anything else, and NULL for null.
func (w *textsWriter) addJSON(v gjson.Result) {
	switch v.Type {
	case gjson.Null:
		w.addNull()
	case gjson.JSON:
		w.data = appendCompact(w.data, v.Raw)
		w.add(nil)
	default:
		w.data = appendScalar(w.data, v)
		w.add(nil)
	}
}
