package state

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// maxKeyColumns is the number of bits of the word that says which columns of a key are NULL.
const maxKeyColumns = 64

type keyKind uint8

const (
	fixedKey   keyKind = iota // one word
	decimalKey                // two words
	textKey                   // two words, see textWords
)

type keyColumn struct {
	dt     arrow.DataType
	kind   keyKind
	word   int     // index of its first word
	nested *nested // makes texts of the values; nil if they are texts or not of textKey
}

// keyLayout says how the columns of a key become the 64-bit words that begin a group's row. Equal keys have equal words, but for
// the reference of a long text; so keys are compared word by word. A key of several columns ends in a word of NULL bits. In a
// single column NULL is told by the tag of its hash (its words are zero, as are those of the zero value, whose hash differs) or,
// for text, by a length no text has.
type keyLayout struct {
	columns []keyColumn
	words   int
	texts   []int // the columns of kind textKey
}

func newKeyLayout(types []arrow.DataType) (keyLayout, error) {
	var l keyLayout
	if len(types) > maxKeyColumns {
		return l, fmt.Errorf("a key has at most %d columns, got %d", maxKeyColumns, len(types))
	}
	for i, dt := range types {
		c := keyColumn{dt: dt, word: l.words}
		kind, ok := wordsOf(dt)
		if c.kind = kind; !ok {
			if c.nested = newNested(dt); c.nested == nil {
				return l, fmt.Errorf("a key column cannot be of type %s", dt)
			}
			c.kind = textKey
		}
		if c.kind == textKey {
			l.texts = append(l.texts, i)
		}
		if l.words++; c.kind != fixedKey {
			l.words++
		}
		l.columns = append(l.columns, c)
	}
	if len(types) > 1 {
		l.words++
	}
	return l, nil
}

// wordsOf tells how values of a type become words; false for types that have to be made texts first.
func wordsOf(dt arrow.DataType) (keyKind, bool) {
	switch dt.ID() {
	case arrow.STRING, arrow.BINARY:
		return textKey, true
	case arrow.DECIMAL128:
		return decimalKey, true
	case arrow.BOOL, arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64,
		arrow.FLOAT32, arrow.FLOAT64, arrow.DATE32, arrow.DATE64, arrow.TIME32, arrow.TIME64, arrow.TIMESTAMP, arrow.DURATION,
		arrow.INTERVAL_MONTHS, arrow.NULL:
		return fixedKey, true
	}
	return fixedKey, false
}

// nullWord is the index of the word of NULL bits, or -1.
func (l *keyLayout) nullWord() int {
	if len(l.columns) > 1 {
		return l.words - 1
	}
	return -1
}

// isText reports whether the key is a single text or kept as one.
func (l *keyLayout) isText() bool { return len(l.columns) == 1 && len(l.texts) == 1 }
