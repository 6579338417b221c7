package exec

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/checkpoint"
	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// Options is what a plan needs to run.
type Options struct {
	Job         string
	Parallelism int // of vertices that leave it open
	Rows        int // largest batch
	Alloc       memory.Allocator
	Settings    expr.Settings
	Listener    Listener
	// Collect takes the batches of the plan's Collect vertex, which it owns then. It is called from one goroutine.
	Collect func(vec.Batch) error
	// Errors makes the sink of undecodable records of a table whose on.error is dead-letter; nil only counts them.
	Errors func(connector.Table) (connector.Sink, error)

	// Chunks keeps the tasks' state; nil makes the run one that cannot be resumed.
	Chunks Chunks
	// Restored is the state to go on from, by vertex; Read fetches its chunks.
	Restored map[string][]checkpoint.OperatorState
	Read     func(checkpoint.Chunk) ([]byte, error)
	// RestoredID is the checkpoint of the job that Restored is of; 0 if it starts fresh or from elsewhere.
	RestoredID checkpoint.ID
	// Foreign says that the restored chunks are not the job's own, so that its first checkpoint has to write all state.
	Foreign bool
	// IgnoreMissing lets sinks go on without output that is gone.
	IgnoreMissing bool
}

// Chunks writes pieces of keyed state in the background, for all tasks.
type Chunks interface {
	Write(operator string, subtask int, id checkpoint.ID, keyGroups [2]int, rows int, data []byte) checkpoint.Chunk
	// Flush calls done, from any goroutine, once all that was written for the checkpoint is durable or has failed.
	Flush(id checkpoint.ID, done func(error))
}

// builder turns a plan into tasks.
type builder struct {
	Options
	ctx      context.Context
	graph    *plan.Graph
	width    []int // parallelism of each vertex
	counters []*Counters
	sources  []connector.Source
	splits   [][]split
	sinks    []connector.Sink
	errors   []connector.Sink
	heads    map[int][]*task // tasks whose root is the vertex, by subtask
	tasks    []*task
}

// Build makes the tasks of a plan: opens its sources and sinks, commits what a restored checkpoint left to commit, and wires
// operators into tasks and tasks to each other. Nothing runs yet.
func Build(ctx context.Context, g *plan.Graph, o Options) (*Runtime, error) {
	n := len(g.Vertices)
	b := &builder{
		Options: o, ctx: ctx, graph: g, width: make([]int, n), counters: make([]*Counters, n),
		sources: make([]connector.Source, n), splits: make([][]split, n),
		sinks: make([]connector.Sink, n), errors: make([]connector.Sink, n), heads: map[int][]*task{},
	}
	for i := range g.Vertices {
		if err := b.prepare(i); err != nil {
			return nil, fmt.Errorf("%s: %w", placeOf(g.Vertices[i]), err)
		}
	}
	for i := range g.Vertices {
		if !b.chained(i) {
			if err := b.head(i); err != nil {
				return nil, fmt.Errorf("%s: %w", g.Vertices[i].ID, err)
			}
		}
	}
	b.connect()
	return newRuntime(b), nil
}

// placeOf names a vertex for the user: by its table, if it has one.
func placeOf(v *plan.Vertex) string {
	switch op := v.Op.(type) {
	case *plan.Scan:
		return "table " + op.Table.Name
	case *plan.Sink:
		return "table " + op.Table.Name
	}
	return v.ID
}

// prepare opens the outside of vertex i and settles its parallelism.
func (b *builder) prepare(i int) (err error) {
	v := b.graph.Vertices[i]
	b.counters[i] = newCounters()
	switch op := v.Op.(type) {
	case *plan.Scan:
		err = b.openSource(i, op)
	case *plan.Values:
		b.sources[i] = &values{op: op, alloc: b.Alloc, settings: b.Settings, vertex: b.graph.Vertices[i].ID}
		err = b.findSplits(i)
	case *plan.Sink:
		err = b.openSink(i, op)
	}
	b.width[i] = b.parallelism(i)
	return err
}

// parallelism is the vertex's own if it has one; otherwise that of the input it continues, or the job's.
func (b *builder) parallelism(i int) int {
	v := b.graph.Vertices[i]
	width := max(b.Parallelism, 1)
	switch {
	case v.Parallelism > 0:
		width = v.Parallelism
	case len(v.Inputs) == 1 && v.Inputs[0].Exchange.Kind == plan.Forward:
		width = b.width[v.Inputs[0].From]
	case b.sources[i] != nil:
		width = max(min(width, len(b.splits[i])), 1)
	}
	if s := b.sinks[i]; s != nil && s.MaxParallelism() > 0 {
		width = min(width, s.MaxParallelism())
	}
	return min(width, vec.KeyGroups)
}

func (b *builder) openSource(i int, op *plan.Scan) (err error) {
	spec := connector.SourceSpec{
		Table: op.Table, Columns: op.Columns, Ordered: op.Watermark != nil, Rows: b.Rows, Alloc: b.Alloc,
	}
	for _, m := range op.Metadata {
		spec.Metadata = append(spec.Metadata, m.Key)
	}
	if b.sources[i], err = connector.NewSource(spec); err != nil {
		return err
	}
	if op.OnError == connector.DeadLetter && b.Errors != nil {
		if b.errors[i], err = b.Errors(op.Table); err != nil {
			return err
		}
		if err := b.recover(b.errors[i], b.sideID(i)); err != nil {
			return err
		}
	}
	return b.findSplits(i)
}

// findSplits lists the splits of a source, or takes those of the restored checkpoint with where they stood.
func (b *builder) findSplits(i int) error {
	states := b.Restored[b.graph.Vertices[i].ID]
	for _, s := range states {
		for _, p := range s.Splits {
			b.splits[i] = append(b.splits[i], split{
				Split:    connector.Split{ID: p.Split, Data: p.Data},
				position: p.Position, done: p.Done, watermark: p.Watermark,
			})
		}
	}
	if states != nil {
		return nil
	}
	splits, err := b.sources[i].Splits(b.ctx)
	for _, s := range splits {
		b.splits[i] = append(b.splits[i], split{Split: s, watermark: vec.MinTime})
	}
	return err
}

func (b *builder) openSink(i int, op *plan.Sink) (err error) {
	v := b.graph.Vertices[i]
	spec := connector.SinkSpec{Table: op.Table, Schema: v.Schema, Job: b.Job, Overwrite: op.Overwrite}
	if b.sinks[i], err = connector.NewSink(spec); err != nil {
		return err
	}
	return b.recover(b.sinks[i], v.ID)
}

// recover has a transactional sink finish what the restored checkpoint prepared.
func (b *builder) recover(s connector.Sink, vertex string) error {
	r, ok := s.(connector.Recoverer)
	if !ok || b.Chunks == nil {
		return nil
	}
	var handles [][]byte
	for _, s := range b.Restored[vertex] {
		handles = append(handles, s.Handles...)
	}
	return r.Recover(b.ctx, connector.Recovery{Handles: handles, IgnoreMissing: b.IgnoreMissing})
}

// chained reports whether the vertex runs in the task of its input: each of its rows is for the subtask it comes from.
func (b *builder) chained(i int) bool {
	in := b.graph.Vertices[i].Inputs
	return len(in) == 1 && b.width[in[0].From] == b.width[i] && (in[0].Exchange.Kind == plan.Forward || b.width[i] == 1)
}

// head makes the tasks whose root is the vertex.
func (b *builder) head(i int) error {
	v := b.graph.Vertices[i]
	for subtask := range b.width[i] {
		root, err := b.node(i, subtask)
		if err != nil {
			return err
		}
		t := &task{
			id:       checkpoint.TaskID{Vertex: v.ID, Subtask: subtask},
			root:     root,
			chunks:   b.Chunks,
			listener: b.Listener,
		}
		inputs := 1
		if s, ok := root.op.(*scan); ok {
			t.source = s
			inputs = max(len(s.splits), 1)
		} else {
			for edge, in := range v.Inputs {
				for range b.senders(i, in) {
					t.edges = append(t.edges, edge)
				}
			}
			inputs = len(t.edges)
		}
		t.gate = newGate(inputs, gateBudget)
		t.times = newWatermarks(inputs)
		t.aligner = newAligner(t.gate, inputs)
		b.heads[i] = append(b.heads[i], t)
		b.tasks = append(b.tasks, t)
	}
	return nil
}

// senders is the number of tasks that feed each subtask of vertex i along the edge.
func (b *builder) senders(i int, in plan.Input) int {
	if in.Exchange.Kind == plan.Forward && b.width[in.From] == b.width[i] {
		return 1
	}
	return b.width[in.From]
}

// node makes the operator of a vertex and those chained to it.
func (b *builder) node(i, subtask int) (*node, error) {
	op, err := b.operator(i, subtask)
	if err != nil {
		return nil, err
	}
	v := b.graph.Vertices[i]
	n := &node{op: op, vertex: i, context: b.context(v.ID, plan.Signature(v.Op), b.counters[i], subtask, b.width[i])}
	if s := b.errors[i]; s != nil {
		c := b.context(b.sideID(i), "", newCounters(), subtask, b.width[i])
		n.sides = append(n.sides, &node{op: &sink{op: &plan.Sink{}, table: s}, vertex: -1, context: c})
		n.context.Side = side{n.sides[0]}
	}
	for j := range b.graph.Vertices {
		if b.chained(j) && b.graph.Vertices[j].Inputs[0].From == i {
			c, err := b.node(j, subtask)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.graph.Vertices[j].ID, err)
			}
			n.children = append(n.children, c)
		}
	}
	return n, nil
}

// sideID names the error sink of a scan over restarts.
func (b *builder) sideID(i int) string { return b.graph.Vertices[i].ID + "-errors" }

func (b *builder) context(vertex, signature string, counters *Counters, subtask, width int) *Context {
	return &Context{
		Context: b.ctx, Vertex: vertex, Signature: signature, Subtask: subtask, Parallelism: width,
		KeyGroups: vec.OwnedBy(subtask, width),
		Alloc:     b.Alloc, Rows: b.Rows, Settings: b.Settings, Counters: counters,
		Durable: b.Chunks != nil, Chunks: chunkWriter{b.Chunks, vertex, subtask},
		Restored: b.Restored[vertex], Read: b.Read, Foreign: b.Foreign,
		draws: newDraws(b.Settings.Seed, vertex, subtask, width, b.Restored[drawsName(vertex)]),
	}
}

// operator makes the operator of a vertex: one case for each kind.
func (b *builder) operator(i, subtask int) (Operator, error) {
	v := b.graph.Vertices[i]
	switch op := v.Op.(type) {
	case *plan.Scan:
		s := &scan{op: op, source: b.sources[i], splits: b.share(i, subtask)}
		if op.Watermark != nil {
			s.timeName = v.Schema.Field(op.Watermark.Column).Name
		}
		return s, nil
	case *plan.Values:
		return &scan{op: &plan.Scan{}, source: b.sources[i], splits: b.share(i, subtask)}, nil
	case *plan.Filter:
		return &filter{condition: op.Condition}, nil
	case *plan.Project:
		return &project{exprs: op.Exprs}, nil
	case *plan.WindowAssign:
		return newWindowAssign(op, v.Schema), nil
	case *plan.Union:
		return union{}, nil
	case *plan.Aggregate:
		return b.aggregate(i, op), nil
	case *plan.Sink:
		return &sink{op: op, table: b.sinks[i]}, nil
	case *plan.Collect:
		return &collect{deliver: b.Collect}, nil
	}
	return nil, fmt.Errorf("bug: no operator for %T", v.Op)
}

// aggregate makes the operator of an aggregate. Two phases in one task are one: the first passes its input on to the second.
func (b *builder) aggregate(i int, op *plan.Aggregate) Operator {
	v := b.graph.Vertices[i]
	in := v.Inputs[0].From
	if op.Phase == plan.Partial && b.feedsChained(i) {
		return union{}
	}
	if first, ok := b.graph.Vertices[in].Op.(*plan.Aggregate); ok && op.Phase == plan.Final && b.chained(i) {
		both := *first
		both.Phase = plan.Single
		op, in = &both, b.graph.Vertices[in].Inputs[0].From
	}
	return newAggregate(op, b.graph.Vertices[in].Schema, v.Schema)
}

// feedsChained reports whether all that read from the vertex run in its task.
func (b *builder) feedsChained(i int) bool {
	for _, j := range b.graph.Outputs(i) {
		if !b.chained(j) {
			return false
		}
	}
	return true
}

// share deals the splits of a source out to its subtasks.
func (b *builder) share(i, subtask int) []split {
	var own []split
	for j, s := range b.splits[i] {
		if j%b.width[i] == subtask {
			own = append(own, s)
		}
	}
	return own
}

// connect gives the nodes the outlets to the tasks they feed.
func (b *builder) connect() {
	for to, v := range b.graph.Vertices {
		receivers := b.heads[to]
		if receivers == nil {
			continue
		}
		first := 0
		for _, in := range v.Inputs {
			b.connectEdge(in, receivers, first)
			first += b.senders(to, in)
		}
	}
}

// connectEdge adds the outlets of one edge; its senders take the receivers' inputs from first on.
func (b *builder) connectEdge(in plan.Input, receivers []*task, first int) {
	alike := b.direct(in, receivers)
	for sender, n := range b.nodesOf(in.From) {
		o := &outlet{exchange: in.Exchange}
		if alike {
			o.ports = []port{{receivers[sender].gate, first}}
		} else {
			for _, r := range receivers {
				o.ports = append(o.ports, port{r.gate, first + sender})
			}
		}
		n.outlets = append(n.outlets, o)
	}
}

// direct reports whether each subtask of the edge feeds just its like.
func (b *builder) direct(in plan.Input, receivers []*task) bool {
	return in.Exchange.Kind == plan.Forward && b.width[in.From] == len(receivers)
}

// nodesOf lists the nodes of a vertex by subtask.
func (b *builder) nodesOf(vertex int) []*node {
	var found []*node
	var walk func(*node)
	walk = func(n *node) {
		if n.vertex == vertex {
			found = append(found, n)
		}
		for _, c := range n.children {
			walk(c)
		}
	}
	for _, t := range b.tasks {
		walk(t.root)
	}
	return found
}

// chunkWriter is the ChunkWriter of one operator.
type chunkWriter struct {
	chunks   Chunks
	operator string
	subtask  int
}

func (w chunkWriter) Write(id checkpoint.ID, r vec.KeyGroupRange, rows int, data []byte) checkpoint.Chunk {
	return w.chunks.Write(w.operator, w.subtask, id, [2]int{r.Lo, r.Hi}, rows, data)
}
