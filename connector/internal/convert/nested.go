package convert

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// list converts arrays of any layout.
func list(from arrow.DataType, to *arrow.ListType, zone *time.Location) step {
	switch t := from.(type) {
	case *arrow.ListType:
		return lists(to, find(t.Elem(), to.Elem(), zone))
	case *arrow.LargeListType:
		return lists(to, find(t.Elem(), to.Elem(), zone))
	case *arrow.FixedSizeListType:
		return lists(to, find(t.Elem(), to.Elem(), zone))
	}
	return nil
}

// entries converts maps, whose entries are a list of rows of two.
func entries(from arrow.DataType, to *arrow.MapType, zone *time.Location) step {
	t, ok := from.(*arrow.MapType)
	if !ok {
		return nil
	}
	key, item := find(t.KeyType(), to.KeyType(), zone), find(t.ItemType(), to.ItemType(), zone)
	if key == nil || item == nil {
		return nil
	}
	pair, _ := to.Elem().(*arrow.StructType)
	return lists(to, fields(pair, []int{0, 1}, []step{key, item}))
}

// lists converts the elements, and brings the bounds into 32 bits.
func lists(to arrow.DataType, element step) step {
	if element == nil {
		return nil
	}
	return func(r *run, in arrow.Array) arrow.Array {
		l := in.(array.ListLike)
		buf, ends := vec.NewFixed[int32](r.mem, in.Len()+1)
		first, last := int64(0), int64(0)
		if in.Len() > 0 {
			first, _ = l.ValueOffsets(0)
			_, last = l.ValueOffsets(in.Len() - 1)
		}
		if last-first > math.MaxInt32 {
			panic(fmt.Errorf("convert: a batch has more than %d elements", math.MaxInt32))
		}
		ends[0] = 0
		for i := range in.Len() {
			_, end := l.ValueOffsets(i)
			ends[i+1] = int32(end - first)
		}
		elements := vec.Slice(l.ListValues(), int(first), int(last))
		defer elements.Release()
		inside := &run{mem: r.mem}
		child := element(inside, elements)
		defer child.Release()
		r.inherit(in, ends, inside.faults)
		valid := validity(r.mem, in)
		data := array.NewData(to, in.Len(), []*memory.Buffer{valid, buf}, []arrow.ArrayData{child.Data()}, in.NullN(), 0)
		defer data.Release()
		if valid != nil {
			valid.Release()
		}
		buf.Release()
		return array.MakeFromData(data)
	}
}

// inherit makes faults of elements those of the rows they are in.
func (r *run) inherit(in arrow.Array, ends []int32, faults []Fault) {
	for _, f := range faults {
		row := sort.Search(in.Len(), func(i int) bool { return int(ends[i+1]) > f.Row })
		if row < in.Len() && in.IsValid(row) {
			r.faults = append(r.faults, Fault{row, f.Reason})
		}
	}
}

// row converts rows by the names of their fields. A field that the file does not have is NULL.
func row(from arrow.DataType, to *arrow.StructType, zone *time.Location) step {
	t, ok := from.(*arrow.StructType)
	if !ok {
		return nil
	}
	places, steps := make([]int, to.NumFields()), make([]step, to.NumFields())
	for i, f := range to.Fields() {
		if places[i] = Find(t.Fields(), f.Name); places[i] < 0 {
			steps[i] = nothing(f.Type)
			continue
		}
		if steps[i] = find(t.Field(places[i]).Type, f.Type, zone); steps[i] == nil {
			return nil
		}
	}
	return fields(to, places, steps)
}

// Find is the place of a field by its name, to the letter or else in any case; -1 if there is none.
func Find(fields []arrow.Field, name string) int {
	folded := -1
	for i, f := range fields {
		if f.Name == name {
			return i
		}
		if folded < 0 && strings.EqualFold(f.Name, name) {
			folded = i
		}
	}
	return folded
}

// fields converts the fields of rows. One without a place is made from any of the array's own length.
func fields(to *arrow.StructType, places []int, steps []step) step {
	return func(r *run, in arrow.Array) arrow.Array {
		s := in.(*array.Struct)
		children := make([]arrow.ArrayData, len(steps))
		for i, convert := range steps {
			inside := &run{mem: r.mem}
			var child arrow.Array
			if places[i] < 0 {
				child = convert(inside, in)
			} else {
				child = convert(inside, s.Field(places[i]))
			}
			defer child.Release()
			children[i] = child.Data()
			for _, f := range inside.faults {
				if in.IsValid(f.Row) {
					r.faults = append(r.faults, Fault{f.Row, "in " + to.Field(i).Name + ": " + f.Reason})
				}
			}
		}
		sort.SliceStable(r.faults, func(i, j int) bool { return r.faults[i].Row < r.faults[j].Row })
		valid := validity(r.mem, in)
		data := array.NewData(to, in.Len(), []*memory.Buffer{valid}, children, in.NullN(), 0)
		defer data.Release()
		if valid != nil {
			valid.Release()
		}
		return array.MakeFromData(data)
	}
}

// dictionary fetches the values and converts them.
func dictionary(t *arrow.DictionaryType, value step) step {
	if value == nil || !takeable(t.ValueType) {
		return nil
	}
	return func(r *run, in arrow.Array) arrow.Array {
		d := in.(*array.Dictionary)
		values := d.Dictionary()
		if values.Len() == 0 { // then all are NULL
			plain := Nulls(r.mem, t.ValueType, in.Len())
			defer plain.Release()
			return value(r, plain)
		}
		at := make([]uint32, in.Len())
		for i := range at {
			if d.IsValid(i) {
				at[i] = uint32(d.GetValueIndex(i))
			}
		}
		plain := vec.Take(r.mem, values, at)
		defer plain.Release()
		if in.NullN() == 0 {
			return value(r, plain)
		}
		hidden := hide(r.mem, plain, in)
		defer hidden.Release()
		return value(r, hidden)
	}
}

// hide makes those values NULL that are so in another array.
func hide(mem memory.Allocator, a, by arrow.Array) arrow.Array {
	buf, bits := vec.NewBitmap(mem, a.Len())
	defer buf.Release()
	nulls := a.Len()
	for i := range a.Len() {
		if by.IsValid(i) && a.IsValid(i) {
			bits[i/8] |= 1 << (i % 8)
			nulls--
		}
	}
	buffers := append([]*memory.Buffer{buf}, a.Data().Buffers()[1:]...)
	data := array.NewData(a.DataType(), a.Len(), buffers, nil, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// takeable reports whether values of the type can be fetched one by one.
func takeable(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.StringType, *arrow.BinaryType, *arrow.LargeStringType, *arrow.LargeBinaryType, *arrow.BooleanType:
		return true
	case *arrow.FixedSizeBinaryType, *arrow.Decimal256Type:
		return false
	case arrow.FixedWidthDataType:
		return t.Bytes() <= 16
	}
	return false
}
