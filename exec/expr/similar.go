package expr

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"
)

// similarCache keeps the last pattern of SIMILAR TO, so that one that stays the same is compiled once.
type similarCache struct {
	known           bool
	pattern, escape string
	compiled        *regexp.Regexp
	err             error
}

func (c *similarCache) find(pattern, escape []byte) (*regexp.Regexp, error) {
	if !c.known || string(pattern) != c.pattern || string(escape) != c.escape {
		c.known, c.pattern, c.escape = true, string(pattern), string(escape)
		c.compiled, c.err = compileSimilar(c.pattern, c.escape)
	}
	return c.compiled, c.err
}

// compileSimilar makes a regular expression of a pattern of SIMILAR TO, in which % stands for any characters, _ for one, and |, *,
// +, ?, {}, () and [] mean what they mean in regular expressions; all other characters stand for themselves.
func compileSimilar(pattern, escape string) (*regexp.Regexp, error) {
	escapes, size := utf8.DecodeRuneInString(escape)
	if size != len(escape) {
		return nil, errors.New("ESCAPE takes a single character, got " + quote(escape))
	}
	var re strings.Builder
	re.WriteString("^(?s:")
	inSet, escaped := false, false
	for _, r := range pattern {
		switch {
		case escaped:
			re.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case size > 0 && r == escapes:
			escaped = true
		case inSet && r != ']', strings.ContainsRune("|*+?{}()[]", r):
			inSet = r == '[' || inSet && r != ']'
			re.WriteString(inSetText(r, inSet))
		case r == '%':
			re.WriteString(".*")
		case r == '_':
			re.WriteString(".")
		default:
			re.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	if escaped {
		return nil, errors.New("the pattern " + quote(pattern) + " ends with the ESCAPE character")
	}
	compiled, err := regexp.Compile(re.String() + ")$")
	if err != nil {
		return nil, errors.New(quote(pattern) + " is not a pattern of SIMILAR TO: " + regexProblem(err))
	}
	return compiled, nil
}

// inSetText is a character as it is written; within brackets \ has no meaning of its own.
func inSetText(r rune, inSet bool) string {
	if inSet && r == '\\' {
		return `\\`
	}
	return string(r)
}
