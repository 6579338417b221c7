package messages

import (
	"regexp"
	"strings"
)

var (
	meantHint    = regexp.MustCompile(`^did you mean (.+)\?$`)
	reservedHint = regexp.MustCompile(`^\w+ is a reserved word; to use it as a name write (".+")$`)
	quotedHint   = regexp.MustCompile(`^names are quoted with double quotes: (".+")$`)
	commaHint    = regexp.MustCompile(`^missing comma before .+\?$`)
	endHint      = regexp.MustCompile(`^missing ';' before \w+\?$`)
	extraHint    = regexp.MustCompile(`^is the comma before .+ one too many\?$`)
)

// corrections are the texts that the hints of an error ask for, as far as they name words to write at its place.
func corrections(err error) (texts []string) {
	e := placedError(err)
	if e == nil {
		return nil
	}
	before, wrong, behind := e.Src[:e.Span.Lo], e.Span.Slice(e.Src), e.Src[e.Span.Hi:]
	for _, h := range e.Hints {
		switch {
		case meantHint.MatchString(h):
			for _, word := range strings.Split(meantHint.FindStringSubmatch(h)[1], " or ") {
				texts = append(texts, before+respelt(wrong, word)+behind)
			}
		case reservedHint.MatchString(h):
			texts = append(texts, before+reservedHint.FindStringSubmatch(h)[1]+behind)
		case quotedHint.MatchString(h):
			texts = append(texts, before+quotedHint.FindStringSubmatch(h)[1]+behind)
		case commaHint.MatchString(h):
			texts = append(texts, before+", "+wrong+behind)
		case endHint.MatchString(h):
			texts = append(texts, before+"; "+wrong+behind)
		case extraHint.MatchString(h):
			texts = append(texts, strings.TrimSuffix(strings.TrimRight(before, " \n"), ",")+" "+wrong+behind)
		}
	}
	return texts
}

// respelt puts a word in the place of a wrong one: of the string, of the call's name, or of the last name of a path.
func respelt(wrong, word string) string {
	if strings.HasPrefix(wrong, "'") {
		_, rest, _ := strings.Cut(wrong[1:], "'") // the value of an option
		return "'" + strings.Trim(word, "'") + "'" + rest
	}
	if i := strings.IndexByte(wrong, '('); i > 0 {
		return word + wrong[i:]
	}
	return wrong[:strings.LastIndexByte(wrong, '.')+1] + strings.Trim(word, "'")
}
