package expr

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

func init() {
	Register(Function{
		Name: "TRIM", Category: categoryString, form: trimForm,
		Doc:     "The string without blanks, or the characters of another string, at its start (LEADING), its end (TRAILING) or both.",
		Example: "TRIM(BOTH 'x' FROM 'xxaxx')", ExampleResult: "a",
		Overloads: []Overload{
			trimOverload(trimBoth, stringParam),
			trimOverload(trimBoth, stringParam, named(stringParam, "characters")),
			trimWhere(stringParam),
			trimWhere(named(stringParam, "characters"), stringParam),
		},
	})
	registerTrim("LTRIM", trimLeft, "The string without blanks, or the characters of another string, at its start.", "LTRIM('  a ')", "a ")
	registerTrim("RTRIM", trimRight, "The string without blanks, or the characters of another string, at its end.", "RTRIM('a00', '0')", "a")
	registerTrim("BTRIM", trimBoth, "The string without blanks, or the characters of another string, at its start and end.", "BTRIM('  a ')", "a")
}

// trimSides says where characters are taken off.
type trimSides int

const (
	trimLeft trimSides = 1 << iota
	trimRight
	trimBoth = trimLeft | trimRight
)

var trimWords = map[string]trimSides{"LEADING": trimLeft, "TRAILING": trimRight, "BOTH": trimBoth}

func registerTrim(name string, sides trimSides, doc, example, result string) {
	Register(Function{
		Name: name, Category: categoryString, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{trimOverload(sides, stringParam), trimOverload(sides, stringParam, named(stringParam, "characters"))},
	})
}

// trimOverload is TRIM(string [, characters]).
func trimOverload(sides trimSides, params ...Param) Overload {
	return Overload{Params: params, Returns: returns(String), Slow: true, Compile: func(*Site) Kernel {
		return func(f *Frame, args []*Vector, out *Vector) error { return trimRows(f, sides, args, out) }
	}}
}

// trimWhere is TRIM(BOTH [characters] FROM string).
func trimWhere(params ...Param) Overload {
	word := symbolParam
	word.What = "BOTH, LEADING or TRAILING"
	word.Only = func(e Expr) bool { _, ok := trimWords[wordOf(e)]; return ok }
	return Overload{Params: append([]Param{word}, params...), Returns: returns(String), Slow: true, Compile: func(s *Site) Kernel {
		sides := trimWords[s.Word(0)]
		return func(f *Frame, args []*Vector, out *Vector) error {
			strings := []*Vector{args[len(args)-1], args[1]}
			return trimRows(f, sides, strings[:len(args)-1], out)
		}
	}}
}

// wordOf is the text of a literal or "".
func wordOf(e Expr) string {
	word, _ := literalText(e)
	return word
}

func trimForm(args []Expr) (string, level) {
	texts := operands(args, levelOr)
	if trimWords[wordOf(args[0])] == 0 || !args[0].(*Literal).Symbol {
		return callForm("TRIM")(args)
	}
	last := len(texts) - 1
	return "TRIM(" + strings.Join(texts[:last], " ") + " FROM " + texts[last] + ")", levelPrimary
}

// trimRows trims args[0] of blanks or of the characters of args[1].
func trimRows(f *Frame, sides trimSides, args []*Vector, out *Vector) error {
	set := []byte(" ")
	for _, row := range f.Rows() {
		if len(args) == 2 {
			set = args[1].bytes(row)
		}
		out.data = append(out.data, trim(args[0].bytes(row), set, sides)...)
		out.end(row)
	}
	return nil
}

func trim(s, set []byte, sides trimSides) []byte {
	for sides&trimLeft != 0 && len(s) > 0 {
		n := charLen(s)
		if !bytes.Contains(set, s[:n]) {
			break
		}
		s = s[n:]
	}
	for sides&trimRight != 0 && len(s) > 0 {
		_, n := utf8.DecodeLastRune(s)
		if !bytes.Contains(set, s[len(s)-n:]) {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}
