package expr

import (
	"unicode"
	"unicode/utf8"
)

func init() {
	Register(Function{
		Name: "TYPEOF", Category: categoryConversion,
		Doc:     "The name of the type of the value, with NOT NULL if it cannot be NULL; a second argument, which may ask for a form to be stored, makes no difference.",
		Example: "TYPEOF(1.50)", ExampleResult: "DECIMAL(3, 2) NOT NULL",
		Overloads: []Overload{{
			Params: []Param{anyParam, named(boolParam, "serializable")}, Optional: 1, Returns: returns(String), Nulls: NeverNull,
			Expand: func(args []Expr, _ Settings) (Expr, error) {
				name := TypeName(args[0].Type())
				if !args[0].Nullable() {
					name += " NOT NULL"
				}
				return NewString(name), nil
			},
		}},
	})
	registerTextTest("IS_ALPHA", func(s []byte) bool { return all(s, unicode.IsLetter) }, "Whether the string has letters only, at least one.", "IS_ALPHA('abc')")
	registerTextTest("IS_DIGIT", func(s []byte) bool { return all(s, unicode.IsDigit) }, "Whether the string has digits only, at least one.", "IS_DIGIT('2024')")
	registerTextTest("IS_DECIMAL", isNumeric, "Whether the string spells a number.", "IS_DECIMAL('-1.5e3')")
}

func registerTextTest(name string, test func([]byte) bool, doc, example string) {
	kernel := func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		for _, row := range f.Rows() {
			out.bits[row>>6] |= bitOf(test(args[0].bytes(row))) << (row & 63)
		}
		return nil
	}
	Register(Function{
		Name: name, Category: categoryConditional, Doc: doc, Example: example, ExampleResult: "TRUE",
		Overloads: []Overload{{Params: []Param{stringParam}, Returns: returns(Boolean), Slow: true, Compile: only(kernel)}},
	})
}

// all reports whether s has characters of a kind only, at least one.
func all(s []byte, is func(rune) bool) bool {
	for rest := s; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if !is(r) {
			return false
		}
		rest = rest[n:]
	}
	return len(s) > 0
}

// isNumeric reports whether s is digits with a sign, a point and an exponent or without.
func isNumeric(s []byte) bool {
	s = afterSign(s)
	whole := digits(s)
	s = s[whole:]
	fraction := 0
	if len(s) > 0 && s[0] == '.' {
		fraction = digits(s[1:])
		s = s[1+fraction:]
	}
	if whole+fraction == 0 {
		return false
	}
	if len(s) > 0 && s[0]|0x20 == 'e' {
		s = afterSign(s[1:])
		n := digits(s)
		return n > 0 && n == len(s)
	}
	return len(s) == 0
}

func afterSign(s []byte) []byte {
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

// digits counts the digits s begins with.
func digits(s []byte) int {
	n := 0
	for n < len(s) && s[n]-'0' < 10 {
		n++
	}
	return n
}
