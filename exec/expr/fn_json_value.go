package expr

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/tidwall/gjson"
)

const categoryJSON = "json"

// Parameters of JSON functions.
var (
	jsonParam     = named(stringParam, "json")
	jsonPathParam = named(stringParam, "path")
	// returningParam carries the type behind RETURNING as a NULL of that type.
	returningParam = Param{Name: "returning", What: "a type", Accepts: isScalar, Null: String, Only: isNull}
	defaultParam   = Param{Name: "default", What: "a value", Accepts: isScalar, Null: Unknown, Cast: true}
)

// wordParam is one of some words of the grammar.
func wordParam(words ...string) Param {
	p := symbolParam
	p.What = list(words, "or")
	p.Only = func(e Expr) bool { return slices.Contains(words, wordOf(e)) }
	return p
}

func init() {
	behavior := wordParam("NULL", "ERROR", "DEFAULT")
	Register(Function{
		Name: "JSON_VALUE", Category: categoryJSON, form: jsonValueForm,
		Doc:     "The string, number or BOOLEAN at a path of a JSON document, as a STRING or, with RETURNING, of another type; NULL, or what ON EMPTY says, if there is nothing, NULL or what ON ERROR says if something is wrong.",
		Example: "JSON_VALUE('{\"a\": {\"b\": 7}}', '$.a.b')", ExampleResult: "7",
		Overloads: []Overload{
			{Params: []Param{jsonParam, jsonPathParam}, Check: validJSONPath, Returns: returns(String), Nulls: HandledOrNull, Slow: true, Expand: jsonValue},
			{
				Params: []Param{jsonParam, jsonPathParam, returningParam, behavior, defaultParam, behavior, defaultParam}, Check: validJSONPath,
				Returns: returnsArg(2), Nulls: HandledOrNull, Fails: Sometimes, Slow: true, Expand: jsonValue,
				Convert: func(args []arrow.DataType) []arrow.DataType {
					types := slices.Clone(args)
					types[4], types[6] = args[2], args[2]
					return types
				},
			},
		},
	})
	// The text of the scalar at a path; the words say what nothing and what an error give.
	Register(Function{Name: "JSON TEXT", form: callForm("JSON_VALUE"), Overloads: []Overload{{
		Params: []Param{jsonParam, jsonPathParam, wordParam("NULL", "ERROR"), wordParam("NULL", "ERROR")}, Returns: returns(String),
		Nulls: PropagateOrNull, Fails: Sometimes, Slow: true, Compile: jsonTextKernel,
	}}})
	// 0 if there is a scalar at a path, 1 if there is nothing, 2 for an error.
	Register(Function{Name: "JSON STATUS", form: callForm("JSON_VALUE"), Overloads: []Overload{{
		Params: []Param{jsonParam, jsonPathParam}, Returns: returns(Int), Slow: true, Compile: jsonStatusKernel,
	}}})
}

func jsonValueForm(args []Expr) (string, level) {
	if len(args) != 7 {
		return callForm("JSON_VALUE")(args)
	}
	text := "JSON_VALUE(" + args[0].String() + ", " + args[1].String()
	if args[2].Type().ID() != arrow.STRING {
		text += " RETURNING " + TypeName(args[2].Type())
	}
	return text + jsonBehaviorText(args[3], args[4], "EMPTY") + jsonBehaviorText(args[5], args[6], "ERROR") + ")", levelPrimary
}

// jsonBehaviorText is … ON EMPTY or … ON ERROR, empty for what goes without saying.
func jsonBehaviorText(kind, value Expr, on string) string {
	switch word := wordOf(kind); word {
	case "NULL":
		return ""
	case "DEFAULT":
		return " DEFAULT " + value.String() + " ON " + on
	default:
		return " " + word + " ON " + on
	}
}

// jsonValue is a CASE over the status and the text at the path, as far as the options need it.
func jsonValue(args []Expr, s Settings) (Expr, error) {
	o := JSONOptions{Returning: String, OnEmpty: JSONBehavior{Kind: "NULL"}, OnError: JSONBehavior{Kind: "NULL"}}
	if len(args) == 7 {
		o = JSONOptions{Returning: args[2].Type(), OnEmpty: JSONBehavior{wordOf(args[3]), args[4]}, OnError: JSONBehavior{wordOf(args[5]), args[6]}}
	}
	text, err := NewCall("JSON TEXT", []Expr{args[0], args[1], o.OnEmpty.errorOrNull(), o.OnError.errorOrNull()}, s)
	if err != nil {
		return nil, err
	}
	value, err := NewCast(text, o.Returning, o.OnError.Kind != "ERROR", s)
	if err != nil {
		return nil, err
	}
	whens, err := o.defaults(args, text, value, s)
	if err != nil || len(whens) == 0 {
		return value, err
	}
	return NewCase(nil, whens, value, s)
}

func (b JSONBehavior) errorOrNull() Expr {
	if b.Kind == "ERROR" {
		return NewSymbol("ERROR")
	}
	return NewSymbol("NULL")
}

// defaults are the branches of the DEFAULTs: by the status, and where the text does not convert.
func (o JSONOptions) defaults(args []Expr, text, value Expr, s Settings) (whens []When, err error) {
	add := func(is Expr, err error, then Expr) error {
		whens = append(whens, When{is, then})
		return err
	}
	status, err := NewCall("JSON STATUS", args[:2], s)
	if err != nil {
		return nil, err
	}
	if o.OnEmpty.Kind == "DEFAULT" {
		is, err := NewCall("=", []Expr{status, NewInt(int32(jsonEmpty))}, s)
		if err := add(is, err, o.OnEmpty.Default); err != nil {
			return nil, err
		}
	}
	if o.OnError.Kind == "DEFAULT" {
		is, err := NewCall("=", []Expr{status, NewInt(int32(jsonError))}, s)
		if err := add(is, err, o.OnError.Default); err != nil {
			return nil, err
		}
		is, err = lostBy(text, value, s)
		if err := add(is, err, o.OnError.Default); err != nil {
			return nil, err
		}
	}
	return whens, nil
}

// lostBy is whether a value is NULL that was made of one that is not.
func lostBy(before, after Expr, s Settings) (Expr, error) {
	there, err := NewCall("IS NOT NULL", []Expr{before}, s)
	if err != nil {
		return nil, err
	}
	gone, err := NewCall("IS NULL", []Expr{after}, s)
	if err != nil {
		return nil, err
	}
	return And(there, gone)
}

// findScalar is find for a path to a scalar other than null; what says what is wrong.
func (p *jsonPath) findScalar(doc string) (v gjson.Result, status jsonStatus, what string) {
	m, status := p.find(doc)
	switch {
	case status == jsonError && p.strict && isJSONText(doc):
		return v, jsonError, "nothing is at the strict path"
	case status == jsonError:
		return v, jsonError, errNoJSON.Error()
	case status == jsonEmpty || m.isNull():
		return v, jsonEmpty, "nothing is at the path"
	case m.isScalar():
		return m.value, jsonFound, ""
	case p.strict:
		return v, jsonError, "what is at the strict path is no scalar"
	}
	return v, jsonEmpty, "nothing but an array or object is at the path"
}

func jsonTextKernel(s *Site) Kernel {
	fails := map[jsonStatus]bool{jsonEmpty: s.Word(2) == "ERROR", jsonError: s.Word(3) == "ERROR"}
	var paths jsonPathCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			var v gjson.Result
			status, what := jsonError, ""
			if path, err := paths.find(args[1].bytes(row)); err != nil {
				what = err.Error()
			} else {
				v, status, what = path.findScalar(args[0].str(row))
			}
			switch {
			case status == jsonFound:
				out.data = appendScalar(out.data, v)
				out.end(row)
			case !fails[status]:
				f.SetNull(row)
			default:
				if err := f.Fail(row, what); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// appendScalar appends the characters of a string, or the text of a number or BOOLEAN.
func appendScalar(dst []byte, v gjson.Result) []byte {
	if v.Type == gjson.String {
		return append(dst, v.Str...)
	}
	return append(dst, v.Raw...)
}

func jsonStatusKernel(*Site) Kernel {
	var paths jsonPathCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[int32](out)
		for _, row := range f.Rows() {
			status := jsonError
			if path, err := paths.find(args[1].bytes(row)); err == nil {
				_, status, _ = path.findScalar(args[0].str(row))
			}
			o[row] = int32(status)
		}
		return nil
	}
}
