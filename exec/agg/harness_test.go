package agg

import (
	"math"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/state"
	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
	"streamsql/internal/bitmap"
)

// groupsOf is a table of groups by INT key, with one accumulator.
type groupsOf struct {
	t     *rapid.T
	mem   memory.Allocator
	call  Call
	acc   Accumulator
	table *state.Table
}

// oneValue is an accumulator as the value of a table.
type oneValue struct {
	Accumulator
	types []arrow.DataType
}

func (v oneValue) Types() []arrow.DataType               { return v.types }
func (v oneValue) Free(rows state.Rows, groups []uint32) { free(v.Accumulator, rows, groups) }
func (v oneValue) Bytes() int64                          { return bytesOf(v.Accumulator) }

func newGroups(t *rapid.T, mem memory.Allocator, call Call) *groupsOf {
	acc := call.New(mem)
	if acc.Width()%8 != 0 {
		t.Fatalf("width %d", acc.Width())
	}
	table, err := state.New(state.Config{
		Keys: []arrow.DataType{arrow.PrimitiveTypes.Int32}, Value: oneValue{acc, call.StateTypes}, Mem: mem,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &groupsOf{t, mem, call, acc, table}
}

// batch is rows of a key and arguments.
type batch struct {
	key  arrow.Array
	args []arrow.Array
	sel  []uint32
	kind []vec.Kind
}

func (b batch) release() {
	b.key.Release()
	vec.Batch{Cols: b.args}.Release()
}

func (b batch) rows() []uint32 {
	rows := []uint32{}
	v := vec.Batch{Rows: b.key.Len(), Sel: b.sel}
	for i := range v.Len() {
		rows = append(rows, uint32(v.Row(i)))
	}
	return rows
}

// drawing draws batches of a call's arguments.
type drawing struct {
	t          *rapid.T
	mem        memory.Allocator
	call       Call
	parameters map[int]string // the value of each argument that has to be the same everywhere
	keys       *int           // how many different texts have been drawn
}

func newDrawing(t *rapid.T, mem memory.Allocator, call Call) drawing {
	d := drawing{t, mem, call, map[int]string{}, new(int)}
	for _, p := range call.Parameters {
		d.parameters[p] = rapid.SampledFrom(parameterValues[call.Args[p].ID()]).Draw(t, "parameter")
	}
	return d
}

// parameterValues are values for parameters of any function, as Arrow writes them.
var parameterValues = map[arrow.Type][]string{
	arrow.FLOAT32: {"0", "0.25", "0.5", "1"}, arrow.FLOAT64: {"0", "0.25", "0.5", "1"}, arrow.INT64: {"1", "2", "5"},
	arrow.STRING: {"", ",", "; "}, arrow.LIST: {"[0.5]", "[0, 0.25, 1]", "[]"},
}

func (d drawing) batch() batch {
	n := rapid.IntRange(0, 25).Draw(d.t, "rows")
	b := batch{key: drawKeys(d.t, d.mem, n), sel: vectest.Selection(d.t, n)}
	for i, dt := range d.call.Args {
		b.args = append(b.args, d.argument(i, dt, n))
	}
	return b
}

// argument draws n values of an argument that the function takes.
func (d drawing) argument(i int, dt arrow.DataType, n int) arrow.Array {
	if value, ok := d.parameters[i]; ok {
		return d.parameter(dt, value, n)
	}
	arg := finite(d.mem, vectest.Array(d.t, d.mem, dt, n))
	switch {
	case d.call.Name == "JSON_OBJECTAGG" && i == 0:
		return d.unique(arg)
	case strings.HasPrefix(d.call.Name, "BITMAP_") && dt.ID() == arrow.BINARY:
		return d.bitmaps(arg)
	}
	return arg
}

// unique replaces texts that are not NULL by ones that are nowhere else. It consumes arr.
func (d drawing) unique(arr arrow.Array) arrow.Array {
	defer arr.Release()
	b := array.NewStringBuilder(d.mem)
	defer b.Release()
	for i := range arr.Len() {
		if arr.IsNull(i) {
			b.AppendNull()
			continue
		}
		b.Append(strconv.Itoa(*d.keys))
		*d.keys++
	}
	return b.NewArray()
}

// bitmaps replaces BYTES that are not NULL by bitmaps. It consumes arr.
func (d drawing) bitmaps(arr arrow.Array) arrow.Array {
	defer arr.Release()
	b := array.NewBinaryBuilder(d.mem, arrow.BinaryTypes.Binary)
	defer b.Release()
	members := rapid.SliceOfN(rapid.OneOf(rapid.Uint32Range(0, 5), rapid.Uint32()), 0, 5)
	for i := range arr.Len() {
		if arr.IsNull(i) {
			b.AppendNull()
			continue
		}
		b.Append(bitmap.Append(nil, roaring.BitmapOf(members.Draw(d.t, "members")...)))
	}
	return b.NewArray()
}

// parameter is n values, of which the first may be NULL.
func (d drawing) parameter(dt arrow.DataType, value string, n int) arrow.Array {
	b := array.NewBuilder(d.mem, dt)
	defer b.Release()
	for i := range n {
		if i == 0 && rapid.Bool().Draw(d.t, "no parameter") {
			b.AppendNull()
			continue
		}
		if err := b.AppendValueFromString(value); err != nil {
			panic(err)
		}
	}
	return b.NewArray()
}

func drawKeys(t *rapid.T, mem memory.Allocator, n int) arrow.Array {
	b := array.NewInt32Builder(mem)
	defer b.Release()
	for range n {
		b.Append(rapid.Int32Range(0, 3).Draw(t, "key"))
	}
	return b.NewArray()
}

// finite replaces infinite values and NaN, which cannot be retracted from a sum. It consumes arr.
func finite(mem memory.Allocator, arr arrow.Array) arrow.Array {
	if !isFloat(arr.DataType()) {
		return arr
	}
	defer arr.Release()
	b := array.NewBuilder(mem, arr.DataType())
	defer b.Release()
	for i := range arr.Len() {
		text := arr.ValueStr(i)
		if v, err := strconv.ParseFloat(text, 64); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			text = "7"
		}
		if err := b.AppendValueFromString(text); err != nil {
			panic(err)
		}
	}
	return b.NewArray()
}

func (g *groupsOf) assign(key arrow.Array, sel []uint32) []uint32 {
	cols := []arrow.Array{key}
	return g.table.Assign(cols, key.Len(), sel, vec.Hash(cols, key.Len(), sel, nil), nil)
}

func (g *groupsOf) update(b batch) {
	groups := g.assign(b.key, b.sel)
	in := Input{Args: b.args, Rows: b.key.Len(), Sel: b.sel, Kinds: b.kind}
	if err := g.acc.Update(g.table.Rows(), groups, in); err != nil {
		g.t.Fatal(err)
	}
}

// dump is the keys of all groups, sorted, and what columns gives for them.
func (g *groupsOf) dump(columns func(rows state.Rows, groups []uint32) ([]arrow.Array, error)) (keys arrow.Array, cols []arrow.Array) {
	all := g.table.Groups(nil)
	keyed := g.table.Keys(all)[0]
	byKey := map[int32]uint32{}
	for i, group := range all {
		byKey[keyed.(*array.Int32).Value(i)] = group
	}
	keyed.Release()
	sorted := []uint32{}
	for k := range int32(4) {
		if group, ok := byKey[k]; ok {
			sorted = append(sorted, group)
		}
	}
	cols, err := columns(g.table.Rows(), sorted)
	if err != nil {
		g.t.Fatal(err)
	}
	return g.table.Keys(sorted)[0], cols
}

func (g *groupsOf) state() (keys arrow.Array, cols []arrow.Array) {
	return g.dump(g.acc.State)
}

func (g *groupsOf) results() (keys, result arrow.Array) {
	keys, cols := g.dump(func(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
		r, err := g.acc.Result(rows, groups)
		return []arrow.Array{r}, err
	})
	return keys, cols[0]
}

// merge adds the state of another table.
func (g *groupsOf) merge(o *groupsOf) {
	keys, cols := o.state()
	defer keys.Release()
	defer vec.Batch{Cols: cols}.Release()
	for i, c := range cols {
		if !arrow.TypeEqual(c.DataType(), g.call.StateTypes[i]) {
			g.t.Fatalf("state column %d is %s, declared as %s", i, c.DataType(), g.call.StateTypes[i])
		}
	}
	groups := g.assign(keys, nil)
	if err := g.acc.Merge(g.table.Rows(), groups, cols); err != nil {
		g.t.Fatal(err)
	}
}

// requireSameResults compares the results of all groups. A group of o without rows may be missing here.
func (g *groupsOf) requireSameResults(o *groupsOf) {
	g.t.Helper()
	k1, r1 := g.results()
	k2, r2 := o.results()
	defer vec.Batch{Cols: []arrow.Array{k1, r1, k2, r2}}.Release()
	if !arrow.TypeEqual(r1.DataType(), g.call.Result) {
		g.t.Fatalf("result is %s, declared as %s", r1.DataType(), g.call.Result)
	}
	same := array.WithNaNsEqual(true)
	if !array.ApproxEqual(k1, k2, same) || !array.ApproxEqual(r1, r2, same) {
		g.t.Fatalf("%s: %v %v\nnot %v %v", g.call.Name, k1, r1, k2, r2)
	}
}

// close deletes all groups and checks that nothing is kept for them.
func (g *groupsOf) close() {
	if err := g.table.Delete(g.table.Groups(nil)); err != nil {
		g.t.Fatal(err)
	}
	switch acc := g.acc.(type) {
	case *distinct:
		if acc.members.Len() != 0 {
			g.t.Fatalf("%d members are kept for no group", acc.members.Len())
		}
	case selfMerging: // an arena keeps its memory
	case Freer:
		if acc.Bytes() != 0 {
			g.t.Fatalf("%d bytes are kept for no group", acc.Bytes())
		}
	}
}
