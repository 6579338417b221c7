package analytic

import (
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

var (
	text    arrow.DataType = arrow.BinaryTypes.String
	integer arrow.DataType = arrow.PrimitiveTypes.Int32
)

func TestResolve(t *testing.T) {
	types := func(ts ...arrow.DataType) []arrow.DataType { return ts }
	for _, c := range []struct {
		name   string
		args   []arrow.DataType
		result arrow.DataType
		err    string
	}{
		{"ROW_NUMBER", nil, bigint, ""},
		{"rank", nil, bigint, ""},
		{"CUME_DIST", nil, double, ""},
		{"RANK", types(text), nil, "RANK takes no arguments, got 1"},
		{"NTILE", types(integer), bigint, ""},
		{"NTILE", types(text), nil, "NTILE takes a whole number"},
		{"NTILE", nil, nil, "NTILE takes 1 argument, got 0"},
		{"LAG", types(text), text, ""},
		{"LEAD", types(text, integer, text), text, ""},
		{"LAG", types(text, text), nil, "LAG takes a whole number of rows as its second argument"},
		{"LAG", nil, nil, "LAG takes 1 to 3 arguments, got 0"},
		{"FIRST_VALUE", types(double), double, ""},
		{"NTH_VALUE", types(double, bigint), double, ""},
		{"NTH_VALUE", types(double, double), nil, "NTH_VALUE takes a whole number as its second argument"},
	} {
		f, ok := Lookup(c.name)
		if !ok {
			t.Fatalf("no function %s", c.name)
		}
		call, err := f.Resolve(c.args)
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err {
				t.Errorf("%s%v: %v, want %s", c.name, c.args, err, c.err)
			}
		case err != nil || !arrow.TypeEqual(call.Result, c.result) || len(call.Args) != len(c.args):
			t.Errorf("%s%v: %+v, %v", c.name, c.args, call, err)
		}
	}
}

func TestFunctionsAreDocumented(t *testing.T) {
	for _, f := range Functions() {
		if !strings.HasPrefix(f.Signature, f.Name+"(") || !strings.HasSuffix(f.Doc, ".") || !strings.Contains(f.Example, " OVER (") {
			t.Errorf("%s: signature %q, doc %q, example %q", f.Name, f.Signature, f.Doc, f.Example)
		}
	}
}
