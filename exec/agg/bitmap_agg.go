package agg

import (
	"fmt"
	"unsafe"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
	"streamsql/internal/bitmap"
)

func init() {
	registerBitmaps(bitmapFunction{
		name: "BUILD", takesInts: true, fold: (*roaring.Bitmap).Or, test: func(count, _ int64) bool { return count > 0 },
		doc: "of the INTs that are not NULL, taken without sign", result: "{1,3}",
	})
	registerBitmaps(bitmapFunction{
		name: "AND", fold: (*roaring.Bitmap).And, test: func(count, n int64) bool { return count == n },
		doc: "of the INTs that are in all bitmaps that are not NULL", result: "{3}",
	})
	registerBitmaps(bitmapFunction{
		name: "OR", fold: (*roaring.Bitmap).Or, test: func(count, _ int64) bool { return count > 0 },
		doc: "of the INTs that are in one of the bitmaps that are not NULL", result: "{1,2,3}",
	})
	registerBitmaps(bitmapFunction{
		name: "XOR", fold: (*roaring.Bitmap).Xor,
		doc: "of the INTs that are in an odd number of the bitmaps that are not NULL", result: "{1,2}",
	})
}

// bitmapFunction is a function to a set of INTs.
type bitmapFunction struct {
	name      string // BUILD of BITMAP_BUILD_AGG
	takesInts bool   // rather than bitmaps
	// fold puts another set into one. If it does not undo itself, test tells whether a member is in the result of n sets of which so
	// many have it.
	fold func(set, other *roaring.Bitmap)
	test func(count, n int64) bool
	doc  string
	// result is that of the example, as text.
	result string
}

// registerBitmaps registers a function and the one to the number of its result's members.
func registerBitmaps(f bitmapFunction) {
	argument, values := "bitmap", "(BITMAP_BUILD(ARRAY[1, 3])), (BITMAP_BUILD(ARRAY[2, 3])), (NULL)"
	if f.takesInts {
		argument, values = "int", "(3), (1), (3), (NULL)"
	}
	for _, counting := range []bool{false, true} {
		full := Function{
			Name: "BITMAP_" + f.name + "_AGG", Idempotent: f.test != nil,
			Doc:     "The bitmap, as a BYTES in the portable Roaring format, " + f.doc + ".",
			Example: "SELECT BITMAP_TO_STRING(BITMAP_" + f.name + "_AGG(x)) FROM (VALUES " + values + ") AS t (x)", ExampleResult: f.result,
		}
		if counting {
			full.Name = "BITMAP_" + f.name + "_CARDINALITY_AGG"
			full.Doc = "The number " + f.doc + "."
			full.Example = "SELECT " + full.Name + "(x) FROM (VALUES " + values + ") AS t (x)"
			full.ExampleResult = fmt.Sprint((len(f.result) - 1) / 2)
		}
		full.Signature = full.Name + "([DISTINCT] " + argument + ")"
		if full.Idempotent {
			full.Signature = full.Name + "(" + argument + ")"
		}
		full.Resolve = func(args []arrow.DataType, opt Options) (Call, error) {
			return f.resolve(full.Name, counting, args, opt)
		}
		Register(full)
	}
}

func (f bitmapFunction) resolve(name string, counting bool, args []arrow.DataType, opt Options) (Call, error) {
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	call := Call{Args: args, Result: arrow.BinaryTypes.Binary, Nullable: true, Mergeable: true}
	if counting {
		call.Result = bigint
	}
	switch id := args[0].ID(); {
	case f.takesInts && (!isInteger(args[0]) || id == arrow.INT64):
		return Call{}, wrongType(name, "an INT", args)
	case f.takesInts:
		call.Args = []arrow.DataType{arrow.PrimitiveTypes.Int32}
	case id != arrow.BINARY:
		return Call{}, wrongType(name, "a bitmap, which is a BYTES", args)
	}
	if opt.Retract && f.test != nil {
		call.StateTypes = []arrow.DataType{bigint, arrow.ListOf(arrow.PrimitiveTypes.Uint32), arrow.ListOf(bigint)}
		call.New = func(mem memory.Allocator) Accumulator {
			return &memberCounts{function: f, name: name, result: call.Result, mem: mem}
		}
		return call, nil
	}
	call.StateTypes = []arrow.DataType{bigint, arrow.BinaryTypes.Binary}
	call.New = func(mem memory.Allocator) Accumulator {
		return &bitmaps{function: f, name: name, result: call.Result, mem: mem}
	}
	return call, nil
}

// bitmaps keeps a set for each group, from which nothing is retracted or by a function that undoes itself. A row holds the number
// of the set, then that of the rows in it. The state columns are the latter and the set.
type bitmaps struct {
	function bitmapFunction
	name     string
	result   arrow.DataType
	mem      memory.Allocator
	selection
	sets    slots[sizedSet]
	bytes   int64
	touched []*sizedSet
	other   roaring.Bitmap
}

// sizedSet is a set and the memory it had when it was measured last.
type sizedSet struct {
	roaring.Bitmap
	size    int64
	touched bool
}

const countedAt = 8

func (a *bitmaps) Width() int { return 16 }

// of is the set of a group, nil if it has none.
func (a *bitmaps) of(rows state.Rows, group uint32) *sizedSet {
	if slot := *state.At[uint32](rows, group); slot != 0 {
		return a.sets.get(slot)
	}
	return nil
}

// make is the set of a group, which is to be measured again, and whether it is a new one.
func (a *bitmaps) make(rows state.Rows, group uint32) (set *sizedSet, fresh bool) {
	if set = a.of(rows, group); set == nil {
		set, fresh = &sizedSet{}, true
		*state.At[uint32](rows, group) = a.sets.add(set)
	}
	if !set.touched {
		set.touched = true
		a.touched = append(a.touched, set)
	}
	return set, fresh
}

// measure takes note of the memory of sets that have changed.
func (a *bitmaps) measure() {
	for _, set := range a.touched {
		a.bytes -= set.size
		set.size = int64(unsafe.Sizeof(*set)) + int64(set.GetSizeInBytes())
		a.bytes += set.size
		set.touched = false
	}
	a.touched = a.touched[:0]
}

// include puts other into the set of a group, n times more or less often.
func (a *bitmaps) include(rows state.Rows, group uint32, n int64) {
	set, fresh := a.make(rows, group)
	if fresh {
		set.Or(&a.other)
	} else {
		a.function.fold(&set.Bitmap, &a.other)
	}
	*state.At[int64](rows.Field(countedAt), group) += n
}

func (a *bitmaps) Update(rows state.Rows, groups []uint32, in Input) error {
	defer a.measure()
	sel, groups := a.notNull(in, groups)
	if len(groups) == 0 {
		return nil
	}
	if a.function.takesInts {
		a.build(rows, groups, a.all(sel, len(groups)), vec.Values[int32](in.Args[0]))
		return nil
	}
	offsets, data := vec.Texts(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		if !bitmap.Decode(&a.other, data[offsets[row]:offsets[row+1]]) {
			return noBitmap(a.name)
		}
		a.include(rows, groups[i], int64(signOf(in.Kinds, row)))
	}
	return nil
}

func noBitmap(name string) error { return fmt.Errorf("%s takes bitmaps, and the BYTES are none", name) }

func (a *bitmaps) build(rows state.Rows, groups, sel []uint32, ints []int32) {
	for i, row := range sel {
		set, _ := a.make(rows, groups[i])
		set.Add(uint32(ints[row]))
		*state.At[int64](rows.Field(countedAt), groups[i])++
	}
}

func (a *bitmaps) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	defer a.measure()
	counts := vec.Values[int64](columns[0])
	offsets, data := vec.Texts(columns[1])
	for i, g := range groups {
		if columns[1].IsNull(i) {
			continue
		}
		if !bitmap.Decode(&a.other, data[offsets[i]:offsets[i+1]]) {
			return noBitmap(a.name)
		}
		a.include(rows, g, counts[i])
	}
	return nil
}

func (a *bitmaps) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	return []arrow.Array{
		column[int64](a.mem, bigint, rows.Field(countedAt), groups),
		bitmapColumn(a.mem, arrow.BinaryTypes.Binary, groups, func(group uint32) *roaring.Bitmap {
			if set := a.of(rows, group); set != nil {
				return &set.Bitmap
			}
			return nil
		}),
	}, nil
}

func (a *bitmaps) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return bitmapColumn(a.mem, a.result, groups, func(group uint32) *roaring.Bitmap {
		if *state.At[int64](rows.Field(countedAt), group) > 0 {
			return &a.of(rows, group).Bitmap
		}
		return nil
	}), nil
}

// bitmapColumn is a column of sets as BYTES, or of the numbers of their members, with NULL where there is no set.
func bitmapColumn(mem memory.Allocator, dt arrow.DataType, groups []uint32, of func(group uint32) *roaring.Bitmap) arrow.Array {
	if dt.ID() == arrow.INT64 {
		counts, present := make([]int64, len(groups)), make([]bool, len(groups))
		for i, g := range groups {
			if set := of(g); set != nil {
				counts[i], present[i] = int64(set.GetCardinality()), true
			}
		}
		return buildFixed(mem, dt, counts, present)
	}
	out := vec.NewStrings(mem, len(groups), 32*len(groups))
	var scratch []byte
	for _, g := range groups {
		set := of(g)
		if set == nil {
			out.AppendNull()
			continue
		}
		scratch = bitmap.Append(scratch[:0], set)
		out.AppendBytes(scratch)
	}
	return out.Array(dt)
}

func (a *bitmaps) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		if set := a.of(rows, g); set != nil {
			a.bytes -= set.size
			a.sets.remove(*state.At[uint32](rows, g))
		}
	}
}

func (a *bitmaps) Bytes() int64 { return a.bytes }
