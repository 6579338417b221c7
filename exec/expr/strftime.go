package expr

import "fmt"

// strftimeTokens are the elements of a format of strftime as those of a pattern of Java's date formats.
var strftimeTokens = map[byte]datePattern{
	'Y': {{letter: 'y', count: 4}}, 'y': {{letter: 'y', count: 2}}, 'm': {{letter: 'M', count: 2}}, 'd': {{letter: 'd', count: 2}},
	'b': {{letter: 'M', count: 3}}, 'h': {{letter: 'M', count: 3}}, 'B': {{letter: 'M', count: 4}}, 'a': {{letter: 'E', count: 3}},
	'A': {{letter: 'E', count: 4}}, 'j': {{letter: 'D', count: 3}}, 'H': {{letter: 'H', count: 2}}, 'I': {{letter: 'h', count: 2}},
	'M': {{letter: 'm', count: 2}}, 'S': {{letter: 's', count: 2}}, 'p': {{letter: 'a', count: 1}}, 'f': {{letter: 'S', count: 6}},
	'z': {{letter: 'Z', count: 1}}, 'Z': {{letter: 'z', count: 1}}, 'Q': {{letter: 'Q', count: 1}}, 'V': {{letter: 'w', count: 2}},
	's': {{letter: epochLetter, count: 1}}, 'n': {{text: "\n"}}, 't': {{text: "\t"}}, '%': {{text: "%"}},
	'F': joined("-", "Ymd"), 'T': joined(":", "HMS"), 'X': joined(":", "HMS"), 'R': joined(":", "HM"), 'D': joined("/", "mdy"), 'x': joined("/", "mdy"),
}

// epochLetter stands for the seconds since 1970-01-01 00:00:00 UTC, for which Java has no letter.
const epochLetter = '@'

// joined is elements with text between them.
func joined(separator, elements string) datePattern {
	letters := map[rune]dateToken{
		'Y': {letter: 'y', count: 4}, 'y': {letter: 'y', count: 2}, 'm': {letter: 'M', count: 2}, 'd': {letter: 'd', count: 2},
		'H': {letter: 'H', count: 2}, 'M': {letter: 'm', count: 2}, 'S': {letter: 's', count: 2},
	}
	var p datePattern
	for i, e := range elements {
		if i > 0 {
			p = append(p, dateToken{text: separator})
		}
		p = append(p, letters[e])
	}
	return p
}

// parseStrftime takes a format of strftime apart, with %E4Y, and %E3S for seconds with so many digits of fraction.
func parseStrftime(format string) (datePattern, error) {
	var p datePattern
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			p = append(p, dateToken{text: format[i : i+1]})
			continue
		}
		element := format[i:min(i+4, len(format))]
		if len(element) == 4 && element[1] == 'E' {
			if tokens, ok := extendedElement(element); ok {
				p, i = append(p, tokens...), i+3
				continue
			}
		}
		i++
		if i == len(format) {
			return nil, fmt.Errorf("the format %s ends with a %%", quote(format))
		}
		tokens, ok := strftimeTokens[format[i]]
		if !ok {
			return nil, fmt.Errorf("the format %s has the element %%%c, which means nothing", quote(format), format[i])
		}
		p = append(p, tokens...)
	}
	return p, nil
}

func extendedElement(element string) (datePattern, bool) {
	switch digit := element[2]; {
	case element == "%E4Y":
		return strftimeTokens['Y'], true
	case element[3] == 'S' && digit >= '1' && digit <= '9':
		return datePattern{{letter: 's', count: 2}, {text: "."}, {letter: 'S', count: int(digit - '0')}}, true
	case element == "%E*S":
		return datePattern{{letter: 's', count: 2}, {text: "."}, {letter: 'S', count: 6}}, true
	}
	return nil, false
}
