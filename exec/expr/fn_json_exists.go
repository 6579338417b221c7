package expr

import "github.com/tidwall/gjson"

func init() {
	Register(Function{
		Name: "JSON_EXISTS", Category: categoryJSON, form: jsonExistsForm,
		Doc:     "Whether something is at a path of a JSON document, null included; FALSE, or what ON ERROR says, if something is wrong.",
		Example: "JSON_EXISTS('{\"a\": [{\"b\": 1}]}', '$.a[0].b')", ExampleResult: "TRUE",
		Overloads: []Overload{
			{Params: []Param{jsonParam, jsonPathParam}, Check: validJSONPath, Returns: returns(Boolean), Slow: true, Compile: jsonExistsKernel},
			{
				Params: []Param{jsonParam, jsonPathParam, wordParam("TRUE", "FALSE", "UNKNOWN", "ERROR")}, Check: validJSONPath, Returns: returns(Boolean),
				Nulls: PropagateOrNull, Fails: Sometimes, Slow: true, Compile: jsonExistsKernel,
			},
		},
	})
	registerIsJSON("", "Whether a string is JSON; FALSE for NULL.", func(gjson.Result) bool { return true })
	registerIsJSON(" VALUE", "Whether a string is JSON; FALSE for NULL.", func(gjson.Result) bool { return true })
	registerIsJSON(" OBJECT", "Whether a string is a JSON object; FALSE for NULL.", gjson.Result.IsObject)
	registerIsJSON(" ARRAY", "Whether a string is a JSON array; FALSE for NULL.", gjson.Result.IsArray)
	registerIsJSON(" SCALAR", "Whether a string is a JSON string, number, true, false or null; FALSE for NULL.", func(v gjson.Result) bool { return v.Type != gjson.JSON })
}

func jsonExistsForm(args []Expr) (string, level) {
	if len(args) != 3 {
		return callForm("JSON_EXISTS")(args)
	}
	return "JSON_EXISTS(" + args[0].String() + ", " + args[1].String() + " " + wordOf(args[2]) + " ON ERROR)", levelPrimary
}

func jsonExistsKernel(s *Site) Kernel {
	onError := orElse(s.Word(2), "FALSE")
	var paths jsonPathCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		for _, row := range f.Rows() {
			exists, what := jsonExists(&paths, args[0].str(row), args[1].bytes(row))
			switch {
			case what == "":
			case onError == "ERROR":
				if err := f.Fail(row, what); err != nil {
					return err
				}
			case onError == "UNKNOWN":
				f.SetNull(row)
			default:
				exists = onError == "TRUE"
			}
			out.bits[row>>6] |= bitOf(exists) << (row & 63)
		}
		return nil
	}
}

// jsonExists tells whether the path finds something, or what is wrong.
func jsonExists(paths *jsonPathCache, doc string, pathText []byte) (exists bool, what string) {
	path, err := paths.find(pathText)
	if err != nil {
		return false, err.Error()
	}
	m, status := path.find(doc)
	switch {
	case status != jsonError:
		return m.count > 0, ""
	case isJSONText(doc):
		return false, "nothing is at the strict path"
	}
	return false, errNoJSON.Error()
}

// registerIsJSON adds IS JSON of a kind, and IS NOT JSON.
func registerIsJSON(kind, doc string, test func(gjson.Result) bool) {
	register := func(op string, holds bool, doc, result string) {
		Register(Function{
			Name: op, Category: categoryJSON, form: postfix(op, levelCompare), Doc: doc, Example: "'[1, {\"a\": true' " + op, ExampleResult: result,
			Overloads: []Overload{{Params: []Param{jsonParam}, Returns: returns(Boolean), Slow: true, Compile: only(isJSONKernel(holds, test))}},
		})
	}
	register("IS JSON"+kind, true, doc, "FALSE")
	register("IS NOT JSON"+kind, false, "The opposite of IS JSON"+kind+".", "TRUE")
}

func isJSONKernel(holds bool, test func(gjson.Result) bool) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		for _, row := range f.Rows() {
			is := isJSONText(args[0].str(row)) && test(gjson.Parse(args[0].str(row)))
			out.bits[row>>6] |= bitOf(is == holds) << (row & 63)
		}
		return nil
	}
}
