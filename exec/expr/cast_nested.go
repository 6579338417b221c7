package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
)

// inside are the types of what is in an ARRAY, MAP or ROW.
func inside(t arrow.DataType) []arrow.DataType {
	switch t := t.(type) {
	case *arrow.MapType:
		return []arrow.DataType{t.KeyType(), t.ItemType()}
	case *arrow.ListType:
		return []arrow.DataType{t.Elem()}
	case *arrow.StructType:
		types := make([]arrow.DataType, t.NumFields())
		for i := range types {
			types[i] = t.Field(i).Type
		}
		return types
	}
	return nil
}

// canCastNested is canCast for two ARRAYs, two MAPs or two ROWs; the fields of ROWs go by their order.
func canCastNested(from, to arrow.DataType) bool {
	x, y := inside(from), inside(to)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !canCast(x[i], y[i]) {
			return false
		}
	}
	return true
}

// castNested converts what is in the values; a value in which something has no counterpart has none itself.
func castNested(from, to arrow.DataType, s Settings) conversion {
	x, y := inside(from), inside(to)
	casts := make([]*innerCast, len(x))
	c := conversion{slow: true}
	for i := range x {
		casts[i] = &innerCast{from: x[i], to: y[i], settings: s}
		c.fails = c.fails || castRule(x[i], y[i], s).fails
	}
	switch to.ID() {
	case arrow.LIST:
		c.kernel = castLists(casts[0], to)
	case arrow.MAP:
		c.kernel = castMaps(casts[0], casts[1], to.(*arrow.MapType))
	default:
		c.kernel = castRows(casts, to)
	}
	return c
}

// innerCast converts values inside of others; those without counterpart become NULL.
type innerCast struct {
	from, to arrow.DataType
	settings Settings
	program  *Program // made by the first use
}

// apply returns the converted values, which the caller releases.
func (c *innerCast) apply(f *Frame, values arrow.Array) (arrow.Array, error) {
	if arrow.TypeEqual(c.from, c.to) {
		values.Retain()
		return values, nil
	}
	if c.program == nil {
		var err error
		if c.program, err = Compile(f.mem, []Expr{&Cast{X: &Column{T: c.from, Null: true}, To: c.to, Try: true}}, c.settings); err != nil {
			return nil, err
		}
	}
	out, err := c.program.Eval(vec.NewBatch(values.Len(), []arrow.Array{values}))
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// failLost fails for the rows in whose values, as found by place, something became NULL that was not.
func (f *Frame) failLost(before, after arrow.Array, place func(row uint32) (from, to int), t arrow.DataType) error {
	if after.NullN() == before.NullN() {
		return nil
	}
	for _, row := range f.Rows() {
		from, to := place(row)
		lost := false
		for i := from; i < to; i++ {
			lost = lost || after.IsNull(i) && !before.IsNull(i)
		}
		if !lost {
			continue
		}
		if err := f.FailWith(row, func() string { return "the value does not fit " + TypeName(t) }); err != nil {
			return err
		}
	}
	return nil
}

func castLists(inner *innerCast, to arrow.DataType) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		l := listsOf(args[0])
		elements, err := inner.apply(f, l.elements)
		if err != nil {
			return err
		}
		if err := f.failLost(l.elements, elements, l.row, to); err != nil {
			elements.Release()
			return err
		}
		f.setLists(out, l.offsets, elements)
		return nil
	}
}

func castMaps(key, item *innerCast, to *arrow.MapType) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		l := listsOf(args[0])
		oldKeys, oldItems := l.entries()
		keys, err := key.apply(f, oldKeys)
		if err != nil {
			return err
		}
		items, err := item.apply(f, oldItems)
		if err != nil {
			keys.Release()
			return err
		}
		err = f.failLost(oldKeys, keys, l.row, to)
		if err == nil {
			err = f.failLost(oldItems, items, l.row, to)
		}
		entries := newEntries(to, keys, items)
		if err != nil {
			entries.Release()
			return err
		}
		f.setLists(out, l.offsets, entries)
		return nil
	}
}

func castRows(inner []*innerCast, to arrow.DataType) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		rows := args[0].nested.(*array.Struct)
		fields := make([]arrow.Array, 0, len(inner))
		for i, c := range inner {
			field, err := c.apply(f, rows.Field(i))
			if err == nil {
				fields = append(fields, field)
				err = f.failLost(rows.Field(i), field, func(row uint32) (int, int) { return int(row), int(row) + 1 }, to)
			}
			if err != nil {
				releaseAll(fields)
				return err
			}
		}
		f.setNested(out, nil, fields...)
		return nil
	}
}

func releaseAll(arrs []arrow.Array) {
	for _, a := range arrs {
		a.Release()
	}
}
