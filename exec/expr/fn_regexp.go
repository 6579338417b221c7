package expr

import (
	"regexp"

	"github.com/apache/arrow/go/v17/arrow"
)

// patternParam is the text of a regular expression.
var patternParam = named(stringParam, "regex")

func init() {
	match := Overload{
		Params: []Param{stringParam, patternParam}, Check: validRegex(1), Returns: returns(Boolean), Nulls: PropagateOrNull, Slow: true, Compile: regexMatches,
	}
	Register(Function{
		Name: "REGEXP_LIKE", Aliases: []string{"REGEXP_CONTAINS"}, Category: categoryString,
		Doc:     "Whether a part of the string matches a regular expression of the RE2 syntax.",
		Example: "REGEXP_LIKE('streams', 'r.a')", ExampleResult: "TRUE",
		Overloads: []Overload{match},
	})
	Register(Function{
		Name: "REGEXP", Category: categoryString,
		Doc:     "As REGEXP_LIKE, and FALSE if the regular expression is empty or, where it changes from row to row, none.",
		Example: "REGEXP('streams', 'r.a')", ExampleResult: "TRUE",
		Overloads: []Overload{{
			Params: []Param{stringParam, patternParam}, Check: validRegex(1), Returns: returns(Boolean), Slow: true, Compile: regexMatchesOrNot,
		}},
	})
	Register(Function{
		Name: "RLIKE", Category: categoryComparison, form: likeForm("RLIKE"), notForm: likeForm("NOT RLIKE"),
		Doc:     "Whether a part of the string matches a regular expression of the RE2 syntax.",
		Example: "'streams' RLIKE 'r.a'", ExampleResult: "TRUE",
		Overloads: []Overload{match},
	})
	Register(Function{
		Name: "REGEXP_COUNT", Category: categoryString,
		Doc:     "How often a regular expression matches, without overlaps.",
		Example: "REGEXP_COUNT('a1b22', '[0-9]+')", ExampleResult: "2",
		Overloads: []Overload{regexInt(func(re *regexp.Regexp, s []byte) int { return countMatches(re, s) })},
	})
	Register(Function{
		Name: "REGEXP_INSTR", Category: categoryString,
		Doc:     "The place of the first match of a regular expression, counted from 1; 0 if there is none.",
		Example: "REGEXP_INSTR('abc', '[bc]')", ExampleResult: "2",
		Overloads: []Overload{regexInt(regexPlace)},
	})
	Register(Function{
		Name: "REGEXP_SUBSTR", Category: categoryString,
		Doc:     "The first match of a regular expression; NULL if there is none.",
		Example: "REGEXP_SUBSTR('a1b22', '[0-9]+')", ExampleResult: "1",
		Overloads: []Overload{{
			Params: []Param{stringParam, patternParam}, Check: validRegex(1), Returns: returns(String), Nulls: PropagateOrNull, Slow: true, Compile: regexExtract,
		}},
	})
	Register(Function{
		Name: "REGEXP_EXTRACT", Category: categoryString,
		Doc:     "What the group with the given number, 0 if none is given for all of it, of the first match of a regular expression holds; NULL if there is none.",
		Example: "REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2)", ExampleResult: "bar",
		Overloads: []Overload{{
			Params: []Param{stringParam, patternParam, named(intParam, "group")}, Optional: 1, Check: validRegex(1), Returns: returns(String),
			Nulls: PropagateOrNull, Slow: true, Compile: regexExtract,
		}},
	})
	Register(Function{
		Name: "REGEXP_EXTRACT_ALL", Category: categoryString,
		Doc:     "An ARRAY of what the group with the given number, 1 if none is given, of all matches of a regular expression holds; group 0 is all of a match.",
		Example: "REGEXP_EXTRACT_ALL('a1b22', '[a-z]([0-9]+)')", ExampleResult: "[1, 22]",
		Overloads: []Overload{{
			Params: []Param{stringParam, patternParam, named(intParam, "group")}, Optional: 1, Check: validRegex(1), Returns: returns(arrow.ListOf(String)),
			Nulls: PropagateOrNull, Slow: true, Compile: regexExtractAll,
		}},
	})
	Register(Function{
		Name: "REGEXP_REPLACE", Category: categoryString,
		Doc:     "The string with each match of a regular expression replaced by another string, in which no character has a meaning of its own.",
		Example: "REGEXP_REPLACE('foobar', 'oo|ar', '')", ExampleResult: "fb",
		Overloads: []Overload{{
			Params: []Param{stringParam, patternParam, named(stringParam, "new")}, Check: validRegex(1), Returns: returns(String),
			Nulls: PropagateOrNull, Slow: true, Compile: regexReplace,
		}},
	})
}

// regexRows calls with for each row that matters and its regular expression; without one the row is NULL.
func regexRows(f *Frame, cache *regexCache, patterns *Vector, with func(row uint32, re *regexp.Regexp)) {
	for _, row := range f.Rows() {
		if re := cache.find(patterns.bytes(row)); re != nil {
			with(row, re)
		} else {
			f.SetNull(row)
		}
	}
}

func regexMatches(*Site) Kernel {
	var cache regexCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		regexRows(f, &cache, args[1], func(row uint32, re *regexp.Regexp) {
			out.bits[row>>6] |= bitOf(re.Match(args[0].bytes(row))) << (row & 63)
		})
		return nil
	}
}

func regexMatchesOrNot(*Site) Kernel {
	var cache regexCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		for _, row := range f.Rows() {
			if pattern := args[1].bytes(row); len(pattern) > 0 {
				re := cache.find(pattern)
				out.bits[row>>6] |= bitOf(re != nil && re.Match(args[0].bytes(row))) << (row & 63)
			}
		}
		return nil
	}
}

// regexInt is a function of a string and a regular expression that gives an INT.
func regexInt(fn func(re *regexp.Regexp, s []byte) int) Overload {
	return Overload{
		Params: []Param{stringParam, patternParam}, Check: validRegex(1), Returns: returns(Int), Nulls: PropagateOrNull, Slow: true,
		Compile: func(*Site) Kernel {
			var cache regexCache
			return func(f *Frame, args []*Vector, out *Vector) error {
				o := values[int32](out)
				regexRows(f, &cache, args[1], func(row uint32, re *regexp.Regexp) { o[row] = int32(fn(re, args[0].bytes(row))) })
				return nil
			}
		},
	}
}

func countMatches(re *regexp.Regexp, s []byte) int {
	n := 0
	eachMatch(re, s, func([]int) { n++ })
	return n
}

// eachMatch calls take with the places of the groups of each match, from left to right without overlaps.
func eachMatch(re *regexp.Regexp, s []byte, take func(groups []int)) {
	for _, groups := range re.FindAllSubmatchIndex(s, -1) {
		take(groups)
	}
}

func regexPlace(re *regexp.Regexp, s []byte) int {
	at := re.FindIndex(s)
	if at == nil {
		return 0
	}
	return characters(s[:at[0]]) + 1
}

// groupArg is the number of the group for each row.
func groupArg(args []*Vector, otherwise int64) number[int64] {
	if len(args) < 3 {
		return number[int64]{v: []int64{otherwise}}
	}
	return numberArg[int64](args[2])
}

// group is the text of a group; ok is false if it took no part in the match or does not exist.
func group(s []byte, groups []int, n int64) (text []byte, ok bool) {
	if n < 0 || n >= int64(len(groups)/2) || groups[2*n] < 0 {
		return nil, false
	}
	return s[groups[2*n]:groups[2*n+1]], true
}

func regexExtract(*Site) Kernel {
	var cache regexCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		wanted := groupArg(args, 0)
		regexRows(f, &cache, args[1], func(row uint32, re *regexp.Regexp) {
			s := args[0].bytes(row)
			found, ok := group(s, re.FindSubmatchIndex(s), wanted.row(row))
			if !ok {
				f.SetNull(row)
				return
			}
			out.data = append(out.data, found...)
			out.end(row)
		})
		return nil
	}
}

func regexExtractAll(*Site) Kernel {
	var cache regexCache
	var w textsWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		wanted := groupArg(args, 1)
		w.start()
		regexRows(f, &cache, args[1], func(row uint32, re *regexp.Regexp) {
			s, n := args[0].bytes(row), wanted.row(row)
			if n < 0 || n > int64(re.NumSubexp()) {
				f.SetNull(row)
				return
			}
			eachMatch(re, s, func(groups []int) {
				if found, ok := group(s, groups, n); ok {
					w.add(found)
				} else {
					w.addNull()
				}
			})
			w.end(row)
		})
		return w.store(f, out)
	}
}

func regexReplace(*Site) Kernel {
	var cache regexCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		regexRows(f, &cache, args[1], func(row uint32, re *regexp.Regexp) {
			s, with, last := args[0].bytes(row), args[2].bytes(row), 0
			eachMatch(re, s, func(groups []int) {
				out.data = append(append(out.data, s[last:groups[0]]...), with...)
				last = groups[1]
			})
			out.data = append(out.data, s[last:]...)
			out.end(row)
		})
		return nil
	}
}
