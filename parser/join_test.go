package parser

import "testing"

// shape writes a table with brackets around all joins.
func shape(t TableRef) string {
	j, ok := t.(*Join)
	if !ok {
		var p printer
		p.tableRef(t)
		return p.String()
	}
	natural := ""
	if j.Natural {
		natural = "NATURAL "
	}
	on := ""
	if j.On != nil {
		on = " ON " + FormatExpr(j.On)
	}
	for _, c := range j.Using {
		on += " USING " + c.Name
	}
	return "(" + shape(j.L) + " " + natural + string(j.Kind) + " " + shape(j.R) + on + ")"
}

// TestJoins spells out how joins group.
func TestJoins(t *testing.T) {
	for from, want := range map[string][]string{
		"a JOIN b ON x JOIN c ON y":                     {"((a INNER b ON x) INNER c ON y)"},
		"a LEFT JOIN b ON x RIGHT OUTER JOIN c ON y":    {"((a LEFT b ON x) RIGHT c ON y)"},
		"a LEFT JOIN b JOIN c ON x ON y":                {"(a LEFT (b INNER c ON x) ON y)"},
		"a LEFT JOIN (b CROSS JOIN c) ON x":             {"(a LEFT (b CROSS c) ON x)"},
		"a, b JOIN c ON x, d":                           {"a", "(b INNER c ON x)", "d"},
		"a CROSS JOIN b JOIN c USING (k, l)":            {"((a CROSS b) INNER c USING k USING l)"},
		"a NATURAL LEFT JOIN b NATURAL FULL JOIN c":     {"((a NATURAL LEFT b) NATURAL FULL c)"},
		"a FULL OUTER JOIN b ON LEFT(x, 1) = y, c":      {"(a FULL b ON LEFT(x, 1) = y)", "c"},
		"a JOIN UNNEST(a.x) AS u JOIN b ON y":           {"((a INNER UNNEST(a.x) AS u) INNER b ON y)"},
		"a LEFT SEMI JOIN b ON x LEFT ANTI JOIN c ON y": {"((a LEFT SEMI b ON x) LEFT ANTI c ON y)"},
		"(a JOIN b ON x) JOIN (c JOIN d ON y) ON z":     {"((a INNER b ON x) INNER (c INNER d ON y) ON z)"},
	} {
		s := mustParse(t, "SELECT * FROM "+from)[0].(*QueryStmt).Query.Body.(*Select)
		if len(s.From) != len(want) {
			t.Errorf("%s has %d tables, want %d", from, len(s.From), len(want))
			continue
		}
		for i, ref := range s.From {
			if got := shape(ref); got != want[i] {
				t.Errorf("%s is %s, want %s", from, got, want[i])
			}
		}
	}
}
