package exec

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"go.uber.org/goleak"

	"streamsql/checkpoint"
	"streamsql/connector"
	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
	"streamsql/plan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world runs a plan over feeds and plays the coordinator.
type world struct {
	t       *testing.T
	mem     *memory.CheckedAllocator
	runtime *Runtime
	ended   chan error
	cancel  context.CancelFunc

	mu     sync.Mutex
	change sync.Cond
	acks   map[checkpoint.ID][]checkpoint.TaskState
	chunks map[string][]byte
	show   func(b vec.Batch, row int) string
	out    []string // rows as emitted, "+I even 2"
	over   int      // sources that have ended
}

func newWorld(t *testing.T) *world {
	w := &world{
		t: t, mem: memory.NewCheckedAllocator(new(dirty.Allocator)),
		acks: map[checkpoint.ID][]checkpoint.TaskState{}, chunks: map[string][]byte{}, show: paritySum,
	}
	w.change.L = &w.mu
	return w
}

// start runs the plan, from the state of a checkpoint if there is one.
func (w *world) start(g *plan.Graph, parallelism int, restored []checkpoint.TaskState) {
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{
		Job: "golden", Parallelism: parallelism, Rows: vec.DefaultRows, Alloc: w.mem, Listener: w, Collect: w.collect, Chunks: w,
		Read: func(c checkpoint.Chunk) ([]byte, error) { return w.chunks[c.Key], nil },
	}
	if restored != nil {
		o.Restored = map[string][]checkpoint.OperatorState{}
		for _, task := range restored {
			for _, s := range task.Operators {
				o.Restored[s.Operator] = append(o.Restored[s.Operator], s)
			}
		}
	}
	var err error
	if w.runtime, err = Build(ctx, g, o); err != nil {
		w.t.Fatal(err)
	}
	w.cancel = cancel
	w.ended = make(chan error, 1)
	go func() { w.ended <- w.runtime.Run(ctx) }()
}

// crash ends the run without a checkpoint.
func (w *world) crash() {
	w.cancel()
	<-w.ended
	w.mem.AssertSize(w.t, 0)
}

// finish waits for the sources' end, takes the last checkpoint and waits for the tasks.
func (w *world) finish(id checkpoint.ID) {
	w.until("the sources end", func() bool { return w.over == len(w.runtime.Sources()) })
	w.runtime.Inject(checkpoint.Barrier{ID: id, Stop: true})
	w.complete(id)
	if err := <-w.ended; err != nil {
		w.t.Fatal(err)
	}
	w.cancel()
	w.mem.AssertSize(w.t, 0)
}

// complete waits until every task has acked the checkpoint, and tells them.
func (w *world) complete(id checkpoint.ID) []checkpoint.TaskState {
	w.until(fmt.Sprintf("checkpoint %d", id), func() bool { return len(w.acks[id]) == len(w.runtime.Tasks()) })
	w.runtime.Committed(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.acks[id]
}

// until waits for a condition on what the tasks have told.
func (w *world) until(what string, condition func() bool) {
	w.t.Helper()
	late := time.AfterFunc(10*time.Second, func() { panic("still waiting: " + what) })
	defer late.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for !condition() {
		w.change.Wait()
	}
}

// read waits until a source has handed on so many rows.
func (w *world) read(vertex string, rows int64) {
	for w.runtime.Counters(vertex).RowsOut.Load() < rows {
		time.Sleep(100 * time.Microsecond)
	}
}

// inject starts a checkpoint at one source alone.
func (w *world) inject(vertex string, b checkpoint.Barrier) {
	for _, t := range w.runtime.tasks {
		if t.id.Vertex == vertex {
			t.gate.post(inject{b})
		}
	}
}

func (w *world) told(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
	w.change.Broadcast()
}

func (w *world) Acked(id checkpoint.ID, s checkpoint.TaskState) {
	w.told(func() { w.acks[id] = append(w.acks[id], s) })
}

func (w *world) Declined(id checkpoint.ID, task checkpoint.TaskID, err error) {
	w.t.Errorf("%v declined checkpoint %d: %v", task, id, err)
}

func (w *world) SourceEnded(checkpoint.TaskID) { w.told(func() { w.over++ }) }

func (w *world) Write(operator string, subtask int, id checkpoint.ID, keyGroups [2]int, rows int, data []byte) checkpoint.Chunk {
	c := checkpoint.Chunk{Checkpoint: id, KeyGroups: keyGroups, Rows: rows, Bytes: len(data)}
	w.told(func() {
		c.Key = fmt.Sprintf("%s/%d/%d/%d", operator, subtask, id, len(w.chunks))
		w.chunks[c.Key] = data
	})
	return c
}

func (w *world) Flush(_ checkpoint.ID, done func(error)) { done(nil) }

func (w *world) collect(b vec.Batch) error {
	defer b.Release()
	w.told(func() {
		for i := range b.Len() {
			row := b.Row(i)
			w.out = append(w.out, fmt.Sprintf("%v %s", b.Kind(row), w.show(b, row)))
		}
	})
	return nil
}

// paritySum is a row of parityPlan.
func paritySum(b vec.Batch, row int) string {
	parity := [...]string{"even", "odd"}[b.Cols[0].(*array.Int64).Value(row)]
	return fmt.Sprintf("%s %d", parity, b.Cols[1].(*array.Int64).Value(row))
}

// state reads the positions and sums out of a checkpoint, as the article tells them.
func (w *world) state(tasks []checkpoint.TaskState) string {
	var parts []string
	for _, task := range tasks {
		for _, s := range task.Operators {
			for _, p := range s.Splits {
				parts = append(parts, fmt.Sprintf("%s: %s", s.Operator, p.Position))
			}
			for _, c := range s.Chunks {
				parts = append(parts, w.sums(c)...)
			}
		}
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

// sums reads the rows of a chunk: hash, parity, then the state of SUM, which begins with the sum.
func (w *world) sums(c checkpoint.Chunk) (parts []string) {
	r, err := vec.DecodeRecord(w.mem, w.chunks[c.Key])
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Release()
	for row := range int(r.NumRows()) {
		parity := r.Column(1).(*array.Int64).Value(row)
		parts = append(parts, fmt.Sprintf("%s: %d", [...]string{"even", "odd"}[parity], r.Column(2).(*array.Int64).Value(row)))
	}
	return parts
}

// parityPlan adds the numbers of sources up by parity: each source in a task with its projection, the sums in tasks of their own.
func parityPlan(t *testing.T, sources ...string) *plan.Graph {
	bigint := arrow.PrimitiveTypes.Int64
	numbers := arrow.NewSchema([]arrow.Field{{Name: "n", Type: bigint, Nullable: true}}, nil)
	pairs := arrow.NewSchema([]arrow.Field{{Name: "parity", Type: bigint}, {Name: "n", Type: bigint}}, nil)
	sums := arrow.NewSchema([]arrow.Field{{Name: "parity", Type: bigint}, {Name: "total", Type: bigint, Nullable: true}}, nil)
	n := &expr.Column{Name: "n", T: bigint, Null: true}
	parity, err := expr.NewCall("%", []expr.Expr{n, expr.NewBigInt(2)}, expr.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := agg.Resolve("SUM", []arrow.DataType{bigint}, agg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &plan.Graph{}
	var edges []plan.Input
	for _, s := range sources {
		table := connector.Table{Name: s, Schema: numbers, Options: map[string]string{"connector": "feed"}}
		scan := len(g.Vertices)
		g.Vertices = append(
			g.Vertices,
			&plan.Vertex{ID: s, Op: &plan.Scan{Table: table, Columns: []int{0}}, Schema: numbers, Parallelism: 1},
			&plan.Vertex{
				ID: s + "-parity", Op: &plan.Project{Exprs: []expr.Expr{parity, n}}, Schema: pairs, Inputs: []plan.Input{{From: scan}},
			},
		)
		edges = append(edges, plan.Input{From: scan + 1, Exchange: plan.Exchange{Kind: plan.Hash, Keys: []int{0}}})
	}
	aggregate := len(g.Vertices)
	g.Vertices = append(
		g.Vertices,
		&plan.Vertex{ID: "sums", Schema: sums, Inputs: edges, Op: &plan.Aggregate{
			Keys: []int{0}, Calls: []plan.AggregateCall{{Call: sum, Args: []int{1}, Filter: -1, Name: "SUM(n)"}},
		}},
		&plan.Vertex{ID: "collect", Op: &plan.Collect{}, Schema: sums, Parallelism: 1, Inputs: []plan.Input{{From: aggregate}}},
	)
	return g
}

func upTo(n int) []int64 {
	rows := make([]int64, n)
	for i := range rows {
		rows[i] = int64(i + 1)
	}
	return rows
}

// TestEvenBranchSnapshotsToo: one source, a barrier after 5, which goes to the odd branch; the even branch snapshots as well.
func TestEvenBranchSnapshotsToo(t *testing.T) {
	source := newFeed(t, "source", upTo(8)...)
	w := newWorld(t)
	w.start(parityPlan(t, "source"), 2, nil)
	source.give(5)
	w.read("source", 5)
	w.runtime.Inject(checkpoint.Barrier{ID: 1})
	tasks := w.complete(1)
	if got, want := w.state(tasks), "{even: 6, odd: 9, source: 5}"; got != want {
		t.Errorf("the checkpoint is %s, want %s", got, want)
	}

	// Killed while 7 is on its way to the odd branch, the sums end as if nothing had happened.
	source.give(7)
	w.read("source", 7)
	w.crash()
	w.out, w.over = nil, 0
	w.start(parityPlan(t, "source"), 2, tasks)
	source.give(8)
	source.end()
	w.finish(2)
	if got, want := w.last(), "even 20, odd 16"; got != want {
		t.Errorf("the sums end as %s, want %s", got, want)
	}
}

// last is the newest sum of each parity.
func (w *world) last() string {
	newest := map[string]string{}
	for _, row := range w.out {
		kind, rest, _ := strings.Cut(row, " ")
		if kind == "+I" || kind == "+U" {
			parity, sum, _ := strings.Cut(rest, " ")
			newest[parity] = sum
		}
	}
	return fmt.Sprintf("even %s, odd %s", newest["even"], newest["odd"])
}

// TestAlignmentBuffers: blue's barrier comes after 3, yellow's after 4. The even task has blue's first, so blue's 4 has to wait while
// yellow's 4 is added.
func TestAlignmentBuffers(t *testing.T) {
	for _, parallelism := range []int{1, 2} {
		t.Run(fmt.Sprintf("parallelism=%d", parallelism), func(t *testing.T) {
			blue, yellow := newFeed(t, "source1", upTo(4)...), newFeed(t, "source2", upTo(4)...)
			w := newWorld(t)
			w.start(parityPlan(t, "source1", "source2"), parallelism, nil)
			blue.give(3)
			yellow.give(3)
			w.read("source1", 3)
			w.read("source2", 3)
			w.inject("source1", checkpoint.Barrier{ID: 1})
			blue.give(4)
			w.read("source1", 4)
			w.until("the sums of three numbers each", func() bool { return w.last() == "even 4, odd 8" })
			yellow.give(4)
			w.until("yellow's 4 is added", func() bool { return w.last() == "even 8, odd 8" })
			w.inject("source2", checkpoint.Barrier{ID: 1})
			tasks := w.complete(1)
			if got, want := w.state(tasks), "{even: 8, odd: 8, source1: 3, source2: 4}"; got != want {
				t.Errorf("the checkpoint is %s, want %s", got, want)
			}
			w.until("blue's 4 is added", func() bool { return w.last() == "even 12, odd 8" })
			w.crash()

			w.out, w.over = nil, 0
			w.start(parityPlan(t, "source1", "source2"), 3-parallelism, tasks)
			blue.end()
			yellow.end()
			w.finish(2)
			if got, want := strings.Join(w.out, ", "), "-U even 8, +U even 12"; got != want {
				t.Errorf("after the restore the sums change by %s, want %s", got, want)
			}
		})
	}
}
