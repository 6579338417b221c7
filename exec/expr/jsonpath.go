package expr

import (
	"errors"
	"strconv"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"
	"github.com/tidwall/gjson"
)

// jsonPath is a path into a JSON document: [lax | strict] $.name."name"['name'][0]…
type jsonPath struct {
	strict bool
	steps  []jsonStep
	// query selects any number of values; nil if the path names a single one by its steps.
	query *jsonpath.Path
}

// jsonStep goes from an object to the value of a name, or from an array to an element.
type jsonStep struct {
	name    string
	key     string // the name as a path of gjson
	index   int
	isIndex bool
	// either makes an index a name where there is an object.
	either bool
}

// parseJSONPath reads a path. What its steps cannot say (wildcards, slices, filters, descendants) follows RFC 9535.
func parseJSONPath(text string) (*jsonPath, error) {
	p := &jsonPath{}
	path := strings.TrimSpace(text)
	for _, mode := range []string{"lax", "strict"} {
		if rest, ok := cutFold(path, mode); ok && strings.TrimLeft(rest, " ") != rest {
			path, p.strict = strings.TrimSpace(rest), mode == "strict"
			break
		}
	}
	rest, ok := strings.CutPrefix(path, "$")
	if !ok {
		return nil, errors.New(quote(text) + " is not a path into JSON: it must begin with $")
	}
	var steps []jsonStep
	for definite := true; rest != "" && definite; {
		var s jsonStep
		if s, rest, definite = cutStep(rest); definite {
			steps = append(steps, s)
		}
	}
	if rest == "" {
		p.steps = steps
		return p, nil
	}
	query, err := jsonpath.Parse(strings.ReplaceAll(path, ".[", "["))
	if err != nil {
		return nil, errors.New(quote(text) + " is not a path into JSON: " + strings.TrimPrefix(err.Error(), "jsonpath: "))
	}
	p.query = query
	return p, nil
}

// cutFold is strings.CutPrefix in any case.
func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// cutStep reads a step at the start of s, .name, ."name" or one in brackets; ok is false if what stands there is no plain step.
func cutStep(s string) (step jsonStep, rest string, ok bool) {
	if inner, bracket := strings.CutPrefix(strings.TrimPrefix(s, "."), "["); bracket {
		return cutBracket(s, inner)
	}
	name, dot := strings.CutPrefix(s, ".")
	if dot && strings.HasPrefix(name, `"`) {
		quoted, rest, closed := strings.Cut(name[1:], `"`)
		return nameStep(quoted), rest, closed && !strings.Contains(quoted, `\`)
	}
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	if !dot || end == 0 || strings.ContainsAny(name[:end], "*?@()") {
		return step, s, false
	}
	return nameStep(name[:end]), name[end:], true
}

// cutBracket reads ['name'], ["name"] or [index]; inner is what follows the bracket.
func cutBracket(s, inner string) (step jsonStep, rest string, ok bool) {
	if inner != "" && (inner[0] == '\'' || inner[0] == '"') {
		end := strings.IndexByte(inner[1:], inner[0])
		if end < 0 || !strings.HasPrefix(inner[end+2:], "]") || strings.Contains(inner[:end+1], `\`) {
			return step, s, false
		}
		return nameStep(inner[1 : end+1]), inner[end+3:], true
	}
	digits, rest, found := strings.Cut(inner, "]")
	index, err := strconv.Atoi(digits)
	if !found || err != nil {
		return step, s, false
	}
	return jsonStep{index: index, isIndex: true}, rest, true
}

// pointerStep is a part of a JSON pointer: the name of a member, or digits for an element.
func pointerStep(name string) jsonStep {
	s := nameStep(name)
	index, err := strconv.ParseUint(name, 10, 31)
	s.index, s.isIndex, s.either = int(index), err == nil, true
	return s
}

func nameStep(name string) jsonStep { return jsonStep{name: name, key: gjson.Escape(name)} }

// follow goes along steps; found is false if there is nothing.
func follow(v gjson.Result, steps []jsonStep) (r gjson.Result, found bool) {
	for i := range steps {
		if v = steps[i].from(v); !v.Exists() {
			return v, false
		}
	}
	return v, v.Exists()
}

func (s *jsonStep) from(v gjson.Result) gjson.Result {
	switch {
	case s.isIndex && v.IsArray():
		return elementAt(v, s.index)
	case s.isIndex && !s.either || !v.IsObject():
		return gjson.Result{}
	case s.name != "":
		return v.Get(s.key)
	}
	var found gjson.Result
	v.ForEach(func(key, value gjson.Result) bool {
		if key.Str == "" {
			found = value
		}
		return !found.Exists()
	})
	return found
}

// elementAt is an element of an array; a negative index counts from its end.
func elementAt(array gjson.Result, index int) (element gjson.Result) {
	if index < 0 {
		array.ForEach(func(_, _ gjson.Result) bool {
			index++
			return true
		})
		if index < 0 {
			return element
		}
	}
	array.ForEach(func(_, value gjson.Result) bool {
		if index == 0 {
			element = value
		}
		index--
		return index >= 0
	})
	return element
}

// stepsOf are the steps of a normalized path.
func stepsOf(path spec.NormalizedPath) []jsonStep {
	steps := make([]jsonStep, len(path))
	for i, s := range path {
		switch s := s.(type) {
		case spec.Name:
			steps[i] = nameStep(string(s))
		case spec.Index:
			steps[i] = jsonStep{index: int(s), isIndex: true}
		}
	}
	return steps
}
