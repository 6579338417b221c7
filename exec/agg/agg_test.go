package agg

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func TestRegistry(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) {
		t.Error("names are not sorted")
	}
	for _, f := range Functions() {
		if f.Name == "" || f.Signature == "" || f.Doc == "" || f.Example == "" || f.ExampleResult == "" {
			t.Errorf("%s is not documented: %+v", f.Name, f)
		}
		if got, ok := Lookup(strings.ToLower(f.Name)); !ok || got != f {
			t.Errorf("%s is not found", f.Name)
		}
		if !slices.Contains(names, f.Name) {
			t.Errorf("%s has no name", f.Name)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a name could be taken twice")
		}
	}()
	Register(Function{Name: "COUNT"})
}

func TestResolveRefuses(t *testing.T) {
	str, num := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32
	cases := []struct {
		name string
		args []arrow.DataType
		opt  Options
		want string
	}{
		{"SUM", []arrow.DataType{str}, Options{}, "SUM takes a number, got STRING"},
		{"avg", []arrow.DataType{arrow.FixedWidthTypes.Date32}, Options{}, "AVG takes a number, got DATE"},
		{"SUM", []arrow.DataType{num, num}, Options{}, "SUM takes one argument, got 2"},
		{"AVG", nil, Options{}, "AVG takes one argument, got 0"},
		{"MIN", nil, Options{}, "MIN takes one argument, got 0"},
		{"MAX", []arrow.DataType{arrow.ListOf(num)}, Options{}, "MAX takes a value that has an order, got LIST"},
		{"COUNT", nil, Options{Distinct: true}, "COUNT(DISTINCT …) needs an argument"},
		{"FROB", nil, Options{}, "unknown aggregate function FROB"},
	}
	for _, c := range cases {
		_, err := Resolve(c.name, c.args, c.opt)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s%v: got %v, want %s", c.name, c.args, err, c.want)
		}
		var argument *ArgumentError
		if typed := strings.Contains(c.want, "takes a "); typed != errors.As(err, &argument) {
			t.Errorf("%s%v: the error names an argument: %v", c.name, c.args, !typed)
		}
	}
}

// run gives the values to one group of a fresh accumulator and returns its result.
func run(t *testing.T, name string, opt Options, values arrow.Array, kinds []vec.Kind) (arrow.Array, error) {
	t.Helper()
	return aggregate(t, name, opt, kinds, values)
}

// aggregate gives rows of arguments to one group of a fresh accumulator and returns its result.
func aggregate(t interface{ Fatal(...any) }, name string, opt Options, kinds []vec.Kind, args ...arrow.Array) (arrow.Array, error) {
	types := make([]arrow.DataType, len(args))
	for i, a := range args {
		types[i] = a.DataType()
	}
	call, err := Resolve(name, types, opt)
	if err != nil {
		t.Fatal(err)
	}
	acc := call.New(memory.DefaultAllocator)
	table, err := state.New(state.Config{Value: oneValue{acc, call.StateTypes}, Mem: memory.DefaultAllocator})
	if err != nil {
		t.Fatal(err)
	}
	n := args[0].Len()
	groups := table.Assign(nil, n, nil, vec.Hash(nil, n, nil, nil), nil)
	if err := acc.Update(table.Rows(), groups, Input{Args: args, Rows: n, Kinds: kinds}); err != nil {
		return nil, err
	}
	return acc.Result(table.Rows(), groups[:1])
}

func bigints(values ...int64) arrow.Array {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

func doublesOf(values ...float64) arrow.Array {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

func decimalsOf(scale int32, values ...string) arrow.Array {
	b := array.NewDecimal128Builder(memory.DefaultAllocator, decimal(scale))
	for _, v := range values {
		n, err := decimal128.FromString(v, 38, scale)
		if err != nil {
			panic(err)
		}
		b.Append(n)
	}
	return b.NewArray()
}

func TestOverflow(t *testing.T) {
	nines := strings.Repeat("9", 38)
	cases := []struct {
		name   string
		values arrow.Array
		kinds  []vec.Kind
		want   string
	}{
		{"SUM", bigints(math.MaxInt64, 1), nil, "SUM overflows BIGINT"},
		{"SUM", bigints(math.MinInt64, -1), nil, "SUM overflows BIGINT"},
		{"SUM", bigints(0, math.MinInt64), []vec.Kind{vec.Insert, vec.Delete}, "SUM overflows BIGINT"},
		{"SUM", bigints(math.MaxInt64, 1, 1), []vec.Kind{vec.Insert, vec.Insert, vec.Delete}, "SUM overflows BIGINT"},
		{"AVG", bigints(math.MaxInt64, 1), nil, "AVG overflows BIGINT"},
		{"SUM", decimalsOf(0, nines, "1"), nil, "SUM overflows DECIMAL(38,0)"},
		{"SUM", decimalsOf(0, nines, nines), nil, "SUM overflows DECIMAL(38,0)"},
		{"SUM", decimalsOf(0, "-"+nines, "-"+nines), nil, "SUM overflows DECIMAL(38,0)"},
		{"AVG", decimalsOf(0, nines), nil, "AVG overflows DECIMAL(38,6)"},
	}
	for _, c := range cases {
		if got, err := run(t, c.name, Options{Retract: c.kinds != nil}, c.values, c.kinds); err == nil || err.Error() != c.want {
			t.Errorf("%s(%v): got %v, %v, want %s", c.name, c.values, got, err, c.want)
		}
	}
}

func TestExactness(t *testing.T) {
	cases := []struct {
		name   string
		values arrow.Array
		kinds  []vec.Kind
		want   string
	}{
		{"SUM", bigints(math.MaxInt64, -1, 1), nil, "9223372036854775807"},
		{"SUM", bigints(math.MinInt64, math.MinInt64), []vec.Kind{vec.Insert, vec.Delete}, "(null)"},
		{"SUM", decimalsOf(2, "99999999999999999999.99", "-0.01"), nil, "99999999999999999999.98"},
		{"AVG", decimalsOf(2, "1.00", "1.00", "2.00"), nil, "1.333333"},
		{"AVG", decimalsOf(2, "-1.00", "-2.00", "-2.00"), nil, "-1.666667"},
		{"AVG", decimalsOf(6, "1.000001", "1.000002"), nil, "1.000002"},
		{"AVG", bigints(1, 2), nil, "1.5"},
		{"COUNT", array.NewNull(3), nil, "0"},
		{"MAX", doublesOf(1, math.NaN(), 2), nil, "NaN"},
		{"MAX", doublesOf(math.Inf(1), math.NaN()), nil, "NaN"},
		{"MIN", doublesOf(math.NaN(), 1, 2), nil, "1"},
		{"MIN", doublesOf(math.NaN(), math.NaN()), nil, "NaN"},
		{"SUM", doublesOf(1, math.Inf(1), 1, math.Inf(1)), []vec.Kind{vec.Insert, vec.Insert, vec.Delete, vec.Delete}, "(null)"},
	}
	for _, c := range cases {
		for _, retract := range []bool{false, true} {
			if c.kinds != nil && !retract {
				continue
			}
			got, err := run(t, c.name, Options{Retract: retract}, c.values, c.kinds)
			if err != nil || got.ValueStr(0) != c.want {
				t.Errorf("%s(%v), retract %v: got %v, %v, want %s", c.name, c.values, retract, got, err, c.want)
			}
		}
	}
}

// TestMultisetIsAMap compares a multiset with a sorted list.
func TestMultisetIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := multiset[int64]{compare: compareOrdered[int64]}
		model := map[int64]int64{}
		for range rapid.IntRange(0, 3000).Draw(t, "steps") {
			v := rapid.Int64Range(0, 999).Draw(t, "value")
			n := rapid.SampledFrom([]int64{-1, 1, 1}).Draw(t, "count")
			m.add(v, n)
			if model[v] += n; model[v] == 0 {
				delete(model, v)
			}
		}
		var got, want []int64
		for _, block := range m.blocks {
			if len(block.values) == 0 || len(block.values) > blockLen {
				t.Fatalf("a block of %d", len(block.values))
			}
		}
		for v, count := range m.all() {
			got = append(got, v)
			if model[v] != count {
				t.Fatalf("%d is there %d times, want %d", v, count, model[v])
			}
		}
		var present, sorted []int64
		for v, n := range model {
			want = append(want, v)
			if n > 0 {
				present = append(present, v)
			}
		}
		slices.Sort(want)
		for _, v := range want {
			for range model[v] {
				sorted = append(sorted, v)
			}
		}
		for i, v := range sorted {
			if nth, ok := m.nth(int64(i)); !ok || nth != v {
				t.Fatalf("value %d is %d, %v, want %d", i, nth, ok, v)
			}
		}
		if _, ok := m.nth(int64(len(sorted))); ok || m.present != int64(len(sorted)) {
			t.Fatalf("%d values are there, want %d", m.present, len(sorted))
		}
		probe := rapid.Int64Range(-1, 1000).Draw(t, "probe")
		at, _ := slices.BinarySearch(want, probe)
		if v, ok := m.ceiling(probe); ok != (at < len(want)) || ok && v != want[at] {
			t.Fatalf("the ceiling of %d is %d, %v, of %v", probe, v, ok, want)
		}
		if !slices.Equal(got, want) || m.len != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		least, ok := m.least()
		greatest, _ := m.greatest()
		if ok != (len(present) > 0) || ok && (least != slices.Min(present) || greatest != slices.Max(present)) {
			t.Fatalf("from %d to %d, %v, of %v", least, greatest, ok, present)
		}
	})
}
