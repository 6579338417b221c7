package expr

import "github.com/tidwall/gjson"

// uniqueJSON writes a JSON document without blanks and looks at the keys of its objects. Of members with the same key it takes the
// last one or, unless repeats are allowed, stops.
type uniqueJSON struct {
	doc     string
	at      int
	dst     []byte
	repeats bool
	twice   bool         // a key has come again that must not
	members []jsonMember // of the objects around the place, those of the innermost last
}

// jsonMember is a key and where its member is written, with a comma behind it; nowhere if it has been replaced.
type jsonMember struct {
	key      string
	from, to int
}

// mostSearched is how many members of an object are searched one by one.
const mostSearched = 16

// append appends a document that is valid JSON and reports whether its keys are as they should be.
func (w *uniqueJSON) append(dst []byte, doc string, repeats bool) (out []byte, ok bool) {
	*w = uniqueJSON{doc: doc, dst: dst, repeats: repeats, members: w.members[:0]}
	w.value()
	return w.dst, !w.twice
}

func (w *uniqueJSON) value() {
	switch w.next() {
	case '{':
		w.object()
	case '[':
		w.array()
	case '"':
		w.dst = append(w.dst, w.text()...)
	default:
		start := w.at
		for w.at < len(w.doc) && !isJSONBreak(w.doc[w.at]) {
			w.at++
		}
		w.dst = append(w.dst, w.doc[start:w.at]...)
	}
}

func isJSONBreak(c byte) bool { return c <= ' ' || c == ',' || c == ']' || c == '}' }

// next is the next character that is no blank.
func (w *uniqueJSON) next() byte {
	for w.doc[w.at] <= ' ' {
		w.at++
	}
	return w.doc[w.at]
}

// text reads a string with its quotes.
func (w *uniqueJSON) text() string {
	start := w.at
	for w.at++; w.doc[w.at] != '"'; w.at++ {
		if w.doc[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.doc[start:w.at]
}

func (w *uniqueJSON) array() {
	w.at++
	w.dst = append(w.dst, '[')
	for w.next() != ']' {
		w.value()
		if w.twice {
			return
		}
		if w.next() == ',' {
			w.at++
			w.dst = append(w.dst, ',')
		}
	}
	w.at++
	w.dst = append(w.dst, ']')
}

func (w *uniqueJSON) object() {
	w.at++
	w.dst = append(w.dst, '{')
	own := len(w.members)
	var index map[string]int // of the members, if there are many
	for w.next() != '}' {
		text := w.text()
		key := gjson.Parse(text).String()
		if before := w.find(own, key, &index); before >= 0 {
			if !w.repeats {
				w.twice = true
				return
			}
			w.remove(before)
		}
		from := len(w.dst)
		w.dst = append(w.dst, text...)
		w.next()
		w.at++ // the colon
		w.dst = append(w.dst, ':')
		w.value()
		if w.twice {
			return
		}
		w.dst = append(w.dst, ',')
		w.members = append(w.members, jsonMember{key, from, len(w.dst)})
		if index != nil {
			index[key] = len(w.members) - 1
		}
		if w.next() == ',' {
			w.at++
		}
	}
	w.at++
	if len(w.members) > own {
		w.dst = w.dst[:len(w.dst)-1]
	}
	w.members = w.members[:own]
	w.dst = append(w.dst, '}')
}

// find is the place of a key's member among those from own on, -1 if there is none.
func (w *uniqueJSON) find(own int, key string, index *map[string]int) int {
	members := w.members[own:]
	if len(members) <= mostSearched {
		for i := len(members) - 1; i >= 0; i-- {
			if m := members[i]; m.to > 0 && m.key == key {
				return own + i
			}
		}
		return -1
	}
	if *index == nil {
		*index = map[string]int{}
		for i, m := range members {
			if m.to > 0 {
				(*index)[m.key] = own + i
			}
		}
	}
	if i, ok := (*index)[key]; ok {
		return i
	}
	return -1
}

// remove takes out a member of the innermost object.
func (w *uniqueJSON) remove(i int) {
	gone := w.members[i]
	n := gone.to - gone.from
	w.dst = append(w.dst[:gone.from], w.dst[gone.to:]...)
	w.members[i] = jsonMember{}
	for j := i + 1; j < len(w.members); j++ {
		if m := &w.members[j]; m.to > 0 {
			m.from, m.to = m.from-n, m.to-n
		}
	}
}
