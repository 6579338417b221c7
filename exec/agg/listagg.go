package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

func init() {
	Register(Function{
		Name:      "LISTAGG",
		Aliases:   []string{"STRING_AGG"},
		Signature: "LISTAGG([DISTINCT] text [, separator] [ORDER BY key, …]) [WITHIN GROUP (ORDER BY key, …)]",
		Doc: "The texts that are not NULL, one behind the other, with the separator, a comma if not given, between them, in the given order " +
			"or else in that of their arrival.",
		Example: "SELECT LISTAGG(x, '-' ORDER BY x) FROM (VALUES ('b'), ('c'), ('a'), (NULL)) AS t (x)", ExampleResult: "a-b-c",
		Sortable: true,
		Resolve:  resolveListAgg,
	})
}

func resolveListAgg(args []arrow.DataType, opt Options) (Call, error) {
	const name = "LISTAGG"
	own := args[:len(args)-len(opt.Order)]
	if len(own) != 1 && len(own) != 2 {
		return Call{}, argCount(name, 1, own)
	}
	read := append([]arrow.DataType(nil), args...)
	f := gatherFunction{keeping: keep(name, record{}, 0), result: arrow.BinaryTypes.String}
	f.build = join
	for i, dt := range own {
		if !isScalar(dt) {
			return Call{}, wrongArg(name, i, "a text", args)
		}
		read[i] = arrow.BinaryTypes.String
	}
	if len(own) == 2 {
		f.required = []int{0, 1}
		f.parameter, f.parameterType, f.check = 1, arrow.BinaryTypes.String, func(parameter) error { return nil }
	}
	var err error
	if f.record, err = newRecord(read, []int{0}, false); err != nil {
		return Call{}, err
	}
	return f.call(read, opt)
}

// isScalar tells whether values of the type can be cast to STRING and read well.
func isScalar(dt arrow.DataType) bool {
	return !arrow.IsNested(dt.ID()) && dt.ID() != arrow.BINARY
}

// join builds the texts of lists of texts.
func join(mem memory.Allocator, lists []gathered) (arrow.Array, error) {
	out := vec.NewStrings(mem, len(lists), 16*len(lists))
	var text []byte
	for _, l := range lists {
		if l.n == 0 {
			out.AppendNull()
			continue
		}
		separator := ","
		if l.parameter.raw != nil {
			separator = l.parameter.text
		}
		text = text[:0]
		first := true
		for v := range l.values {
			if !first {
				text = append(text, separator...)
			}
			first = false
			value, _ := textOf(v)
			text = append(text, value...)
		}
		out.AppendBytes(text)
	}
	return out.Array(arrow.BinaryTypes.String), nil
}
