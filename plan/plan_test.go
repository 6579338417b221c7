package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/agg"
)

func count(name string) AggregateCall {
	return AggregateCall{Call: agg.Call{Name: "COUNT", Result: arrow.PrimitiveTypes.Int64}, Name: name, Filter: -1}
}

func TestSignature(t *testing.T) {
	table := connector.Table{Name: "bid", Options: map[string]string{"connector": "filesystem", "path": "a.json"}}
	grouped := Aggregate{Keys: []int{0}, KeyNames: []string{"k STRING"}, Calls: []AggregateCall{count("COUNT(*)")}}
	windowed := grouped
	windowed.KeyNames = []string{"window_start TIMESTAMP(3)", "window_end TIMESTAMP(3)"}
	windowed.Window = &GroupWindow{Start: 0, End: 1, Name: "TUMBLE(INTERVAL '1' HOUR)", Lateness: 5}
	partial, final := grouped, grouped
	partial.Phase, final.Phase = Partial, Final
	for _, c := range []struct {
		op   Op
		want string
	}{
		{&Scan{Table: table}, "scan; table bid of filesystem"},
		{&Sink{Table: table}, "sink; table bid of filesystem"},
		{&Values{}, "values"},
		{&Filter{}, ""},
		{&Collect{}, ""},
		{&grouped, "aggregate; key k STRING; value COUNT(*) BIGINT"},
		{&final, "aggregate; key k STRING; value COUNT(*) BIGINT"},
		{&partial, ""},
		{&windowed, "aggregate; key window_start TIMESTAMP(3); key window_end TIMESTAMP(3); value COUNT(*) BIGINT; window TUMBLE(INTERVAL '1' HOUR)"},
		{&Aggregate{Retracting: true, Emit: EmitFinal}, "aggregate; takes updates; gives final results"},
	} {
		if got := strings.ReplaceAll(Signature(c.op), "\n", "; "); got != c.want {
			t.Errorf("%T: %s, want %s", c.op, got, c.want)
		}
	}
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ state, query, gone, added string }{
		{"a\nb", "a\nb", "", ""},
		{"a\nb", "a\nc", "b", "c"},
		{"a\nb\nc", "a", "b c", ""},
		{"a", "a\nb", "", "b"},
		{"a\nb", "b\na", "a b", "b a"},
	} {
		gone, added := Difference(c.state, c.query)
		if strings.Join(gone, " ") != c.gone || strings.Join(added, " ") != c.added {
			t.Errorf("Difference(%q, %q) = %q, %q", c.state, c.query, gone, added)
		}
	}
}

func TestChains(t *testing.T) {
	hash := Exchange{Kind: Hash, Keys: []int{0}}
	g := &Graph{Vertices: []*Vertex{
		{ID: "scan-1", Op: &Scan{}},
		{ID: "filter-1", Op: &Filter{}, Inputs: []Input{{From: 0}}},
		{ID: "aggregate-1", Op: &Aggregate{}, Inputs: []Input{{From: 1, Exchange: hash}}},
		{ID: "union-1", Op: &Union{}, Inputs: []Input{{From: 1}, {From: 2}}},
		{ID: "collect-1", Op: &Collect{}, Inputs: []Input{{From: 3}}, Parallelism: 1},
	}}
	want := []bool{false, true, false, false, false}
	for i := range g.Vertices {
		if g.Chained(i) != want[i] {
			t.Errorf("%s chained: %v", g.Vertices[i].ID, g.Chained(i))
		}
	}
	if got := g.Outputs(1); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("outputs of filter-1: %v", got)
	}
	if got := g.Outputs(4); got != nil {
		t.Errorf("outputs of collect-1: %v", got)
	}
}

func TestKind(t *testing.T) {
	for want, op := range map[string]Op{"Scan": &Scan{}, "Window": &WindowAssign{}, "Aggregate": &Aggregate{}} {
		if got := Kind(op); got != want {
			t.Errorf("Kind = %s, want %s", got, want)
		}
	}
}
