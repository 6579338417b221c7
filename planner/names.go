package planner

import (
	"slices"
	"strconv"
	"strings"

	"streamsql/exec/expr"
)

// count is a number of things in words: 1 row, 2 rows.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// unique gives the columns of a result different names: the second of a name gets a number behind it.
func unique(names []string) []string {
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	seen := map[string]bool{}
	result := slices.Clone(names)
	for i, n := range names {
		for k := 0; seen[n]; k++ {
			if next := n + strconv.Itoa(k); !taken[next] {
				taken[next], result[i] = true, next
				break
			}
		}
		seen[n] = true
	}
	return result
}

// equalNames tells whether names differ in the case of letters at most.
func equalNames(a, b string) bool { return strings.EqualFold(a, b) }

// lowerFirst writes the first letter of a sentence small.
func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// numbered is a name for one of several things that have none: element, element1, …
func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return name + strconv.Itoa(i)
}

// typedNames are names with their SQL types: "id BIGINT".
func typedNames(cols []column) []string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.name + " " + expr.TypeName(c.typ)
	}
	return names
}

func columnNames(cols []column) []string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.name
	}
	return names
}
