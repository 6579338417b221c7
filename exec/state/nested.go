package state

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/exec/vec"
)

// nested turns the values of an ARRAY, MAP or ROW into bytes that are the same if and only if the values are equal: NULL within them
// equals NULL, NaN equals NaN, -0.0 equals 0.0, and the entries of a MAP may come in any order. Such a key is kept as a text is.
//
// A value is a byte, 0 for NULL and 1 for others, and then: a number or time in its width, floats in eight bytes; a text, ARRAY
// or MAP as its length in four bytes and its bytes or elements, the entries of a MAP in the order of their bytes; a ROW as its fields.
type nested struct {
	dt       arrow.DataType
	children []*nested

	textColumn          // of the last array
	entries    [][]byte // scratch: of a MAP
}

// newNested returns nil for a type with values that have no equality.
func newNested(dt arrow.DataType) *nested {
	n := &nested{dt: dt}
	var children []arrow.DataType
	switch t := dt.(type) {
	case *arrow.ListType:
		children = []arrow.DataType{t.Elem()}
	case *arrow.MapType:
		children = []arrow.DataType{t.Elem()} // a ROW of key and value
	case *arrow.StructType:
		for _, f := range t.Fields() {
			children = append(children, f.Type)
		}
	default:
		if _, ok := wordsOf(dt); !ok {
			return nil
		}
	}
	for _, c := range children {
		child := newNested(c)
		if child == nil {
			return nil
		}
		n.children = append(n.children, child)
	}
	return n
}

// read encodes every value of arr. The bytes are valid until the next read.
func (n *nested) read(arr arrow.Array) {
	n.offsets = append(slices.Grow(n.offsets[:0], arr.Len()+1), 0)
	n.bytes = n.bytes[:0]
	switch a := arr.(type) {
	case *array.Boolean:
		n.each(arr, func(i int) {
			b := byte(0)
			if a.Value(i) {
				b = 1
			}
			n.bytes = append(n.bytes, b)
		})
	case *array.Float32:
		values := a.Float32Values()
		n.each(arr, func(i int) { n.word(vec.FloatBits(float64(values[i]))) })
	case *array.Float64:
		values := a.Float64Values()
		n.each(arr, func(i int) { n.word(vec.FloatBits(values[i])) })
	case *array.String, *array.Binary:
		offsets, text := vec.Texts(arr)
		n.each(arr, func(i int) {
			n.length(int(offsets[i+1] - offsets[i]))
			n.bytes = append(n.bytes, text[offsets[i]:offsets[i+1]]...)
		})
	case *array.Struct:
		for i, c := range n.children {
			c.read(a.Field(i))
		}
		n.each(arr, func(i int) {
			for _, c := range n.children {
				n.bytes = append(n.bytes, c.value(i)...)
			}
		})
	case *array.Map:
		n.readElements(a, n.appendEntries)
	case *array.List:
		n.readElements(a, n.appendElements)
	case *array.Null:
		n.each(arr, func(int) {})
	default:
		if arr.Len() == 0 {
			return
		}
		width := n.dt.(arrow.FixedWidthDataType).Bytes()
		values := arr.Data().Buffers()[1].Bytes()[arr.Data().Offset()*width:]
		n.each(arr, func(i int) { n.bytes = append(n.bytes, values[i*width:(i+1)*width]...) })
	}
	if len(n.bytes) > math.MaxInt32 {
		panic("state: the keys of one batch take more than 2 GiB; use a smaller batch size")
	}
}

// each encodes the values one after the other, value those that are not NULL.
func (n *nested) each(arr arrow.Array, value func(i int)) {
	valid, off := vec.Validity(arr)
	null := arr.DataType().ID() == arrow.NULL
	for i := range arr.Len() {
		if null || valid != nil && !vec.Bit(valid, off+i) {
			n.bytes = append(n.bytes, 0)
		} else {
			n.bytes = append(n.bytes, 1)
			value(i)
		}
		n.offsets = append(n.offsets, int32(len(n.bytes)))
	}
}

func (n *nested) word(w uint64)  { n.bytes = binary.LittleEndian.AppendUint64(n.bytes, w) }
func (n *nested) length(len int) { n.bytes = binary.LittleEndian.AppendUint32(n.bytes, uint32(len)) }

// readElements encodes the elements of all values, and then each value with the help of add, which appends a range of them.
func (n *nested) readElements(list array.ListLike, add func(from, to int)) {
	if list.Len() == 0 {
		return
	}
	first, _ := list.ValueOffsets(0)
	_, last := list.ValueOffsets(list.Len() - 1)
	elements := array.NewSlice(list.ListValues(), first, last)
	defer elements.Release()
	n.children[0].read(elements)
	n.each(list, func(i int) {
		from, to := list.ValueOffsets(i)
		n.length(int(to - from))
		add(int(from-first), int(to-first))
	})
}

func (n *nested) appendElements(from, to int) {
	c := n.children[0]
	n.bytes = append(n.bytes, c.bytes[c.offsets[from]:c.offsets[to]]...)
}

func (n *nested) appendEntries(from, to int) {
	n.entries = n.entries[:0]
	for i := from; i < to; i++ {
		n.entries = append(n.entries, n.children[0].value(i))
	}
	slices.SortFunc(n.entries, bytes.Compare)
	for _, e := range n.entries {
		n.bytes = append(n.bytes, e...)
	}
}

// decode appends the value that data begins with to b, a builder of the type, and returns what follows it.
func (n *nested) decode(b array.Builder, data []byte) []byte {
	isNull, data := data[0] == 0, data[1:]
	if isNull {
		b.AppendNull()
		return data
	}
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(data[0] != 0)
		return data[1:]
	case *array.Float32Builder:
		b.Append(float32(math.Float64frombits(binary.LittleEndian.Uint64(data))))
		return data[8:]
	case *array.Float64Builder:
		b.Append(math.Float64frombits(binary.LittleEndian.Uint64(data)))
		return data[8:]
	case *array.StringBuilder:
		text, rest := cutText(data)
		b.BinaryBuilder.Append(text)
		return rest
	case *array.BinaryBuilder:
		text, rest := cutText(data)
		b.Append(text)
		return rest
	case *array.StructBuilder:
		b.Append(true)
		for i, c := range n.children {
			data = c.decode(b.FieldBuilder(i), data)
		}
		return data
	case *array.MapBuilder:
		b.Append(true)
		entry, entries := n.children[0], int(binary.LittleEndian.Uint32(data))
		data = data[4:]
		for range entries {
			data = entry.children[0].decode(b.KeyBuilder(), data[1:])
			data = entry.children[1].decode(b.ItemBuilder(), data)
		}
		return data
	case *array.ListBuilder:
		b.Append(true)
		elements := int(binary.LittleEndian.Uint32(data))
		data = data[4:]
		for range elements {
			data = n.children[0].decode(b.ValueBuilder(), data)
		}
		return data
	}
	return decodeFixed(b, data)
}

func cutText(data []byte) (text, rest []byte) {
	n := binary.LittleEndian.Uint32(data)
	return data[4 : 4+n], data[4+n:]
}

func decodeFixed(b array.Builder, data []byte) []byte {
	switch b := b.(type) {
	case *array.Int8Builder:
		return decodeInto(b.Append, data)
	case *array.Int16Builder:
		return decodeInto(b.Append, data)
	case *array.Int32Builder:
		return decodeInto(b.Append, data)
	case *array.Int64Builder:
		return decodeInto(b.Append, data)
	case *array.Uint8Builder:
		return decodeInto(b.Append, data)
	case *array.Uint16Builder:
		return decodeInto(b.Append, data)
	case *array.Uint32Builder:
		return decodeInto(b.Append, data)
	case *array.Uint64Builder:
		return decodeInto(b.Append, data)
	case *array.Date32Builder:
		return decodeInto(b.Append, data)
	case *array.Date64Builder:
		return decodeInto(b.Append, data)
	case *array.Time32Builder:
		return decodeInto(b.Append, data)
	case *array.Time64Builder:
		return decodeInto(b.Append, data)
	case *array.TimestampBuilder:
		return decodeInto(b.Append, data)
	case *array.DurationBuilder:
		return decodeInto(b.Append, data)
	case *array.MonthIntervalBuilder:
		return decodeInto(b.Append, data)
	case *array.Decimal128Builder:
		lo, hi := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
		b.Append(decimal128.New(int64(hi), lo))
		return data[16:]
	}
	panic("state: no key can hold values of " + b.Type().String())
}

// decodeInto appends the value of fixed width that data begins with.
func decodeInto[T any](add func(T), data []byte) []byte {
	var v T
	width := int(unsafe.Sizeof(v))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), width), data[:width])
	add(v)
	return data[width:]
}
