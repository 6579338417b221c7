package agg

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
)

func init() {
	models["MODE"] = func(values []value, _ arrow.DataType) string {
		values = slices.SortedFunc(slices.Values(notNull(values)), compareValues)
		best, most := value{text: "NULL"}, 0
		for i := 0; i < len(values); {
			n := 1
			for i+n < len(values) && compareValues(values[i+n], values[i]) == 0 {
				n++
			}
			if n > most {
				best, most = values[i], n
			}
			i += n
		}
		return best.text
	}
}

// arrayOf is a column of values as Arrow writes them.
func arrayOf(dt arrow.DataType, values ...string) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, dt)
	for _, v := range values {
		if v == "NULL" {
			b.AppendNull()
		} else if err := b.AppendValueFromString(v); err != nil {
			panic(err)
		}
	}
	return b.NewArray()
}

// repeated is a column of n times the same value.
func repeated(dt arrow.DataType, value string, n int) arrow.Array {
	return arrayOf(dt, slices.Repeat([]string{value}, n)...)
}

func strs(values string) arrow.Array {
	return arrayOf(arrow.BinaryTypes.String, strings.Fields(values)...)
}

// TestPercentiles compares with the definitions over the sorted values.
func TestPercentiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-9, 9).Draw(t, "x")) / 2 }), 1, 30).Draw(t, "values")
		part := rapid.IntRange(0, 20).Draw(t, "part")
		fraction, desc := float64(part)/20, rapid.Bool().Draw(t, "descending")
		sorted := slices.Sorted(slices.Values(values))
		if desc {
			slices.Reverse(sorted)
		}
		n := len(sorted)
		discrete := sorted[max(0, (part*n+19)/20-1)]
		whole, rest := part*(n-1)/20, part*(n-1)%20
		continuous := sorted[whole]
		if rest > 0 {
			continuous += (sorted[whole+1] - sorted[whole]) * float64(rest) / 20
		}
		x, f := doublesOf(values...), repeated(double, fmt.Sprint(fraction), n)
		order := Options{Order: []SortKey{{Descending: desc}}}
		for name, want := range map[string]float64{"PERCENTILE_CONT": continuous, "PERCENTILE_DISC": discrete} {
			got, err := aggregate(t, name, order, nil, f, x)
			if err != nil || math.Abs(got.(*array.Float64).Value(0)-want) > 1e-9 {
				t.Fatalf("%s(%v) of %v is %v, %v, want %v", name, fraction, sorted, got, err, want)
			}
		}
	})
}

func TestOfSortedValues(t *testing.T) {
	num, str := arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String
	millis := arrow.FixedWidthTypes.Timestamp_ms
	list := func(values string) arrow.Array { return repeated(arrow.ListOf(double), values, 4) }
	cases := []struct {
		name string
		opt  Options
		args []arrow.Array
		want string
	}{
		{"PERCENTILE_CONT", Options{}, []arrow.Array{arrayOf(double, "1", "2", "3", "4"), list("[0, 0.5, 1]")}, "[1,2.5,4]"},
		{"PERCENTILE_CONT", Options{}, []arrow.Array{arrayOf(double, "1", "2", "3", "4"), list("[]")}, "(null)"},
		{"PERCENTILE_CONT", Options{}, []arrow.Array{arrayOf(double, "1", "+Inf"), repeated(double, "0.5", 2)}, "+Inf"},
		{"PERCENTILE_DISC", Options{}, []arrow.Array{arrayOf(str, "d", "b", "NULL", "a"), list("[0, 0.5, 1]")}, `["a","b","d"]`},
		{"PERCENTILE_DISC", Options{}, []arrow.Array{arrayOf(num, "1", "2"), repeated(double, "0.5", 2)}, "1"},
		{"PERCENTILE", Options{}, []arrow.Array{arrayOf(double, "1", "9"), repeated(double, "0.5", 2), arrayOf(bigint, "3", "1")}, "1"},
		{"PERCENTILE", Options{}, []arrow.Array{arrayOf(double, "1", "9"), repeated(double, "0.5", 2), arrayOf(bigint, "-3", "1")}, "9"},
		{"PERCENTILE", Options{}, []arrow.Array{arrayOf(double, "1", "9"), repeated(double, "0.5", 2), arrayOf(bigint, "0", "0")}, "(null)"},
		{"MEDIAN", Options{}, []arrow.Array{arrayOf(double, "1", "9", "NULL", "2")}, "2"},
		{"MEDIAN", Options{}, []arrow.Array{arrayOf(millis, "2024-01-01 00:00:00", "2024-01-01 00:00:01.001")}, "2024-01-01 00:00:00.501Z"},
		{"MODE", Options{}, []arrow.Array{arrayOf(str, "b", "a", "b", "a", "c")}, "a"},
		{"MODE", Options{Order: []SortKey{{Descending: true}}}, []arrow.Array{arrayOf(str, "b", "a", "b", "a", "c")}, "b"},
		{"TOPK", Options{}, []arrow.Array{arrayOf(num, "3", "NULL", "5", "5", "1"), repeated(bigint, "3", 5)}, "[5,5,3]"},
		{"TOPK", Options{Distinct: true}, []arrow.Array{arrayOf(num, "3", "NULL", "5", "5", "1"), repeated(bigint, "3", 5)}, "[5,3,1]"},
		{"COLLECT", Options{}, []arrow.Array{arrayOf(str, "b", "NULL", "a", "b")}, `[{"key":"a","value":1},{"key":"b","value":2}]`},
		{"HISTOGRAM", Options{}, []arrow.Array{arrayOf(arrow.ListOf(num), "[2]", "[1, 3]", "[2]")}, `[{"key":[1,3],"value":1},{"key":[2],"value":2}]`},
	}
	for _, c := range cases {
		got, err := aggregate(t, c.name, c.opt, nil, c.args...)
		if err != nil || got.ValueStr(0) != c.want {
			t.Errorf("%s%v: got %v, %v, want %s", c.name, c.args, got, err, c.want)
		}
	}
}

func TestParametersAreChecked(t *testing.T) {
	x := arrayOf(double, "1", "2")
	cases := []struct {
		name string
		args []arrow.Array
		want string
	}{
		{"PERCENTILE", []arrow.Array{x, arrayOf(double, "0.5", "0.6")}, "PERCENTILE: its second argument has to be the same in all rows of a group"},
		{"PERCENTILE", []arrow.Array{x, repeated(double, "1.5", 2)}, "PERCENTILE takes a fraction from 0 to 1 as its second argument, got 1.5"},
		{"PERCENTILE", []arrow.Array{x, repeated(double, "NaN", 2)}, "PERCENTILE takes a fraction from 0 to 1 as its second argument, got NaN"},
		{"PERCENTILE", []arrow.Array{x, repeated(arrow.ListOf(double), "[null]", 2)}, "PERCENTILE: its second argument has a NULL in it"},
		{"TOPK", []arrow.Array{x, repeated(bigint, "0", 2)}, "TOPK takes a number from 1 as its second argument, got 0"},
	}
	for _, c := range cases {
		if got, err := aggregate(t, c.name, Options{}, nil, c.args...); err == nil || err.Error() != c.want {
			t.Errorf("%s%v: got %v, %v, want %s", c.name, c.args, got, err, c.want)
		}
	}
}

// TestParameterOfANewBeginning: when all rows of a group have gone, the next ones may have another parameter.
func TestParameterOfANewBeginning(t *testing.T) {
	kinds := []vec.Kind{vec.Insert, vec.Delete, vec.Insert, vec.Insert}
	got, err := aggregate(t, "TOPK", Options{Retract: true}, kinds, arrayOf(double, "1", "1", "2", "3"), arrayOf(bigint, "1", "1", "2", "2"))
	if err != nil || got.ValueStr(0) != "[3,2]" {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestTopKComesBack: what was not among the greatest is, once one of those has gone.
func TestTopKComesBack(t *testing.T) {
	kinds := []vec.Kind{vec.Insert, vec.Insert, vec.Insert, vec.Delete}
	got, err := aggregate(t, "TOPK", Options{Retract: true}, kinds, arrayOf(double, "1", "2", "3", "3"), repeated(bigint, "2", 4))
	if err != nil || got.ValueStr(0) != "[2,1]" {
		t.Errorf("got %v, %v", got, err)
	}
}
