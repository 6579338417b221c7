package exec

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/connector"
	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
	"streamsql/exec/window"
	"streamsql/plan"
)

// windowPlan counts the rows of sources, whose numbers are milliseconds, by windows of ten.
func windowPlan(t *testing.T, idle time.Duration, sources ...string) *plan.Graph {
	instant := expr.TimestampLTZ(3)
	numbers := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
	times := []arrow.Field{{Name: "ts", Type: instant}}
	windows := append(slices.Clone(times), arrow.Field{Name: "start", Type: instant}, arrow.Field{Name: "end", Type: instant},
		arrow.Field{Name: "time", Type: instant})
	counts := []arrow.Field{windows[1], windows[2], {Name: "rows", Type: arrow.PrimitiveTypes.Int64}}
	ts, err := expr.NewCall("TO_TIMESTAMP_LTZ", []expr.Expr{&expr.Column{Name: "n", T: arrow.PrimitiveTypes.Int64}, expr.NewInt(3)}, expr.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	count, err := agg.Resolve("COUNT", nil, agg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &plan.Graph{}
	var edges []plan.Input
	for _, s := range sources {
		table := connector.Table{Name: s, Schema: numbers, Options: map[string]string{"connector": "feed"}}
		edges = append(edges, plan.Input{From: len(g.Vertices), Exchange: plan.Exchange{Kind: plan.Rebalance}})
		g.Vertices = append(g.Vertices, &plan.Vertex{ID: s, Parallelism: 1, Schema: arrow.NewSchema(times, nil), Op: &plan.Scan{
			Table: table, Columns: []int{0}, Exprs: []expr.Expr{ts},
			Watermark: &plan.Watermark{Expr: &expr.Column{Name: "ts", T: instant}, IdleTimeout: idle.Milliseconds()},
		}})
	}
	at := len(g.Vertices)
	forward := func(from int) []plan.Input { return []plan.Input{{From: from}} }
	g.Vertices = append(
		g.Vertices,
		&plan.Vertex{ID: "union", Parallelism: 1, Schema: arrow.NewSchema(times, nil), Inputs: edges, Op: &plan.Union{}},
		&plan.Vertex{ID: "windows", Parallelism: 1, Schema: arrow.NewSchema(windows, nil), Inputs: forward(at), Op: &plan.WindowAssign{
			Spec: window.Spec{Kind: "TUMBLE", Size: 10},
		}},
		&plan.Vertex{ID: "counts", Parallelism: 1, Schema: arrow.NewSchema(counts, nil), Inputs: forward(at + 1), Op: &plan.Aggregate{
			Keys: []int{1, 2}, Calls: []plan.AggregateCall{{Call: count, Filter: -1}}, Window: &plan.GroupWindow{Start: 0, End: 1},
		}},
		&plan.Vertex{ID: "collect", Parallelism: 1, Schema: arrow.NewSchema(counts, nil), Inputs: forward(at + 2), Op: &plan.Collect{}},
	)
	return g
}

// TestIdleSource: a source that is silent holds the windows back until it counts as idle. What it says afterwards about a window that
// has fired is dropped.
func TestIdleSource(t *testing.T) {
	busy, silent := newFeed(t, "busy", 1, 2, 11, 25, 31), newFeed(t, "silent", 3, 26)
	w := newWorld(t)
	w.show = func(b vec.Batch, row int) string {
		return fmt.Sprintf("%d: %d", b.Cols[0].(*array.Timestamp).Value(row), b.Cols[2].(*array.Int64).Value(row))
	}
	w.start(windowPlan(t, 20*time.Millisecond, "busy", "silent"), 1, nil)
	busy.give(4)
	w.read("busy", 4)
	if out := w.snapshot(); len(out) != 0 {
		t.Fatalf("windows fired before the silent source was idle: %v", out)
	}
	clock := time.NewTicker(time.Millisecond)
	defer clock.Stop()
	for len(w.snapshot()) < 2 {
		<-clock.C
		w.runtime.Tick()
	}
	silent.give(2)
	// Only where both sources meet is it settled that the silent one has spoken before the busy one goes on.
	w.read("union", 6)
	busy.give(5)
	busy.end()
	silent.end()
	w.finish(1)
	if got, want := fmt.Sprint(w.snapshot()), "[+I 0: 2 +I 10: 1 +I 20: 2 +I 30: 1]"; got != want {
		t.Errorf("the windows are %s, want %s", got, want)
	}
	if late := w.runtime.Counters("counts").Late.Load(); late != 1 {
		t.Errorf("%d late rows, want 1", late)
	}
}

// snapshot is what has been emitted so far.
func (w *world) snapshot() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.out)
}
