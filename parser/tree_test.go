package parser

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// dump writes a tree without places and without what was quoted, so that equal trees have equal dumps.
func dump(v any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(v))
	return b.String()
}

var spanType = reflect.TypeOf(Span{})

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("-")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			dumpValue(b, v.Index(i))
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.Struct:
		b.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			name, field := v.Type().Field(i).Name, v.Field(i)
			if field.Type() == spanType || name == "Quoted" || isEmpty(field) {
				continue
			}
			b.WriteString(name + ":")
			dumpValue(b, field)
			b.WriteString(" ")
		}
		b.WriteString("}")
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}

// isEmpty tells whether a field holds nothing; structs may hold a place, and a missing list is an empty one.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		return false
	case reflect.Slice:
		return v.Len() == 0
	}
	return v.IsZero()
}

// mustParse parses statements that are good.
func mustParse(t testing.TB, src string) []Stmt {
	t.Helper()
	stmts, err := Parse("q.sql", src)
	if err != nil {
		t.Fatalf("%s\nin %s", details(err), src)
	}
	return stmts
}

// checkRoundTrip checks that the printed text of a statement parses to the same tree and prints the
// same again.
func checkRoundTrip(t testing.TB, s Stmt) {
	t.Helper()
	text := Format(s)
	again, err := Parse("printed", text)
	if err != nil || len(again) != 1 {
		t.Fatalf("%d statements, %s\nin printed %s", len(again), details(err), text)
	}
	if a, b := dump(s), dump(again[0]); a != b {
		t.Fatalf("the printed text\n%s\nparses to another tree\n%s\nthan\n%s", text, b, a)
	}
	if second := Format(again[0]); second != text {
		t.Fatalf("printed again\n%s\nis not\n%s", second, text)
	}
}

func TestCorpusRoundTrip(t *testing.T) {
	for _, e := range goodStatements(t) {
		t.Run(e.name, func(t *testing.T) {
			for _, s := range mustParse(t, e.text) {
				checkRoundTrip(t, s)
			}
		})
	}
}
