package expr

import (
	"bytes"
	"regexp"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	Register(Function{
		Name: "STR_TO_MAP", Category: categoryString,
		Doc:     "The MAP of the pairs in a string: regular expressions of what stands between pairs, ',' if not given, and between key and value, '='. A key alone has the value NULL.",
		Example: "STR_TO_MAP('k1=v1,k2=v2')", ExampleResult: "{k1=v1, k2=v2}",
		Overloads: []Overload{
			{
				Params: []Param{stringParam}, Returns: returns(arrow.MapOf(String, String)), Slow: true,
				Expand: func(args []Expr, s Settings) (Expr, error) {
					return NewCall("STR_TO_MAP", append(args[:1:1], NewString(","), NewString("=")), s)
				},
			},
			{
				Params:  []Param{stringParam, named(stringParam, "between pairs"), named(stringParam, "between key and value")},
				Returns: returns(arrow.MapOf(String, String)), Check: validSeparators, Nulls: PropagateOrNull, Slow: true, Compile: strToMap,
			},
		},
	})
}

func validSeparators(args []Expr) *ArgumentError {
	if err := validRegex(1)(args); err != nil {
		return err
	}
	return validRegex(2)(args)
}

// separator finds places to cut a string at, by a regular expression.
type separator struct {
	cache regexCache
	re    *regexp.Regexp
	plain []byte // text without special characters
}

// set makes it find a regular expression; ok is false if the text is none.
func (p *separator) set(pattern []byte) (ok bool) {
	p.plain, p.re = pattern, nil
	if len(pattern) == 0 || bytes.ContainsAny(pattern, `<([{\^-=$!|]})?*+.>`) && !bytes.Equal(pattern, []byte("=")) {
		p.re = p.cache.find(pattern)
		return p.re != nil
	}
	return true
}

// cut divides s at the first match that is not empty; more is false if there is none.
func (p *separator) cut(s []byte) (before, after []byte, more bool) {
	if p.re == nil {
		return bytes.Cut(s, p.plain)
	}
	at := p.re.FindIndex(s)
	if at == nil || at[0] == at[1] {
		return s, nil, false
	}
	return s[:at[0]], s[at[1]:], true
}

func strToMap(*Site) Kernel {
	var pairs, sides separator
	var keys, items textsWriter
	var ends []int32
	var w mapWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		keys.start()
		items.start()
		ends = ends[:0]
		rows := f.Rows()
		for _, row := range rows {
			if pairs.set(args[1].bytes(row)) && sides.set(args[2].bytes(row)) {
				addPairs(&keys, &items, args[0].bytes(row), &pairs, &sides)
			} else {
				f.SetNull(row)
			}
			ends = append(ends, int32(keys.count()))
		}
		return w.storeTexts(f, out, &keys, &items, rows, ends)
	}
}

// addPairs adds the keys and values of a string, without empty pairs at its end.
func addPairs(keys, items *textsWriter, s []byte, pairs, sides *separator) {
	empty := 0
	for more := len(s) > 0; more; {
		var pair []byte
		if pair, s, more = pairs.cut(s); len(pair) == 0 {
			empty++
			continue
		}
		for ; empty > 0; empty-- {
			keys.add(nil)
			items.addNull()
		}
		key, value, both := sides.cut(pair)
		keys.add(key)
		if both {
			items.add(value)
		} else {
			items.addNull()
		}
	}
}
