package expr

import (
	"fmt"
	"strings"
)

// NewCastAs is CAST(x AS name(args)), or TRY_CAST with try, to a type TypeOf knows. It is NewCast to that type, and text and bytes
// longer than the length in brackets are cut; CHAR and BINARY, whose length is 1 if there is none, fill up shorter ones with blanks
// or zeros. Errors are those of TypeOf and NewCast.
func NewCastAs(x Expr, name string, args []int, try bool, s Settings) (Expr, error) {
	t, err := TypeOf(name, args)
	if err != nil {
		return nil, err
	}
	x, err = NewCast(x, t, try, s)
	if err != nil || !strings.HasSuffix(name, "CHAR") && !strings.HasSuffix(name, "BINARY") {
		return x, err
	}
	fills := name == "CHAR" || name == "BINARY"
	switch {
	case len(args) == 0 && fills:
		args = []int{1}
	case len(args) == 0:
		return x, nil
	case fills && args[0] > mostText:
		return nil, fmt.Errorf("the length of a %s is at most %d, got %d", name, mostText, args[0])
	}
	return NewCall("CAST "+name, []Expr{x, NewBigInt(int64(args[0]))}, s)
}

// The ends of casts to types with a length; they are made by NewCastAs only.
func init() {
	registerSized("VARCHAR", stringParam, appendLeft)
	registerSized("CHAR", stringParam, func(dst, s []byte, n int64) []byte {
		return appendFill(appendLeft(dst, s, n), n-int64(characters(s)), ' ')
	})
	registerSized("VARBINARY", bytesParam, appendLeftBytes)
	registerSized("BINARY", bytesParam, func(dst, s []byte, n int64) []byte {
		return appendFill(appendLeftBytes(dst, s, n), n-int64(len(s)), 0)
	})
}

func registerSized(name string, p Param, appendTo func(dst, s []byte, n int64) []byte) {
	Register(Function{Name: "CAST " + name, form: sizedForm(name), Overloads: []Overload{{
		Params: []Param{p, intParam}, Returns: returnsArg(0), Slow: true, Compile: only(textOfCount(appendTo)),
	}}})
}

// sizedForm is CAST(x AS name(n)).
func sizedForm(name string) form {
	return func(args []Expr) (string, level) {
		word, x := "CAST(", args[0]
		if c, ok := x.(*Cast); ok {
			x = c.X
			if c.Try {
				word = "TRY_CAST("
			}
		}
		return word + x.String() + " AS " + name + "(" + args[1].String() + "))", levelPrimary
	}
}

func appendLeftBytes(dst, s []byte, n int64) []byte {
	return append(dst, s[:max(0, min(n, int64(len(s))))]...)
}

// appendFill appends n times c.
func appendFill(dst []byte, n int64, c byte) []byte {
	for ; n > 0; n-- {
		dst = append(dst, c)
	}
	return dst
}
