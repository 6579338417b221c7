package agg

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
	"streamsql/internal/text"
)

func init() {
	Register(Function{
		Name:      "JSON_ARRAYAGG",
		Signature: "JSON_ARRAYAGG([DISTINCT] value [ORDER BY key, …] [NULL | ABSENT ON NULL])",
		Doc: "A JSON array of the values, those that are NULL only if NULL ON NULL is said, in the given order or else in that of their " +
			"arrival.",
		Example: "SELECT JSON_ARRAYAGG(x ORDER BY x) FROM (VALUES ('b'), (NULL), ('a')) AS t (x)", ExampleResult: `["a","b"]`,
		Sortable:    true,
		TreatsNulls: true,
		Resolve:     resolveJSONArrayAgg,
	})
	Register(Function{
		Name:      "JSON_OBJECTAGG",
		Signature: "JSON_OBJECTAGG([KEY] key VALUE value [NULL | ABSENT ON NULL])",
		Doc: "A JSON object of the keys and their values, those that are NULL unless ABSENT ON NULL is said, in the order of the keys, of " +
			"which none may be there twice. A key that is NULL does not count.",
		Example: "SELECT JSON_OBJECTAGG(KEY k VALUE v) FROM (VALUES ('b', 2), ('a', 1)) AS t (k, v)", ExampleResult: `{"a":1,"b":2}`,
		TreatsNulls: true,
		Resolve:     resolveJSONObjectAgg,
	})
}

func resolveJSONArrayAgg(args []arrow.DataType, opt Options) (Call, error) {
	const name = "JSON_ARRAYAGG"
	if err := oneArg(name, args[:len(args)-len(opt.Order)]); err != nil {
		return Call{}, err
	}
	kept, err := newRecord(args, []int{0}, true)
	if err != nil {
		return Call{}, err
	}
	f := gatherFunction{keeping: keep(name, kept), result: arrow.BinaryTypes.String}
	if opt.Nulls != RespectNulls {
		f.required = []int{0}
	}
	write := newJSONWriter(args, 0, kept.codecs[0], opt)
	f.build = write.arrays
	return f.call(args, opt)
}

// jsonWriter writes values of a type, as bytes that a codec has written, as JSON.
type jsonWriter struct {
	dt    arrow.DataType
	codec codec
	style *text.Style
}

// newJSONWriter writes an argument as JSON_OBJECT and the like do.
func newJSONWriter(args []arrow.DataType, arg int, c codec, opt Options) jsonWriter {
	style := *text.JSON(opt.Zone)
	style.QuoteDecimals = false
	if slices.Contains(opt.JSON, arg) {
		style.String = func(dst, s []byte) []byte { return append(dst, s...) }
	}
	return jsonWriter{dt: args[arg], codec: c, style: &style}
}

// column is values as a column, which can be written.
func (w jsonWriter) column(mem memory.Allocator, values iter.Seq[[]byte]) arrow.Array {
	b := array.NewBuilder(mem, w.dt)
	defer b.Release()
	for v := range values {
		w.codec.write(b, v)
	}
	return b.NewArray()
}

// arrays builds the JSON arrays of lists.
func (w jsonWriter) arrays(mem memory.Allocator, lists []gathered) (arrow.Array, error) {
	values := w.column(mem, func(yield func([]byte) bool) {
		for _, l := range lists {
			for v := range l.values {
				if !yield(v) {
					return
				}
			}
		}
	})
	defer values.Release()
	out := vec.NewStrings(mem, len(lists), 16*len(lists))
	var doc []byte
	at := 0
	for _, l := range lists {
		if l.n == 0 {
			out.AppendNull()
			continue
		}
		doc = append(doc[:0], '[')
		for i := range int(l.n) {
			if i > 0 {
				doc = append(doc, ',')
			}
			doc = w.style.Append(doc, values, at+i)
		}
		at += int(l.n)
		out.AppendBytes(append(doc, ']'))
	}
	return out.Array(arrow.BinaryTypes.String), nil
}

func resolveJSONObjectAgg(args []arrow.DataType, opt Options) (Call, error) {
	const name = "JSON_OBJECTAGG"
	if err := argCount(name, 2, args); err != nil {
		return Call{}, err
	}
	if args[0].ID() != arrow.STRING {
		return Call{}, wrongArg(name, 0, "a STRING", args)
	}
	kept, err := newRecord(args, []int{0}, false)
	if err != nil {
		return Call{}, err
	}
	values, err := newRecord(args, []int{1}, true)
	if err != nil {
		return Call{}, err
	}
	kept.append(1, args[1], values.codecs[0])
	f := bagFunction{keeping: keep(name, kept, 0)}
	if opt.Nulls == IgnoreNulls {
		f.required = []int{0, 1}
	}
	write := newJSONWriter(args, 1, values.codecs[0], opt)
	call := f.keeping.call(args, arrow.BinaryTypes.String, true)
	call.New = func(mem memory.Allocator) Accumulator { return &jsonObjects{bagged: newBagged(f, mem), write: write} }
	return call, nil
}

// jsonObjects keeps pairs of keys and values in a bag.
type jsonObjects struct {
	*bagged
	write jsonWriter
}

func (a *jsonObjects) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	values := a.write.column(a.mem, func(yield func([]byte) bool) {
		for _, g := range groups {
			for _, v := range a.pairs(rows, g) {
				if !yield(v) {
					return
				}
			}
		}
	})
	defer values.Release()
	out := vec.NewStrings(a.mem, len(groups), 16*len(groups))
	var doc []byte
	at := 0
	for _, g := range groups {
		var n int
		var err error
		if doc, n, err = a.object(doc[:0], rows, g, values, at); err != nil {
			out.Release()
			return nil, err
		}
		if n == 0 {
			out.AppendNull()
			continue
		}
		at += n
		out.AppendBytes(doc)
	}
	return out.Array(arrow.BinaryTypes.String), nil
}

// object appends the object of a group, whose values begin at a row of the column, and tells the number of its pairs.
func (a *jsonObjects) object(doc []byte, rows state.Rows, group uint32, values arrow.Array, at int) (_ []byte, n int, err error) {
	var last []byte
	doc = append(doc, '{')
	for key := range a.pairs(rows, group) {
		if n > 0 {
			if bytes.Equal(key, last) {
				return doc, n, fmt.Errorf("%s: the key %q is there more than once in a group", a.name, key)
			}
			doc = append(doc, ',')
		}
		last = append(last[:0], key...)
		doc = append(text.AppendJSONString(doc, key), ':')
		doc = a.write.style.Append(doc, values, at+n)
		n++
	}
	return append(doc, '}'), n, nil
}

// pairs yields the keys and values of a group in the order of the keys.
func (a *jsonObjects) pairs(rows state.Rows, group uint32) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		set := a.of(rows, group)
		if set == nil {
			return
		}
		for v, n := range set.all() {
			key, value := textOf(a.get(v, nil))
			for range n {
				if !yield(key, value) {
					return
				}
			}
		}
	}
}
