package expr

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
)

const (
	regexReason  = "Go's regular expressions give the places of a match in a slice of its own"
	bitmapReason = "the bitmap library makes containers when it reads, which are kept while the bytes stay the same"
)

// allocating are the functions that allocate for each row, with the reason.
var allocating = map[string]string{
	"BITMAP_AND": bitmapReason, "BITMAP_ANDNOT": bitmapReason, "BITMAP_OR": bitmapReason, "BITMAP_XOR": bitmapReason,
	"BITMAP_FROM_BYTES": bitmapReason, "BITMAP_TO_BYTES": bitmapReason, "BITMAP_BUILD": bitmapReason, "BITMAP_CARDINALITY": bitmapReason, "BITMAP_TO_STRING": bitmapReason,
	"REGEXP_COUNT": regexReason, "REGEXP_EXTRACT": regexReason, "REGEXP_INSTR": regexReason, "REGEXP_REPLACE": regexReason,
	"REGEXP_SUBSTR": regexReason,
	"NORMALIZE":     "the library reorders text that is not in the form yet in a buffer of its own",
}

// compiling are the functions that allocate when an argument changes from row to row, with what it is; a format comes first.
var compiling = map[string]string{
	"AT TIME ZONE": "a time zone", "CONVERT_TZ": "a time zone",
	"DATE_FORMAT": "a pattern", "TO_DATE": "a pattern", "TO_TIMESTAMP": "a pattern", "FORMAT_TIMESTAMP": "a format",
	"PARSE_TIMESTAMP": "a format", "PRINTF": "a format",
	"LIKE": "a pattern", "ILIKE": "a pattern", "SIMILAR TO": "a pattern", "REGEXP": "a pattern", "REGEXP_LIKE": "a pattern", "RLIKE": "a pattern",
	"JSON_EXISTS": "a path", "JSON_EXTRACT": "a path", "JSON_LENGTH": "a path", "JSON_TYPE": "a path", "JSON_QUERY": "a path", "JSON_VALUE": "a path",
}

// TestNoAllocationPerRow evaluates every function whose result is of fixed width or a text over few rows and over many, and wants
// as many allocations. Its arguments are columns, or all but the first are constants; the values are those of the example, and random
// ones.
func TestNoAllocationPerRow(t *testing.T) {
	if raced {
		t.Skip("allocations are not counted under the race detector")
	}
	for _, f := range Functions() {
		for _, args := range exampleCalls(t, f) {
			for _, form := range []string{"columns", "constants"} {
				for _, values := range []string{"example", "random"} {
					t.Run(f.Name+"/"+form+"/"+values, func(t *testing.T) { checkAllocations(t, f, args, form == "constants", values == "random") })
				}
			}
		}
	}
}

// exampleCalls lists the arguments of the function's calls in its example.
func exampleCalls(t *testing.T, f *Function) (calls [][]Expr) {
	if f.Stateful || f.Name == "EXISTS" {
		return nil
	}
	_, err := bindWith(f.Example, binding{called: func(name string, args []Expr) {
		if fn, err := Lookup(name); err == nil && fn == f && len(args) > 0 {
			calls = append(calls, args)
		}
	}})
	if err != nil {
		t.Errorf("%s: %v", f.Example, err)
	}
	return calls
}

const fewRows, manyRows = 128, 1152

func checkAllocations(t *testing.T, f *Function, args []Expr, constants, random bool) {
	settings := Settings{EvalErrors: Null, Clock: func() time.Time { return time.Unix(1700000000, 0) }}
	args = slices.Clone(args)
	var columns []*Column
	var literals []*Literal
	for i, a := range args {
		l, ok := a.(*Literal)
		if !ok || l.T.ID() == arrow.NULL || constants && i > 0 {
			continue
		}
		c := &Column{Index: len(columns), Name: string(rune('a' + i)), T: l.T, Null: random}
		was := args[i]
		args[i] = c
		if _, err := NewCall(f.Name, args, settings); err != nil {
			args[i] = was // which has to be a literal
			continue
		}
		columns, literals = append(columns, c), append(literals, l)
	}
	call, err := NewCall(f.Name, args, settings)
	if err != nil {
		t.Fatal(err)
	}
	if arrow.IsNested(call.Type().ID()) || len(columns) == 0 {
		return // an array, map or row is made of what it holds; constants are folded
	}
	few, many := allocations(t, call, settings, literals, fewRows, random), allocations(t, call, settings, literals, manyRows, random)
	perRow := (many - few) / (manyRows - fewRows)
	changing := compiling[f.Name]
	if allocating[f.Name] != "" || random && changing != "" && (!constants || changing == "a format") {
		return
	}
	if perRow > 0.02 {
		t.Errorf("%s allocates %.2f times a row", call, perRow)
	}
	if few > 60 {
		t.Errorf("%s allocates %v times a batch", call, few)
	}
}

// allocations counts those of a batch of columns full of the literals or, if random, of random values of their types.
func allocations(t *testing.T, call Expr, s Settings, literals []*Literal, rows int, random bool) float64 {
	mem := memory.DefaultAllocator
	cols := make([]arrow.Array, len(literals))
	for i, l := range literals {
		if random {
			cols[i] = randomColumn(l.T, rows)
			continue
		}
		p, err := Compile(mem, []Expr{l}, s)
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Eval(vec.Batch{Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		cols[i] = out[0]
	}
	p, err := Compile(mem, []Expr{call}, s)
	if err != nil {
		t.Fatal(err)
	}
	batch := vec.NewBatch(rows, cols)
	return testing.AllocsPerRun(5, func() {
		out, err := p.Eval(batch)
		if err != nil {
			t.Fatal(err)
		}
		out[0].Release()
	})
}

// randomColumn is always the same for a type and a number of rows: 64 values, again and again.
func randomColumn(dt arrow.DataType, rows int) arrow.Array {
	mem := memory.DefaultAllocator
	values := rapid.Custom(func(t *rapid.T) arrow.Array { return vectest.Array(t, mem, dt, 64) }).Example(7)
	parts := make([]arrow.Array, rows/64)
	for i := range parts {
		parts[i] = values
	}
	all, err := array.Concatenate(parts, mem)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", dt, err))
	}
	return all
}

// TestConstantsAreFolded wants an expression of constants to be a constant, unless it is of the moment or has to stay as it is written.
func TestConstantsAreFolded(t *testing.T) {
	for _, f := range Functions() {
		if f.Stateful || f.Name == "EXISTS" {
			continue
		}
		e := mustBind(t, f.Example)
		c, ok := e.(*Call)
		if _, folded := e.(*Literal); !folded && IsDeterministic(e) && !(ok && c.overload.Unfolded) {
			t.Errorf("%s stays %s", f.Example, e)
		}
	}
}

// TestEveryOverloadConforms wants calls of every overload to be found by the conformance test.
func TestEveryOverloadConforms(t *testing.T) {
	for _, f := range functions {
		for i := range f.Overloads {
			found := false
			for seed := 0; seed < 50 && !found && !f.Stateful; seed++ {
				found = rapid.Custom(func(t *rapid.T) bool {
					s := drawSubject(t, f, &f.Overloads[i])
					_, err := NewCall(f.Name, s.args, s.settings)
					return err == nil
				}).Example(seed)
			}
			if !found && !f.Stateful {
				t.Errorf("%s: no arguments are found for overload %d", f.Name, i)
			}
		}
	}
}
