package expr

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/tidwall/gjson"
)

// jsonStatus is what became of looking for a path in a document.
type jsonStatus int

const (
	jsonFound jsonStatus = iota
	jsonEmpty            // there is nothing
	jsonError            // the document is not JSON, or the path is strict and there is nothing
)

// mostNested is how deep arrays and objects of a document may be nested.
const mostNested = 10_000

// isJSONText reports whether s is a JSON document.
func isJSONText(s string) bool { return !isTooNested(s) && gjson.Valid(s) }

// isTooNested reports whether brackets are nested deeper than mostNested.
func isTooNested(s string) bool {
	if len(s) <= mostNested {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			if depth++; depth > mostNested {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

// jsonMatch is what a path finds in a document: one value, or the values of a path that may select any number, as an array.
type jsonMatch struct {
	value gjson.Result
	list  []byte // the array of the values; nil for a path to one
	count int
}

// find looks for the path in a document.
func (p *jsonPath) find(doc string) (m jsonMatch, status jsonStatus) {
	if !isJSONText(doc) {
		return m, jsonError
	}
	root := gjson.Parse(doc)
	if p.query != nil {
		return p.selectFrom(root)
	}
	v, found := follow(root, p.steps)
	switch {
	case found:
		return jsonMatch{value: v, count: 1}, jsonFound
	case p.strict:
		return m, jsonError
	}
	return m, jsonEmpty
}

// selectFrom runs a query of RFC 9535. The values come in the order of the document, those of objects in the order of their names.
func (p *jsonPath) selectFrom(root gjson.Result) (m jsonMatch, status jsonStatus) {
	var doc any
	if err := json.Unmarshal([]byte(root.Raw), &doc); err != nil {
		return m, jsonError
	}
	nodes := p.query.SelectLocated(doc)
	nodes.Sort()
	m.list = []byte{'['}
	for _, node := range nodes {
		v, found := follow(root, stepsOf(node.Path))
		if !found {
			continue
		}
		if m.count++; m.count > 1 {
			m.list = append(m.list, ',')
		} else {
			m.value = v
		}
		m.list = appendCompact(m.list, v.Raw)
	}
	m.list = append(m.list, ']')
	return m, jsonFound
}

// isScalar reports whether the match is a single string, number, BOOLEAN or null.
func (m *jsonMatch) isScalar() bool { return m.list == nil && m.value.Type != gjson.JSON }

// isNull reports whether the match is the JSON null.
func (m *jsonMatch) isNull() bool { return m.list == nil && m.value.Type == gjson.Null }

// appendTo appends the match as JSON without blanks.
func (m *jsonMatch) appendTo(dst []byte) []byte {
	if m.list != nil {
		return append(dst, m.list...)
	}
	return appendCompact(dst, m.value.Raw)
}

// appendCompact appends JSON without the blanks between its parts.
func appendCompact(dst []byte, s string) []byte {
	inString := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case inString && c == '\\':
			dst = append(dst, c)
			i++
			c = s[i]
		case c == '"':
			inString = !inString
		case !inString && c <= ' ':
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// jsonPathCache keeps the last path, so that one that stays the same is taken apart once.
type jsonPathCache struct {
	parse func(string) (*jsonPath, error) // nil: parseJSONPath
	known bool
	text  string
	path  *jsonPath
	err   error
}

func (c *jsonPathCache) find(text []byte) (*jsonPath, error) {
	if !c.known || string(text) != c.text {
		c.known, c.text = true, string(text)
		parse := c.parse
		if parse == nil {
			parse = parseJSONPath
		}
		c.path, c.err = parse(c.text)
	}
	return c.path, c.err
}

// validJSONPath is a Check that the second argument, if it is a literal, is a path.
func validJSONPath(args []Expr) *ArgumentError {
	if len(args) < 2 {
		return nil
	}
	path, ok := literalText(args[1])
	if !ok {
		return nil
	}
	if _, err := parseJSONPath(path); err != nil {
		return &ArgumentError{Arg: 1, Msg: err.Error()}
	}
	return nil
}

// plainJSONPath is a Check of a path that has no mode.
func plainJSONPath(args []Expr) *ArgumentError {
	if len(args) > 1 {
		if path, ok := literalText(args[1]); ok && (strings.HasPrefix(path, "lax ") || strings.HasPrefix(path, "strict ")) {
			return &ArgumentError{Arg: 1, Msg: "a path without lax or strict is wanted here"}
		}
	}
	return validJSONPath(args)
}

var errNoJSON = errors.New("the string is not JSON")
