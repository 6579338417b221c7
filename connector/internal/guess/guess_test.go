package guess

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

func TestText(t *testing.T) {
	for in, want := range map[string]arrow.DataType{
		"12": bigint, "-3": bigint, "1.5": double, "1e3": double, "99999999999999999999": double, "true": boolean, "True": varchar,
		"2024-01-31": date, "2024-01-31 10:00:00": timestamp, "2024-01-31T10:00:00.5": timestamp, "2024-13-31": varchar, "a": varchar, "": varchar, "-": varchar,
	} {
		if got := Text([]byte(in)); !arrow.TypeEqual(got, want) {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestMerge(t *testing.T) {
	row := func(fields ...arrow.Field) arrow.DataType { return arrow.StructOf(fields...) }
	field := func(name string, t arrow.DataType) arrow.Field {
		return arrow.Field{Name: name, Type: t, Nullable: true}
	}
	for _, c := range []struct{ a, b, want arrow.DataType }{
		{null, bigint, bigint},
		{bigint, null, bigint},
		{bigint, double, double},
		{bigint, varchar, varchar},
		{date, timestamp, varchar}, // a date is no timestamp's text
		{date, bigint, varchar},
		{arrow.ListOf(bigint), arrow.ListOf(null), arrow.ListOf(bigint)},
		{arrow.ListOf(bigint), varchar, varchar},
		{row(field("a", bigint)), row(field("b", varchar), field("a", double)), row(field("a", double), field("b", varchar))},
	} {
		if got := Merge(c.a, c.b); !arrow.TypeEqual(got, c.want) {
			t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
	if got := Settle(arrow.ListOf(row(field("a", null)))); !arrow.TypeEqual(got, arrow.ListOf(row(field("a", varchar)))) {
		t.Errorf("settled: %s", got)
	}
}
