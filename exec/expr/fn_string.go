package expr

import (
	"bytes"
	"unicode/utf8"
)

const categoryString = "string"

func init() {
	Register(Function{
		Name: "UPPER", Aliases: []string{"UCASE"}, Category: categoryString,
		Doc: "The string in upper case.", Example: "UPPER('straße')", ExampleResult: "STRAßE",
		Overloads: []Overload{stringFunction(textOf(appendUpper))},
	})
	Register(Function{
		Name: "LOWER", Aliases: []string{"LCASE"}, Category: categoryString,
		Doc: "The string in lower case.", Example: "LOWER('ÄB')", ExampleResult: "äb",
		Overloads: []Overload{stringFunction(textOf(appendLower))},
	})
	Register(Function{
		Name: "REVERSE", Category: categoryString,
		Doc: "The characters of the string from last to first.", Example: "REVERSE('abc')", ExampleResult: "cba",
		Overloads: []Overload{stringFunction(textOf(appendReverse))},
	})
	Register(Function{
		Name: "CHAR_LENGTH", Aliases: []string{"CHARACTER_LENGTH", "LENGTH", "LEN"}, Category: categoryString,
		Doc: "The number of characters of the string.", Example: "CHAR_LENGTH('日本')", ExampleResult: "2",
		Overloads: []Overload{{Params: []Param{stringParam}, Returns: returns(Int), Slow: true, Compile: only(countOf(characters))}},
	})
	Register(Function{
		Name: "POSITION", Category: categoryString, form: positionForm,
		Doc: "The place of the first string in the second, counted from 1; 0 if it is not there.", Example: "POSITION('b' IN 'abc')", ExampleResult: "2",
		Overloads: []Overload{{Params: []Param{stringParam, stringParam}, Returns: returns(Int), Slow: true, Compile: only(countOf2(position))}},
	})
	Register(Function{
		Name: "STARTSWITH", Aliases: []string{"STARTS_WITH"}, Category: categoryString,
		Doc: "Whether the string, or the BYTES, starts with another.", Example: "STARTSWITH('abc', 'ab')", ExampleResult: "TRUE",
		Overloads: []Overload{stringTest(bytes.HasPrefix), bytesTest(bytes.HasPrefix)},
	})
	Register(Function{
		Name: "ENDSWITH", Aliases: []string{"ENDS_WITH"}, Category: categoryString,
		Doc: "Whether the string, or the BYTES, ends with another.", Example: "ENDSWITH('abc', 'ab')", ExampleResult: "FALSE",
		Overloads: []Overload{stringTest(bytes.HasSuffix), bytesTest(bytes.HasSuffix)},
	})
	Register(Function{
		Name: "REPLACE", Category: categoryString,
		Doc: "The string with each occurrence of the second string replaced by the third.", Example: "REPLACE('a-b-c', '-', '+')", ExampleResult: "a+b+c",
		Overloads: []Overload{{Params: []Param{stringParam, stringParam, stringParam}, Returns: returns(String), Slow: true, Compile: only(replaceKernel)}},
	})
	Register(Function{
		Name: "CONCAT", Category: categoryString,
		Doc: "The strings one after the other; NULL if any is NULL.", Example: "CONCAT('a', 'b', 1)", ExampleResult: "ab1",
		Overloads: []Overload{{Params: []Param{writtenParam}, Variadic: true, Returns: returns(String), Slow: true, Compile: only(concatKernel)}},
	})
	Register(Function{
		Name: "||", Category: categoryString, form: infix("||", levelAdd),
		Doc: "Two strings one after the other; NULL if either is NULL.", Example: "'stream' || 'sql'", ExampleResult: "streamsql",
		Overloads: []Overload{{Params: []Param{writtenParam, writtenParam}, Returns: returns(String), Slow: true, Compile: only(concatKernel)}},
	})
}

// stringFunction is a function from a string to a string.
func stringFunction(kernel Kernel) Overload {
	return Overload{Params: []Param{stringParam}, Returns: returns(String), Slow: true, Compile: only(kernel)}
}

// stringTest is a test of two strings.
func stringTest(test func(s, t []byte) bool) Overload {
	return Overload{Params: []Param{stringParam, stringParam}, Returns: returns(Boolean), Slow: true, Compile: only(testOf2(test))}
}

func bytesTest(test func(s, t []byte) bool) Overload {
	return Overload{Params: []Param{bytesParam, bytesParam}, Returns: returns(Boolean), Slow: true, Compile: only(testOf2(test))}
}

func positionForm(args []Expr) (string, level) {
	return "POSITION(" + operand(args[0], levelAdd) + " IN " + operand(args[1], levelAdd) + ")", levelPrimary
}

// position is where needle begins in s, in characters from 1, or 0.
func position(needle, s []byte) int {
	i := bytes.Index(s, needle)
	if i < 0 {
		return 0
	}
	return characters(s[:i]) + 1
}

func appendReverse(dst, s []byte) []byte {
	for len(s) > 0 {
		_, n := utf8.DecodeLastRune(s)
		dst = append(dst, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return dst
}

func replaceKernel(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		out.data = appendReplaced(out.data, args[0].bytes(row), args[1].bytes(row), args[2].bytes(row))
		out.end(row)
	}
	return nil
}

func appendReplaced(dst, s, from, to []byte) []byte {
	for len(from) > 0 {
		i := bytes.Index(s, from)
		if i < 0 {
			break
		}
		dst = append(append(dst, s[:i]...), to...)
		s = s[i+len(from):]
	}
	return append(dst, s...)
}

func concatKernel(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		for _, a := range args {
			out.data = append(out.data, a.bytes(row)...)
		}
		out.end(row)
	}
	return nil
}
