package expr

import (
	"fmt"
	"strings"
)

// strftimeTokens are the elements of a format of strftime as those of a pattern of Java's date formats.
var strftimeTokens = map[byte]datePattern{
	'Y': {{letter: 'y', count: 4}}, 'y': {{letter: 'y', count: 2}}, 'm': {{letter: 'M', count: 2}}, 'd': {{letter: 'd', count: 2}},
	'b': {{letter: 'M', count: 3}}, 'h': {{letter: 'M', count: 3}}, 'B': {{letter: 'M', count: 4}}, 'a': {{letter: 'E', count: 3}},
	'A': {{letter: 'E', count: 4}}, 'j': {{letter: 'D', count: 3}}, 'H': {{letter: 'H', count: 2}}, 'I': {{letter: 'h', count: 2}},
	'M': {{letter: 'm', count: 2}}, 'S': {{letter: 's', count: 2}}, 'p': {{letter: 'a', count: 1}}, 'f': {{letter: 'S', count: 6}},
	'z': {{letter: 'Z', count: 1}}, 'Z': {{letter: 'z', count: 1}}, 'Q': {{letter: 'Q', count: 1}}, 'V': {{letter: 'w', count: 2}},
	's': {{letter: epochLetter, count: 1}}, 'n': {{text: "\n"}}, 't': {{text: "\t"}}, '%': {{text: "%"}},
	'C': {{letter: centuryLetter, count: 2}}, 'G': {{letter: isoYearLetter, count: 4}}, 'g': {{letter: isoYearLetter, count: 2}},
	'J': {{letter: isoDayLetter, count: 3}}, 'U': {{letter: sundayWeekLetter, count: 2}}, 'W': {{letter: mondayWeekLetter, count: 2}},
	'u': {{letter: isoWeekdayLetter, count: 1}}, 'w': {{letter: weekdayLetter, count: 1}}, 'P': {{letter: halfLetter, count: 1}},
	'e': {{letter: 'd', count: 2, blank: true}}, 'k': {{letter: 'H', count: 2, blank: true}}, 'l': {{letter: 'h', count: 2, blank: true}},
	'F': joined("-", "Ymd"), 'T': joined(":", "HMS"), 'X': joined(":", "HMS"), 'R': joined(":", "HM"), 'D': joined("/", "mdy"), 'x': joined("/", "mdy"),
}

func init() {
	strftimeTokens['c'] = mustStrftime("%a %b %e %H:%M:%S %Y")
	strftimeTokens['r'] = mustStrftime("%I:%M:%S %p")
}

// mustStrftime takes a format apart that has no mistakes.
func mustStrftime(format string) datePattern {
	p, err := parseStrftime(format)
	if err != nil {
		panic(err)
	}
	return p
}

// Letters for what Java has none.
const (
	epochLetter      = '@' // seconds since 1970-01-01 00:00:00 UTC
	centuryLetter    = '0' // the year without its last two digits
	isoYearLetter    = '1' // the year to which the week belongs by ISO 8601
	isoDayLetter     = '2' // the day of that year
	sundayWeekLetter = '3' // the week of the year, from the first Sunday on, before which is week 0
	mondayWeekLetter = '4' // the same from the first Monday on
	isoWeekdayLetter = '5' // the day of the week, 1 for Monday to 7
	weekdayLetter    = '6' // the day of the week, 0 for Sunday to 6
	halfLetter       = '7' // am or pm
)

// strftimeNumber is the value of a letter of strftime that stands for a number.
func strftimeNumber(letter byte, m *moment) int {
	ofWeek := int(weekday(m.days)) // from Monday
	thursday := thursdayOf(m.days)
	switch letter {
	case centuryLetter:
		return m.year / 100
	case isoYearLetter:
		return int(yearOf(thursday))
	case isoDayLetter:
		return (int(dayOfYear(thursday))-1)/7*7 + ofWeek + 1
	case sundayWeekLetter:
		return (int(dayOfYear(m.days)) + 6 - (ofWeek+1)%7) / 7
	case mondayWeekLetter:
		return (int(dayOfYear(m.days)) + 6 - ofWeek) / 7
	case isoWeekdayLetter:
		return ofWeek + 1
	}
	return (ofWeek + 1) % 7
}

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

// parseStrftime takes a format of strftime apart, with %E4Y, %Ez for an offset such as +02:00, and %E3S for seconds with so many
// digits of fraction.
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
		if strings.HasPrefix(element, "%Ez") {
			p, i = append(p, dateToken{letter: 'x', count: 3}), i+2
			continue
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
