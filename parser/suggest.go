package parser

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate that is most like a word, regardless of case, or "" if none is close
// enough to be meant. It serves the did-you-mean of all layers.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", maxDistance(word)+1
	for _, c := range candidates {
		if d := distance(strings.ToUpper(word), strings.ToUpper(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// maxDistance is how many typing mistakes a word of its length may hold.
func maxDistance(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n < 2:
		return 0
	case n < 4:
		return 1
	}
	return 2
}

// distance counts the letters to insert, delete, replace or swap to make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > 2 || len(y)-len(x) > 2 {
		return 3
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// nearWord is a word of the grammar near to another.
type nearWord struct {
	word     string
	distance int
}

// mostNear bounds how many near words are tried.
const mostNear = 10

// nearWords returns the words of the grammar near to a word, the nearest first.
func nearWords(word string) []nearWord {
	word = strings.ToUpper(word)
	if other := synonyms[word]; other != "" {
		return []nearWord{{other, 1}}
	}
	var list []nearWord
	for w := range knownWords {
		if d := distance(word, w); d > 0 && d <= maxDistance(word) {
			list = append(list, nearWord{w, d})
		}
	}
	slices.SortFunc(list, func(a, b nearWord) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.word, b.word)
	})
	return list[:min(len(list), mostNear)]
}

// synonyms are words of other dialects and what they are here.
var synonyms = map[string]string{
	"MINUS": "EXCEPT", "REGEXP": "RLIKE", "REPLACING": "PLACING", "UPSERT": "INSERT", "HINTS": "OPTIONS",
}
