package parser

// argShape is how the arguments of a function are written where that is not with commas.
type argShape uint8

const (
	shapePlain     argShape = iota
	shapeExtract            // EXTRACT(unit FROM x)
	shapeRound              // FLOOR(x [TO unit])
	shapePosition           // POSITION(a IN b)
	shapeSubstring          // SUBSTRING(x FROM a [FOR n])
	shapeTrim               // TRIM([[side] [chars] FROM] x)
	shapeOverlay            // OVERLAY(x PLACING y FROM a [FOR n])
	shapeUnitFirst          // TIMESTAMPADD(unit, n, x)
	shapeUnitLast           // DATE_DIFF(a, b, unit)
	shapeJSON               // JSON_VALUE(x, path options)
	shapeJSONPairs          // JSON_OBJECT(KEY k VALUE v, … options)
)

// argShapes are the functions with arguments of another shape.
var argShapes = map[string]argShape{
	"EXTRACT": shapeExtract, "FLOOR": shapeRound, "CEIL": shapeRound, "CEILING": shapeRound,
	"POSITION": shapePosition, "SUBSTRING": shapeSubstring, "SUBSTR": shapeSubstring, "TRIM": shapeTrim,
	"OVERLAY": shapeOverlay, "TIMESTAMPADD": shapeUnitFirst, "TIMESTAMPDIFF": shapeUnitFirst,
	"DATE_DIFF": shapeUnitLast, "TIMESTAMP_DIFF": shapeUnitLast, "DATE_TRUNC": shapeUnitLast,
	"TIMESTAMP_TRUNC": shapeUnitLast, "LAST_DAY": shapeUnitLast,
	"JSON_VALUE": shapeJSON, "JSON_QUERY": shapeJSON, "JSON_EXISTS": shapeJSON, "JSON_ARRAY": shapeJSON,
	"JSON_ARRAYAGG": shapeJSON, "JSON_OBJECT": shapeJSONPairs, "JSON_OBJECTAGG": shapeJSONPairs,
}

// json tells whether options may follow the arguments.
func (s argShape) json() bool { return s == shapeJSON || s == shapeJSONPairs }

// specialArg lowers the argument in the range if it is written in one of the special forms. A form
// with words between its parts becomes one with commas.
func (l *lowering) specialArg(c *Call, shape argShape) bool {
	first := len(c.Args) == 0
	switch shape {
	case shapeExtract:
		return first && l.extractArg(c)
	case shapeRound:
		return first && l.roundArg(c)
	case shapePosition:
		return first && l.split(c, "IN")
	case shapeSubstring:
		return first && l.split(c, "FROM", "FOR")
	case shapeTrim:
		return first && l.trimArg(c)
	case shapeOverlay:
		return first && l.split(c, "PLACING", "FROM", "FOR")
	case shapeUnitFirst:
		return first && l.unitArg(c)
	case shapeUnitLast:
		return !first && l.unitLast() && l.unitArg(c)
	case shapeJSONPairs:
		return l.pairArg(c)
	}
	return false
}

// split lowers an argument that is divided by words, of which the first must be there and the last may
// be left out if there are more than one. The words become commas.
func (l *lowering) split(c *Call, words ...string) bool {
	closes := l.end
	at := l.divider(words[0])
	if at == closes {
		return false
	}
	for i := range words {
		l.plainArg(c, at)
		if at == closes || l.err != nil || l.broken {
			return true
		}
		l.emit(",", at)
		l.pos = at + 1
		at = closes
		if i+1 < len(words) {
			at = l.divider(words[i+1])
		}
		if i+2 < len(words) && at == closes {
			l.missing(c, words[i+1])
			return true
		}
	}
	l.plainArg(c, closes)
	return true
}

// missing lowers the rest of an argument in which a word is missing, and reports that.
func (l *lowering) missing(c *Call, word string) {
	l.plainArg(c, l.end)
	if l.err == nil && !l.broken {
		l.wantWord(l.pos, word)
		l.unexpected()
	}
}

// divider returns the first place of a word between operands of the range, or its end.
func (l *lowering) divider(word string) int {
	return l.find(func(i int) bool {
		return l.toks[i].word == word && i > l.pos && l.toks[i-1].endsOperand() && !l.distinctFrom(i)
	})
}

// distinctFrom tells whether the token i is the FROM of IS DISTINCT FROM.
func (l *lowering) distinctFrom(i int) bool {
	return l.toks[i].word == "FROM" && l.toks[i-1].word == "DISTINCT"
}

// extractArg lowers unit FROM x.
func (l *lowering) extractArg(c *Call) bool {
	unit := unitOf[l.tok(0).word]
	if unit == "" {
		l.wantWord(l.pos, "a unit such as YEAR, DAY, HOUR or SECOND")
		l.unexpected()
		return true
	}
	l.symbolArg(c, string(unit))
	if !l.is("FROM") {
		l.wantWord(l.pos, "FROM")
		l.unexpected()
		return true
	}
	l.flow(",")
	l.plainArg(c, l.end)
	return true
}

// roundArg lowers x TO unit.
func (l *lowering) roundArg(c *Call) bool {
	to := l.end - 2
	if to <= l.pos || l.toks[to].word != "TO" || unitOf[l.toks[to+1].word] == "" {
		return false
	}
	l.plainArg(c, to)
	if l.err == nil && !l.broken {
		l.flow(",")
		l.symbolArg(c, string(unitOf[l.toks[l.pos].word]))
	}
	return true
}

// trimArg lowers [side] [chars] FROM x.
func (l *lowering) trimArg(c *Call) bool {
	from := l.find(func(i int) bool { return l.toks[i].word == "FROM" && !l.distinctFrom(i) })
	if from == l.end {
		return false
	}
	c.Args = append(c.Args, Arg{})
	switch word := l.tok(0).word; word {
	case "BOTH", "LEADING", "TRAILING":
		l.pos++
		l.hold(":v", l.pos-1, &Symbol{Span: l.toks[l.pos-1].span(), Word: word})
	default:
		l.placeholder(":v", l.pos, l.pos, &Symbol{Word: "BOTH"})
	}
	if l.pos < from {
		l.emit(",", l.pos)
		l.plainArg(c, from)
	}
	if l.err == nil && !l.broken {
		l.flow(",")
		l.plainArg(c, l.end)
	}
	return true
}

// unitLast tells whether the argument in the range is the last one of a call whose unit stands there,
// and not in a string at its beginning.
func (l *lowering) unitLast() bool {
	if l.toks[l.end].word != ")" {
		return false
	}
	first := l.toks[l.pairs[l.end]+1]
	return first.kind != tokString || unitOf[upper(unquote(l.parser.text(first)))] == ""
}

// unitArg lowers an argument that is a unit and nothing else.
func (l *lowering) unitArg(c *Call) bool {
	unit := unitOf[l.tok(0).word]
	if unit == "" || l.pos+1 != l.end {
		return false
	}
	l.symbolArg(c, string(unit))
	return true
}

// pairArg lowers [KEY] k VALUE v.
func (l *lowering) pairArg(c *Call) bool {
	if l.is("KEY") && l.tok(1).startsOperand() && !l.isAt(1, "VALUE") {
		l.pos++
	}
	value := l.divider("VALUE")
	if value == l.end {
		l.missing(c, "VALUE")
		return true
	}
	l.plainArg(c, value)
	if l.err == nil && !l.broken {
		l.flow(",")
		l.plainArg(c, l.end)
	}
	return true
}
