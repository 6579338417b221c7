package print

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
}, nil)

func testBatch(t *testing.T, mem memory.Allocator) vec.Batch {
	t.Helper()
	rec, _, err := array.RecordFromJSON(mem, schema, strings.NewReader(`[{"id": 1, "s": "a"}, {"id": 2, "s": "b"}, {"id": 3, "s": null}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	b := vec.NewBatch(3, rec.Columns()).Retain().Select([]uint32{0, 2})
	b.Kinds = []vec.Kind{vec.Insert, vec.Insert, vec.UpdateBefore}
	return b
}

func newWriter(t *testing.T, spec connector.SinkSpec, options ...string) connector.Writer {
	t.Helper()
	spec.Table.Options = map[string]string{"connector": "print"}
	for i := 0; i < len(options); i += 2 {
		spec.Table.Options[options[i]] = options[i+1]
	}
	s, err := connector.NewSink(spec)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Open(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestPrint(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	var out strings.Builder
	w := newWriter(t, connector.SinkSpec{Schema: schema, Stdout: &out}, "print-identifier", "job")
	for range 2 {
		if err := w.Write(t.Context(), testBatch(t, mem)); err != nil {
			t.Fatal(err)
		}
	}
	lines := "job> +I[1, a]\njob> -U[3, null]\n"
	if out.String() != lines+lines {
		t.Errorf("printed %q", out.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

var errBroken = errors.New("broken")

func TestPrintFails(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	w := newWriter(t, connector.SinkSpec{Schema: schema, Stdout: broken{}})
	if err := w.Write(t.Context(), testBatch(t, mem)); !errors.Is(err, errBroken) {
		t.Errorf("error is %v", err)
	}
}
