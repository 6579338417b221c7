package expr

import (
	"errors"
	"regexp"
	"regexp/syntax"
)

// regexCache keeps the last regular expression, so that one that stays the same is compiled once. Kernels have one each.
type regexCache struct {
	known    bool
	text     string
	compiled *regexp.Regexp // nil if the text is none
}

// find compiles the expression; it is nil if it is none.
func (c *regexCache) find(pattern []byte) *regexp.Regexp {
	if !c.known || string(pattern) != c.text {
		c.known, c.text = true, string(pattern)
		c.compiled, _ = regexp.Compile(c.text)
	}
	return c.compiled
}

// validRegex is a Check that an argument, if it is a literal, is a regular expression.
func validRegex(arg int) func([]Expr) *ArgumentError {
	return func(args []Expr) *ArgumentError {
		if arg >= len(args) {
			return nil
		}
		pattern, ok := literalText(args[arg])
		if !ok {
			return nil
		}
		if _, err := regexp.Compile(pattern); err != nil {
			return &ArgumentError{Arg: arg, Msg: quote(pattern) + " is not a regular expression of the RE2 syntax: " + regexProblem(err)}
		}
		return nil
	}
}

// regexProblem is what is wrong, and where.
func regexProblem(err error) string {
	var at *syntax.Error
	if errors.As(err, &at) {
		return at.Code.String() + " in " + quote(at.Expr)
	}
	return err.Error()
}
