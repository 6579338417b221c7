package expr

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// nestedText writes an ARRAY, MAP or ROW of one row as its constructor.
func nestedText(arr arrow.Array) string {
	switch a := arr.(type) {
	case *array.Map:
		return "MAP[" + strings.Join(entryTexts(a), ", ") + "]"
	case *array.Struct:
		return "ROW(" + strings.Join(fieldTexts(a), ", ") + ")"
	case array.ListLike:
		from, to := a.ValueOffsets(0)
		return "ARRAY[" + strings.Join(elementTexts(a.ListValues(), int(from), int(to)), ", ") + "]"
	}
	return ""
}

func elementTexts(elements arrow.Array, from, to int) []string {
	texts := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		l, _ := literalAt(elements, i)
		texts = append(texts, l.String())
	}
	return texts
}

func entryTexts(m *array.Map) []string {
	from, to := m.ValueOffsets(0)
	entries := m.ListValues().(*array.Struct)
	keys, items := elementTexts(entries.Field(0), int(from), int(to)), elementTexts(entries.Field(1), int(from), int(to))
	var texts []string
	for i := range keys {
		texts = append(texts, keys[i], items[i])
	}
	return texts
}

func fieldTexts(row *array.Struct) []string {
	var texts []string
	for i := range row.NumField() {
		texts = append(texts, elementTexts(row.Field(i), 0, 1)...)
	}
	return texts
}
