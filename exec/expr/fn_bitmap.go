package expr

import (
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
	"streamsql/internal/bitmap"
)

const categoryBitmap = "bitmap"

// bitmapParam is a BYTES that holds a bitmap, intsParam an ARRAY of INTs.
var (
	bitmapParam = exactly("bitmap", "a bitmap, which is a BYTES", Bytes)
	intsParam   = Param{Name: "array", What: "an ARRAY of INTs", Null: arrow.ListOf(Int), To: always(arrow.ListOf(Int)), Accepts: func(t arrow.DataType) bool {
		e := elementType(t)
		return isList(t) && (isInteger(e) && e.ID() != arrow.INT64 || e.ID() == arrow.NULL)
	}}
)

func init() {
	Register(Function{
		Name: "BITMAP_BUILD", Category: categoryBitmap,
		Doc:     "The bitmap, as a BYTES in the portable Roaring format, of the INTs of an ARRAY, taken without sign; NULLs are left out.",
		Example: "BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[3, 1, 3, NULL]))", ExampleResult: "{1,3}",
		Overloads: []Overload{{Params: []Param{intsParam}, Returns: returns(Bytes), Slow: true, Compile: only(bitmapBuild)}},
	})
	Register(Function{
		Name: "BITMAP_CARDINALITY", Category: categoryBitmap,
		Doc: "How many INTs a bitmap holds.", Example: "BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY[3, 1, 3]))", ExampleResult: "2",
		Overloads: []Overload{{Params: []Param{bitmapParam}, Returns: returns(BigInt), Fails: Sometimes, Slow: true, Compile: bitmapCardinality}},
	})
	registerBitmapBytes("BITMAP_FROM_BYTES", "The bitmap that a BYTES in the portable Roaring format holds, in the form in which the same set has the same bytes.")
	registerBitmapBytes("BITMAP_TO_BYTES", "The bitmap as a BYTES in the portable Roaring format, which it is already.")
	registerBitmapOp("BITMAP_AND", roaring.And, "The bitmap of the INTs that are in both bitmaps.", "{2}")
	registerBitmapOp("BITMAP_OR", roaring.Or, "The bitmap of the INTs that are in one of two bitmaps.", "{1,2,3}")
	registerBitmapOp("BITMAP_XOR", roaring.Xor, "The bitmap of the INTs that are in exactly one of two bitmaps.", "{1,3}")
	registerBitmapOp("BITMAP_ANDNOT", roaring.AndNot, "The bitmap of the INTs that are in the first bitmap and not in the second.", "{1}")
	Register(Function{
		Name: "BITMAP_TO_ARRAY", Category: categoryBitmap,
		Doc: "An ARRAY of the INTs of a bitmap, in the order they have without sign.", Example: "BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY[3, -1, 1]))", ExampleResult: "[1, 3, -1]",
		Overloads: []Overload{{Params: []Param{bitmapParam}, Returns: returns(arrow.ListOf(Int)), Fails: Sometimes, Slow: true, Compile: bitmapToArray}},
	})
	Register(Function{
		Name: "BITMAP_TO_STRING", Category: categoryBitmap,
		Doc: "The INTs of a bitmap, without sign, as text.", Example: "BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[3, -1, 1]))", ExampleResult: "{1,3,4294967295}",
		Overloads: []Overload{{Params: []Param{bitmapParam}, Returns: returns(String), Fails: Sometimes, Slow: true, Compile: bitmapToString}},
	})
}

func registerBitmapBytes(name, doc string) {
	Register(Function{
		Name: name, Category: categoryBitmap, Doc: doc,
		Example: "BITMAP_TO_STRING(" + name + "(BITMAP_BUILD(ARRAY[3, 1])))", ExampleResult: "{1,3}",
		Overloads: []Overload{{Params: []Param{bitmapParam}, Returns: returns(Bytes), Fails: Sometimes, Slow: true, Compile: bitmapOfBytes}},
	})
}

func registerBitmapOp(name string, op func(a, b *roaring.Bitmap) *roaring.Bitmap, doc, result string) {
	Register(Function{
		Name: name, Category: categoryBitmap, Doc: doc,
		Example: "BITMAP_TO_STRING(" + name + "(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3])))", ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{bitmapParam, bitmapParam}, Returns: returns(Bytes), Fails: Sometimes, Slow: true,
			Compile: func(*Site) Kernel {
				var first, second bitmapReader
				return func(f *Frame, args []*Vector, out *Vector) error {
					for _, row := range f.Rows() {
						a, b := first.read(args[0].bytes(row)), second.read(args[1].bytes(row))
						if a == nil || b == nil {
							if err := f.Fail(row, noBitmap); err != nil {
								return err
							}
							continue
						}
						out.data = bitmap.Append(out.data, op(a, b))
						out.end(row)
					}
					return nil
				}
			},
		}},
	})
}

const noBitmap = "the BYTES are not a bitmap"

func bitmapBuild(f *Frame, args []*Vector, out *Vector) error {
	l := listsOf(args[0])
	elements := l.elements.(*array.Int32)
	for _, row := range f.Rows() {
		set := roaring.New()
		from, to := l.row(row)
		for i := from; i < to; i++ {
			if elements.IsValid(i) {
				set.Add(uint32(elements.Value(i)))
			}
		}
		out.data = bitmap.Append(out.data, set)
		out.end(row)
	}
	return nil
}

// bitmapRows calls take with the bitmap of each row that has one.
func bitmapRows(f *Frame, r *bitmapReader, arg *Vector, take func(row uint32, set *roaring.Bitmap)) error {
	for _, row := range f.Rows() {
		if set := r.read(arg.bytes(row)); set != nil {
			take(row, set)
			continue
		}
		if err := f.Fail(row, noBitmap); err != nil {
			return err
		}
	}
	return nil
}

// bitmapOfBytes writes bitmaps anew.
func bitmapOfBytes(*Site) Kernel {
	var r bitmapReader
	return func(f *Frame, args []*Vector, out *Vector) error {
		return bitmapRows(f, &r, args[0], func(row uint32, set *roaring.Bitmap) {
			out.data = bitmap.Append(out.data, set)
			out.end(row)
		})
	}
}

func bitmapCardinality(*Site) Kernel {
	var r bitmapReader
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[int64](out)
		return bitmapRows(f, &r, args[0], func(row uint32, set *roaring.Bitmap) { o[row] = int64(set.GetCardinality()) })
	}
}

func bitmapToString(*Site) Kernel {
	var r bitmapReader
	return func(f *Frame, args []*Vector, out *Vector) error {
		return bitmapRows(f, &r, args[0], func(row uint32, set *roaring.Bitmap) {
			out.data = append(out.data, '{')
			first := true
			set.Iterate(func(v uint32) bool {
				if !first {
					out.data = append(out.data, ',')
				}
				out.data, first = strconv.AppendUint(out.data, uint64(v), 10), false
				return true
			})
			out.data = append(out.data, '}')
			out.end(row)
		})
	}
}

func bitmapToArray(*Site) Kernel {
	var r bitmapReader
	var all []int32
	var ends []int32
	return func(f *Frame, args []*Vector, out *Vector) error {
		all, ends = all[:0], append(ends[:0], 0)
		err := bitmapRows(f, &r, args[0], func(row uint32, set *roaring.Bitmap) {
			set.Iterate(func(v uint32) bool {
				all = append(all, int32(v))
				return true
			})
			ends = append(extend(ends, int(row)), int32(len(all)))
		})
		if err != nil {
			return err
		}
		buf, values := vec.NewFixed[int32](f.mem, len(all))
		copy(values, all)
		f.setLists(out, extend(ends, f.n), vec.MakeArray(Int, len(all), 0, nil, buf))
		return nil
	}
}
