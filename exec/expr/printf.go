package expr

import (
	"fmt"
	"strings"
)

// printfDirective is a part of a format of PRINTF: text that stands for itself, or a value and how to write it.
type printfDirective struct {
	text      string // with conversion 0
	arg       int    // the index of the value
	flags     printfFlags
	width     int
	precision int  // -1 if not given
	verb      byte // in lower case: b, c, d, e, f, g, o, s or x
	upper     bool
}

// printfFlags are the signs behind a %.
type printfFlags struct{ left, plus, blank, zeros, comma, bracket, alternate bool }

const printfVerbs = "bcdefgosx"

// mostWidth bounds the width and the precision of a directive.
const mostWidth = 4096

// printfFormat is a format taken apart.
type printfFormat []printfDirective

// parsePrintf takes a format apart. Its directives are those of Java's Formatter: %[index$][flags][width][.precision]conversion.
func parsePrintf(format string) (printfFormat, error) {
	var p printfFormat
	next := 0
	for format != "" {
		text, rest, found := strings.Cut(format, "%")
		if text != "" {
			p = append(p, printfDirective{text: text})
		}
		if !found {
			break
		}
		d, size, err := parseDirective(rest, &next)
		if err != nil {
			return nil, err
		}
		p = append(p, d)
		format = rest[size:]
	}
	return p, nil
}

// parseDirective reads what follows a %.
func parseDirective(s string, next *int) (d printfDirective, size int, err error) {
	d.precision = -1
	i := 0
	if n, digits := leadingNumber(s); digits > 0 && digits < len(s) && s[digits] == '$' {
		d.arg, i = n, digits+1
	}
	i += d.flags.read(s[i:])
	n, digits := leadingNumber(s[i:])
	d.width, i = n, i+digits
	if i < len(s) && s[i] == '.' {
		n, digits := leadingNumber(s[i+1:])
		if digits == 0 {
			return d, 0, fmt.Errorf("a precision is missing in %s", quote("%"+s[:i+1]))
		}
		d.precision, i = n, i+1+digits
	}
	if i == len(s) {
		return d, 0, fmt.Errorf("%s has no conversion", quote("%"+s))
	}
	if err := d.setVerb(s[i], s[:i+1], next); err != nil {
		return d, 0, err
	}
	return d, i + 1, nil
}

func leadingNumber(s string) (n, digits int) {
	for digits < len(s) && s[digits]-'0' < 10 && n <= mostWidth && !(digits == 0 && s[0] == '0') {
		n = n*10 + int(s[digits]-'0')
		digits++
	}
	return n, digits
}

// read sets the flags at the start of s and returns how many there are.
func (f *printfFlags) read(s string) int {
	for i := range len(s) {
		switch s[i] {
		case '-':
			f.left = true
		case '+':
			f.plus = true
		case ' ':
			f.blank = true
		case '0':
			f.zeros = true
		case ',':
			f.comma = true
		case '(':
			f.bracket = true
		case '#':
			f.alternate = true
		default:
			return i
		}
	}
	return len(s)
}

func (d *printfDirective) setVerb(verb byte, whole string, next *int) error {
	switch {
	case d.width > mostWidth || d.precision > mostWidth:
		return fmt.Errorf("%s is too wide", quote("%"+whole))
	case verb == '%' || verb == 'n':
		d.text = map[byte]string{'%': "%", 'n': "\n"}[verb]
		return nil
	case verb >= 'A' && verb <= 'Z':
		d.upper, verb = true, verb|0x20
	}
	if strings.IndexByte(printfVerbs, verb) < 0 {
		return fmt.Errorf("%s has the conversion %c, which means nothing", quote("%"+whole), whole[len(whole)-1])
	}
	d.verb = verb
	if d.arg == 0 {
		*next++
		d.arg = *next
	}
	d.arg--
	return nil
}
