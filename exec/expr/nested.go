package expr

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// lists views the values of an ARRAY or MAP argument.
type lists struct {
	elements arrow.Array // of all values, one after the other; those of a MAP are its entries
	offsets  []int32
	mask     int
}

func listsOf(v *Vector) lists {
	data := v.nested.Data()
	offsets := slice[int32](data.Buffers()[1].Bytes(), data.Offset()+data.Len()+1)[data.Offset():]
	return lists{v.nested.(array.ListLike).ListValues(), offsets, v.rowMask}
}

// row is where the elements of a row's value are.
func (l *lists) row(row uint32) (from, to int) {
	i := int(row) & l.mask
	return int(l.offsets[i]), int(l.offsets[i+1])
}

// entries are the keys and the values of the entries of MAPs.
func (l *lists) entries() (keys, items arrow.Array) {
	s := l.elements.(*array.Struct)
	return s.Field(0), s.Field(1)
}

// arrayOf is the values of v as an array: of one row if v is a constant, so that Vector.at finds the row's value. The caller
// releases it.
func (f *Frame) arrayOf(v *Vector) arrow.Array {
	if v.isConst() {
		return v.store(f.mem, v.t, 1)
	}
	return v.store(f.mem, v.t, f.n)
}

// part is an argument among others whose elements lie end to end: an ARRAY, or a value that is one element.
type part struct {
	offsets []int32 // nil: an element
	mask    int
	start   int
}

// row is where the elements of a row's value are.
func (p *part) row(row uint32) (from, to int) {
	i := int(row) & p.mask
	if p.offsets == nil {
		return p.start + i, p.start + i + 1
	}
	return p.start + int(p.offsets[i]), p.start + int(p.offsets[i+1])
}

// layOut lays the elements of args, ARRAYs of the type of whole or elements of them, end to end. The caller releases them.
func (f *Frame) layOut(args []*Vector, whole func(i int) bool) (elements arrow.Array, parts []part) {
	parts = make([]part, len(args))
	batches := make([]vec.Batch, len(args))
	start := 0
	for i, a := range args {
		parts[i] = part{mask: a.rowMask, start: start}
		var arr arrow.Array
		if whole(i) {
			l := listsOf(a)
			arr, parts[i].offsets = l.elements, l.offsets
			arr.Retain()
		} else {
			arr = f.arrayOf(a)
		}
		batches[i] = vec.NewBatch(arr.Len(), []arrow.Array{arr})
		start += arr.Len()
	}
	return vec.Concat(f.mem, batches).Cols[0], parts
}

// listWriter collects the lists of a result as picks out of an array of elements. Kernels keep one from batch to batch.
type listWriter struct {
	picks []uint32
	ends  []int32
}

func (w *listWriter) start() {
	w.picks, w.ends = w.picks[:0], append(w.ends[:0], 0)
}

func (w *listWriter) add(element int) { w.picks = append(w.picks, uint32(element)) }

func (w *listWriter) addAll(from, to int) {
	for i := from; i < to; i++ {
		w.picks = append(w.picks, uint32(i))
	}
}

// end finishes the list of row, which is what was added since the last call. Rows come in ascending order; those left out are
// empty.
func (w *listWriter) end(row uint32) {
	w.ends = append(extend(w.ends, int(row)), int32(len(w.picks)))
}

// extend repeats the last of the ends of lists, so that there is one for each row before row.
func extend(ends []int32, row int) []int32 {
	for last := ends[len(ends)-1]; len(ends) <= row; {
		ends = append(ends, last)
	}
	return ends
}

// store makes the lists the value of out.
func (w *listWriter) store(f *Frame, out *Vector, elements arrow.Array) error {
	if len(w.picks) > math.MaxInt32 {
		return fmt.Errorf("the values of %s have more than %d elements in one batch; use a smaller batch size", f.step.expr, math.MaxInt32)
	}
	f.setLists(out, extend(w.ends, f.n), vec.Take(f.mem, elements, w.picks))
	return nil
}

// setLists makes out the lists of elements between the offsets, NULL where out is not valid. It consumes elements.
func (f *Frame) setLists(out *Vector, offsets []int32, elements arrow.Array) {
	buf, dst := vec.NewFixed[int32](f.mem, len(offsets))
	copy(dst, offsets)
	f.setNested(out, []*memory.Buffer{buf}, elements)
}

// setNested makes out an ARRAY, MAP or ROW of buffers, without that of validity, and children, NULL where out is not valid. It
// consumes them.
func (f *Frame) setNested(out *Vector, buffers []*memory.Buffer, children ...arrow.Array) {
	valid, nulls := out.storeValid(f.mem, f.n)
	out.nested, out.owned.nested = newNested(out.t, f.n, nulls, append([]*memory.Buffer{valid}, buffers...), children), true
}

// newNested is an array of n rows over buffers and children, which it consumes.
func newNested(t arrow.DataType, n, nulls int, buffers []*memory.Buffer, children []arrow.Array) arrow.Array {
	parts := make([]arrow.ArrayData, len(children))
	for i, c := range children {
		parts[i] = c.Data()
	}
	data := array.NewData(t, n, buffers, parts, nulls, 0)
	defer data.Release()
	arr := array.MakeFromData(data)
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	for _, c := range children {
		c.Release()
	}
	return arr
}

// elementType is the type of an ARRAY's elements, Unknown for a bare NULL.
func elementType(t arrow.DataType) arrow.DataType {
	if l, ok := t.(*arrow.ListType); ok {
		return l.Elem()
	}
	return Unknown
}

func isList(t arrow.DataType) bool { return t.ID() == arrow.LIST }
func isMap(t arrow.DataType) bool  { return t.ID() == arrow.MAP }
func isRow(t arrow.DataType) bool  { return t.ID() == arrow.STRUCT }

// newEntries is the entries of MAPs of a type; it consumes keys and items.
func newEntries(t *arrow.MapType, keys, items arrow.Array) arrow.Array {
	return newNested(t.Elem(), keys.Len(), 0, []*memory.Buffer{nil}, []arrow.Array{keys, items})
}
