package oracle

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// expression is an SQL text and what it means for one row.
type expression struct {
	kind kind
	sql  string
	eval func(row) value
}

// scope is what an expression can name.
type scope []column

type column struct {
	name string
	kind kind
}

// generator draws expressions over a scope.
type generator struct {
	*rapid.T
	scope scope
}

func (g generator) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(g.T, label) }

// expr draws an expression of a kind, at most depth calls deep.
func (g generator) expr(k kind, depth int) expression {
	if depth == 0 || g.pick("leaf", 3) == 0 {
		return g.leaf(k)
	}
	if g.pick("generic", 3) == 0 {
		return g.generic(k, depth-1)
	}
	switch k {
	case boolean:
		return g.condition(depth - 1)
	case text:
		return g.string(depth - 1)
	case timestamp:
		return g.moved(depth - 1)
	}
	return g.number(k, depth-1)
}

// leaf is a column of the kind, or a literal.
func (g generator) leaf(k kind) expression {
	var fit []int
	for i, c := range g.scope {
		if c.kind == k {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 || g.pick("literal", 4) == 0 {
		v := drawValue(g.T, k)
		return expression{k, literal(k, v), func(row) value { return v }}
	}
	i := fit[g.pick("column", len(fit))]
	return expression{k, g.scope[i].name, func(r row) value { return r[i] }}
}

// generic draws what there is for every type.
func (g generator) generic(k kind, depth int) expression {
	a, b := g.expr(k, depth), g.expr(k, depth)
	switch g.pick("form", 4) {
	case 0:
		return expression{k, fmt.Sprintf("COALESCE(%s, %s)", a.sql, b.sql), func(r row) value {
			if v := a.eval(r); v != nil {
				return v
			}
			return b.eval(r)
		}}
	case 1:
		return expression{k, fmt.Sprintf("NULLIF(%s, %s)", a.sql, b.sql), func(r row) value {
			v := a.eval(r)
			if w := b.eval(r); v != nil && w != nil && compare(v, w) == 0 {
				return nil
			}
			return v
		}}
	case 2:
		when, then := g.expr(boolean, depth), g.expr(k, depth)
		return expression{k, fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", when.sql, then.sql, a.sql), func(r row) value {
			if when.eval(r) == true {
				return then.eval(r)
			}
			return a.eval(r)
		}}
	}
	when := g.expr(boolean, depth)
	return expression{k, fmt.Sprintf("CASE WHEN %s THEN %s WHEN %s IS NULL THEN %s END", when.sql, a.sql, a.sql, b.sql), func(r row) value {
		v := a.eval(r)
		switch {
		case when.eval(r) == true:
			return v
		case v == nil:
			return b.eval(r)
		}
		return nil
	}}
}

var comparisons = map[string]func(int) bool{
	"=": func(c int) bool { return c == 0 }, "<>": func(c int) bool { return c != 0 },
	"<": func(c int) bool { return c < 0 }, "<=": func(c int) bool { return c <= 0 },
	">": func(c int) bool { return c > 0 }, ">=": func(c int) bool { return c >= 0 },
}

// condition draws an expression of type BOOLEAN.
func (g generator) condition(depth int) expression {
	switch g.pick("condition", 8) {
	case 0:
		return g.junction("AND", depth)
	case 1:
		return g.junction("OR", depth)
	case 2:
		x := g.expr(boolean, depth)
		return expression{boolean, "(NOT (" + x.sql + "))", func(r row) value { return (yes - truthOf(x.eval(r))).value() }}
	case 3:
		return g.nullTest(depth)
	case 4:
		return g.between(depth)
	case 5:
		return g.in(depth)
	case 6:
		return g.like(depth)
	}
	return g.comparison(depth)
}

func (g generator) junction(word string, depth int) expression {
	a, b := g.expr(boolean, depth), g.expr(boolean, depth)
	return expression{boolean, fmt.Sprintf("(%s %s %s)", a.sql, word, b.sql), func(r row) value {
		x, y := truthOf(a.eval(r)), truthOf(b.eval(r))
		if word == "AND" {
			return min(x, y).value()
		}
		return max(x, y).value()
	}}
}

func (g generator) comparison(depth int) expression {
	k := kind(g.pick("kind", 5))
	a, b := g.expr(k, depth), g.expr(k, depth)
	if k == integer && g.pick("mixed", 4) == 0 {
		b = g.expr(double, depth)
	}
	op := rapid.SampledFrom([]string{"=", "<>", "<", "<=", ">", ">="}).Draw(g.T, "comparison")
	holds := comparisons[op]
	return expression{boolean, fmt.Sprintf("(%s %s %s)", a.sql, op, b.sql), func(r row) value {
		x, y := a.eval(r), b.eval(r)
		if x == nil || y == nil {
			return nil
		}
		return holds(compare(x, y))
	}}
}

func (g generator) nullTest(depth int) expression {
	k := kind(g.pick("kind", 5))
	a, b := g.expr(k, depth), g.expr(k, depth)
	switch g.pick("test", 3) {
	case 0:
		return expression{boolean, "(" + a.sql + " IS NULL)", func(r row) value { return a.eval(r) == nil }}
	case 1:
		return expression{boolean, "(" + a.sql + " IS NOT NULL)", func(r row) value { return a.eval(r) != nil }}
	}
	return expression{boolean, fmt.Sprintf("(%s IS DISTINCT FROM %s)", a.sql, b.sql), func(r row) value {
		x, y := a.eval(r), b.eval(r)
		if x == nil || y == nil {
			return (x == nil) != (y == nil)
		}
		return compare(x, y) != 0
	}}
}

func (g generator) between(depth int) expression {
	k := kind(g.pick("kind", 5))
	x, low, high := g.expr(k, depth), g.leaf(k), g.leaf(k)
	return expression{boolean, fmt.Sprintf("(%s BETWEEN %s AND %s)", x.sql, low.sql, high.sql), func(r row) value {
		return min(atMost(low.eval(r), x.eval(r)), atMost(x.eval(r), high.eval(r))).value()
	}}
}

func atMost(a, b value) truth {
	switch {
	case a == nil || b == nil:
		return unknown
	case compare(a, b) <= 0:
		return yes
	}
	return no
}

func (g generator) in(depth int) expression {
	k := kind(g.pick("kind", 5))
	x := g.expr(k, depth)
	list := make([]expression, 1+g.pick("length", 3))
	texts := make([]string, len(list))
	for i := range list {
		list[i] = g.leaf(k)
		texts[i] = list[i].sql
	}
	return expression{boolean, fmt.Sprintf("(%s IN (%s))", x.sql, strings.Join(texts, ", ")), func(r row) value {
		found := no
		v := x.eval(r)
		for _, y := range list {
			w := y.eval(r)
			switch {
			case v == nil || w == nil:
				found = max(found, unknown)
			case compare(v, w) == 0:
				found = yes
			}
		}
		return found.value()
	}}
}

func (g generator) like(depth int) expression {
	x := g.expr(text, depth)
	pattern := rapid.StringOfN(rapid.RuneFrom([]rune("aäB%_")), 0, 4, -1).Draw(g.T, "pattern")
	return expression{boolean, fmt.Sprintf("(%s LIKE '%s')", x.sql, pattern), func(r row) value {
		v := x.eval(r)
		if v == nil {
			return nil
		}
		return matches([]rune(v.(string)), []rune(pattern))
	}}
}

func matches(s, pattern []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(s) == 0
	case pattern[0] == '%':
		return matches(s, pattern[1:]) || len(s) > 0 && matches(s[1:], pattern)
	case len(s) == 0:
		return false
	}
	return (pattern[0] == '_' || pattern[0] == s[0]) && matches(s[1:], pattern[1:])
}

// number draws an integer or a double. Values are small and doubles are quarters, so that nothing overflows or is rounded.
func (g generator) number(k kind, depth int) expression {
	if k == double && g.pick("cast", 4) == 0 {
		x := g.expr(integer, depth)
		return expression{k, "CAST(" + x.sql + " AS DOUBLE)", func(r row) value {
			if v := x.eval(r); v != nil {
				return float64(v.(int64))
			}
			return nil
		}}
	}
	if k == integer && g.pick("function", 4) == 0 {
		return g.integerCall(depth)
	}
	op := rapid.SampledFrom([]string{"+", "-", "*"}).Draw(g.T, "operator")
	a, b := g.expr(k, depth), g.expr(k, depth)
	if op == "*" {
		b = g.leaf(k)
	}
	return expression{k, fmt.Sprintf("(%s %s %s)", a.sql, op, b.sql), func(r row) value {
		x, y := a.eval(r), b.eval(r)
		if x == nil || y == nil {
			return nil
		}
		if k == double {
			return arithmetic(op, x.(float64), y.(float64))
		}
		return arithmetic(op, x.(int64), y.(int64))
	}}
}

func arithmetic[T int64 | float64](op string, a, b T) T {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	}
	return a * b
}

func (g generator) integerCall(depth int) expression {
	if g.pick("length", 2) == 0 {
		s := g.expr(text, depth)
		return expression{integer, "CHAR_LENGTH(" + s.sql + ")", func(r row) value {
			if v := s.eval(r); v != nil {
				return int64(len([]rune(v.(string))))
			}
			return nil
		}}
	}
	a, by := g.expr(integer, depth), int64(2+g.pick("divisor", 5))
	op := rapid.SampledFrom([]string{"/", "%"}).Draw(g.T, "operator")
	return expression{integer, fmt.Sprintf("(%s %s %d)", a.sql, op, by), func(r row) value {
		v := a.eval(r)
		switch {
		case v == nil:
			return nil
		case op == "/":
			return v.(int64) / by
		}
		return v.(int64) % by
	}}
}

func (g generator) string(depth int) expression {
	a := g.expr(text, depth)
	switch g.pick("function", 3) {
	case 0:
		return expression{text, "UPPER(" + a.sql + ")", func(r row) value {
			if v := a.eval(r); v != nil {
				return strings.ToUpper(v.(string))
			}
			return nil
		}}
	case 1:
		b := g.leaf(text)
		return expression{text, fmt.Sprintf("(%s || %s)", a.sql, b.sql), func(r row) value {
			x, y := a.eval(r), b.eval(r)
			if x == nil || y == nil {
				return nil
			}
			return x.(string) + y.(string)
		}}
	}
	from, length := 1+g.pick("from", 3), g.pick("length", 3)
	return expression{text, fmt.Sprintf("SUBSTRING(%s, %d, %d)", a.sql, from, length), func(r row) value {
		v := a.eval(r)
		if v == nil {
			return nil
		}
		s := []rune(v.(string))
		start := min(from-1, len(s))
		return string(s[start:min(start+length, len(s))])
	}}
}

// moved draws a timestamp some seconds away from another.
func (g generator) moved(depth int) expression {
	a, seconds := g.expr(timestamp, depth), g.pick("seconds", 90)
	return expression{timestamp, fmt.Sprintf("(%s + INTERVAL '%d' SECOND)", a.sql, seconds), func(r row) value {
		if v := a.eval(r); v != nil {
			return v.(time.Time).Add(time.Duration(seconds) * time.Second)
		}
		return nil
	}}
}

// drawValue draws a value, sometimes NULL, often one that has been there before.
func drawValue(t *rapid.T, k kind) value {
	n := rapid.IntRange(-7, 7).Draw(t, "value")
	if n == -7 {
		return nil
	}
	switch k {
	case boolean:
		return n%2 == 0
	case integer:
		return int64(n)
	case double:
		return float64(n) / 4
	case text:
		words := []string{"", "a", "A", "ä", "aB", "'", "äa_", "x y", "日本", "a%"}
		return words[(n+7)%len(words)]
	}
	return start.Add(time.Duration(n*700) * time.Millisecond)
}

// start is before 1970 for some rows.
var start = time.Date(1970, 1, 1, 0, 0, 2, 0, time.UTC)

func sqlTexts(list []expression) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.sql
	}
	return out
}

func evalAll(list []expression, r row) row {
	out := make(row, len(list))
	for i, e := range list {
		out[i] = e.eval(r)
	}
	return out
}
