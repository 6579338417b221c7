package session

import (
	"regexp"
	"strings"

	"streamsql/parser"
)

// filter returns the test for names that SHOW … [NOT] LIKE asks for. % stands for any letters, _ for one; case does not matter.
func filter(show *parser.Show) func(string) bool {
	if show.Like == nil {
		return func(string) bool { return true }
	}
	var b strings.Builder
	b.WriteString("(?is)^")
	for _, r := range show.Like.Value {
		switch r {
		case '%':
			b.WriteString(".*")
		case '_':
			b.WriteByte('.')
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	pattern := regexp.MustCompile(b.String() + "$")
	return func(name string) bool { return pattern.MatchString(name) != show.Not }
}
