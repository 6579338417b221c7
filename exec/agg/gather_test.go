package agg

import (
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"pgregory.net/rapid"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func asc() []SortKey  { return []SortKey{{}} }
func desc() []SortKey { return []SortKey{{Descending: true, NullsFirst: true}} }

func TestOfRowsInOrder(t *testing.T) {
	str, num := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32
	x, k := arrayOf(str, "b", "NULL", "a", "b"), arrayOf(num, "2", "1", "NULL", "1")
	comma := repeated(str, "+", 4)
	cases := []struct {
		name string
		opt  Options
		args []arrow.Array
		want string
	}{
		{"ARRAY_AGG", Options{}, []arrow.Array{x}, `["b",null,"a","b"]`},
		{"ARRAY_AGG", Options{Nulls: IgnoreNulls}, []arrow.Array{x}, `["b","a","b"]`},
		{"ARRAY_AGG", Options{Distinct: true}, []arrow.Array{x}, `["b",null,"a"]`},
		{"ARRAY_AGG", Options{Order: asc()}, []arrow.Array{x, k}, `[null,"b","b","a"]`},
		{"ARRAY_AGG", Options{Order: desc()}, []arrow.Array{x, k}, `["a","b",null,"b"]`},
		{"ARRAY_AGG", Options{Order: []SortKey{{NullsFirst: true}, {Descending: true}}}, []arrow.Array{x, x, k}, `[null,"a","b","b"]`},
		{"LISTAGG", Options{}, []arrow.Array{x}, "b,a,b"},
		{"LISTAGG", Options{}, []arrow.Array{x, comma}, "b+a+b"},
		{"LISTAGG", Options{Order: asc()}, []arrow.Array{x, comma, x}, "a+b+b"},
		{"LISTAGG", Options{Order: desc()}, []arrow.Array{x, k}, "a,b,b"},
		{"LISTAGG", Options{}, []arrow.Array{arrayOf(str, "", "", "NULL")}, ","},
		{"LISTAGG", Options{}, []arrow.Array{arrayOf(str, "NULL")}, "(null)"},
		{"FIRST_VALUE", Options{}, []arrow.Array{arrayOf(str, "NULL", "b", "a")}, "b"},
		{"FIRST_VALUE", Options{Nulls: RespectNulls}, []arrow.Array{arrayOf(str, "NULL", "b", "a")}, "(null)"},
		{"LAST_VALUE", Options{}, []arrow.Array{arrayOf(str, "a", "b", "NULL")}, "b"},
		{"LAST_VALUE", Options{Nulls: RespectNulls}, []arrow.Array{arrayOf(str, "a", "b", "NULL")}, "(null)"},
		{"FIRST_VALUE", Options{Order: asc()}, []arrow.Array{x, k}, "b"},
		{"FIRST_VALUE", Options{Order: asc(), Nulls: RespectNulls}, []arrow.Array{x, k}, "(null)"},
		{"LAST_VALUE", Options{Order: asc()}, []arrow.Array{x, k}, "a"},
		{"LAST_VALUE", Options{Order: desc()}, []arrow.Array{x, k}, "b"},
		{"ARG_MIN", Options{}, []arrow.Array{arrayOf(num, "7", "8", "9", "6"), arrayOf(double, "2", "NaN", "1", "1")}, "6"},
		{"ARG_MAX", Options{}, []arrow.Array{arrayOf(num, "7", "NULL", "9", "5"), arrayOf(str, "a", "zz", "z", "z")}, "5"},
		{"ANY_VALUE", Options{}, []arrow.Array{arrayOf(arrow.ListOf(num), "NULL", "[2]", "[1, 5]")}, "[1,5]"},
		{"JSON_ARRAYAGG", Options{}, []arrow.Array{x}, `["b","a","b"]`},
		{"JSON_ARRAYAGG", Options{Nulls: RespectNulls}, []arrow.Array{x}, `["b",null,"a","b"]`},
		{"JSON_ARRAYAGG", Options{Nulls: RespectNulls, Order: asc()}, []arrow.Array{x, k}, `[null,"b","b","a"]`},
		{"JSON_ARRAYAGG", Options{}, []arrow.Array{decimalsOf(2, "1.50", "2.00")}, `[1.50,2.00]`},
		{"JSON_ARRAYAGG", Options{}, []arrow.Array{arrayOf(arrow.ListOf(num), "[1, null]", "[]")}, `[[1,null],[]]`},
		{"JSON_OBJECTAGG", Options{}, []arrow.Array{arrayOf(str, "b", "NULL", "a\"\n", "c"), k}, `{"a\"\n":null,"b":2,"c":1}`},
		{"JSON_OBJECTAGG", Options{Nulls: IgnoreNulls}, []arrow.Array{arrayOf(str, "b", "NULL", "a", "c"), k}, `{"b":2,"c":1}`},
	}
	for _, c := range cases {
		for _, retract := range []bool{false, true} {
			opt := c.opt
			opt.Retract = retract
			got, err := aggregate(t, c.name, opt, make([]vec.Kind, c.args[0].Len()), c.args...)
			if err != nil || got.ValueStr(0) != c.want {
				t.Errorf("%s%v %+v: got %v, %v, want %s", c.name, c.args, opt, got, err, c.want)
			}
		}
	}
}

func TestObjectWithAKeyTwice(t *testing.T) {
	const want = `JSON_OBJECTAGG: the key "a" is there more than once in a group`
	for _, values := range []arrow.Array{arrayOf(bigint, "1", "1"), arrayOf(bigint, "1", "2")} {
		if got, err := aggregate(t, "JSON_OBJECTAGG", Options{}, nil, strs("a a"), values); err == nil || err.Error() != want {
			t.Errorf("got %v, %v, want %s", got, err, want)
		}
	}
}

// TestSequenceIsAList compares a sequence with a list from which the first equal value is removed.
func TestSequenceIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, err := state.New(state.Config{Value: oneValue{Accumulator: newSequenced(gatherFunction{keeping: keep("", record{})}, nil, Options{})}})
		if err != nil {
			t.Fatal(err)
		}
		groups := table.Assign(nil, 1, nil, vec.Hash(nil, 1, nil, nil), nil)
		s := sequences{removable: true}
		q := s.make(table.Rows(), groups[0])
		var want []string
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			v := rapid.SampledFrom([]string{"", "a", "ab", "eightbyt", "more than eight", "more than eight, too"}).Draw(t, "value")
			if rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
				s.remove(q, []byte(v))
				if i := slices.Index(want, v); i >= 0 {
					want = slices.Delete(want, i, i+1)
				}
				continue
			}
			s.push(q, []byte(v))
			want = append(want, v)
		}
		var got []string
		for v := range s.strings(q) {
			got = append(got, string(v))
		}
		if !slices.Equal(got, want) || len(q.entries)-q.gone != len(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		if n := len(q.entries); n > 0 && (q.entries[0].isGone() || q.entries[n-1].isGone() || 2*q.gone > n) {
			t.Fatalf("%d of %d entries have gone", q.gone, n)
		}
		s.Free(table.Rows(), groups)
		if s.Bytes() != 0 || s.kept != 0 {
			t.Fatalf("%d bytes, %d strings are left", s.Bytes(), s.kept)
		}
	})
}
