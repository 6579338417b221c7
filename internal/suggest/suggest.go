// Package suggest finds the names a misspelled one may have meant.
package suggest

import (
	"slices"
	"strings"
)

// most is the largest number of suggestions that still help.
const most = 3

// Near returns the candidates that word may be a misspelling of, nearest first and at most three. Letters' case does not
// matter; a candidate that differs in it alone comes first. Swapped neighbours count as one mistake, and a third of the
// letters may be wrong, but not all.
func Near(word string, candidates []string) []string {
	type match struct {
		name     string
		distance int
	}
	var matches []match
	from := []rune(strings.ToLower(word))
	for _, c := range candidates {
		to := []rune(strings.ToLower(c))
		if d := distance(from, to); d <= tolerance(len(from), len(to)) && d < max(len(from), len(to)) {
			matches = append(matches, match{c, d})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, m := range matches[:min(most, len(matches))] {
		names = append(names, m.name)
	}
	return names
}

// Hint returns "did you mean a, b or c?" for the candidates near word, or "" if there are none.
func Hint(word string, candidates []string) string {
	near := Near(word, candidates)
	if len(near) == 0 {
		return ""
	}
	last := len(near) - 1
	if last == 0 {
		return "did you mean " + near[0] + "?"
	}
	return "did you mean " + strings.Join(near[:last], ", ") + " or " + near[last] + "?"
}

// tolerance is the number of mistakes allowed between words of the given lengths.
func tolerance(a, b int) int { return min(3, max(1, min(a, b)/3)) }

// distance is the number of letters to insert, delete, replace or swap with their neighbour to get from a to b.
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
