package planner

import (
	"fmt"
	"slices"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/plan"
)

// lowering turns a logical plan into a physical one.
type lowering struct {
	settings Settings
	// final asks that aggregates without a window emit each group once, at the end of their input.
	final bool
	graph plan.Graph
	ranks map[string]int
	// missing is the error about the first operator that cannot be run.
	missing error
	// done are the plans that have vertices.
	done []lowered
}

// lowered is a plan with its last vertex.
type lowered struct {
	node   node
	final  bool
	vertex int
}

func newLowering(s Settings) *lowering {
	return &lowering{settings: s, ranks: map[string]int{}}
}

// table is the table as its connector sees it, in the session's time zone.
func (l *lowering) table(t *catalog.Table) connector.Table {
	physical := t.Physical
	physical.Zone = l.settings.Expr.TimeZone
	return physical
}

// lower adds the vertices of a plan, or finds those of one that is the same.
func (l *lowering) lower(n node) (int, error) {
	for _, d := range l.done {
		if d.final == l.final && samePlan(d.node, n) {
			return d.vertex, nil
		}
	}
	vertex, err := n.lower(l)
	if err == nil {
		l.done = append(l.done, lowered{n, l.final, vertex})
	}
	return vertex, err
}

// notYet remembers that an operator can be planned and not run.
func (l *lowering) notYet(at place, what string) {
	if l.missing == nil {
		l.missing = at.notYet(what)
	}
}

// source adds a vertex without inputs. Parallelism 0 is the job's default.
func (l *lowering) source(kind string, op plan.Op, cols []column, log plan.Changelog, parallelism int) int {
	return l.add(kind, &plan.Vertex{Op: op, Schema: schemaOf(cols), Changelog: log, Parallelism: parallelism})
}

// chain adds a vertex that works on each row where it is and leaves it the kind of change it was.
func (l *lowering) chain(kind string, op plan.Op, cols []column, input int) int {
	in := l.graph.Vertices[input]
	return l.add(kind, &plan.Vertex{
		Op: op, Schema: schemaOf(cols), Changelog: in.Changelog, Parallelism: in.Parallelism,
		Inputs: []plan.Input{{From: input}},
	})
}

// exchange adds a vertex behind a redistribution of the rows by keys. Without keys all rows meet in one subtask.
func (l *lowering) exchange(kind string, op plan.Op, cols []column, log plan.Changelog, input int, keys []int) int {
	v := &plan.Vertex{Op: op, Schema: schemaOf(cols), Changelog: log, Inputs: []plan.Input{l.hash(input, keys)}}
	if len(keys) == 0 {
		v.Parallelism = 1
	}
	return l.add(kind, v)
}

// hash is an edge by keys; rows that are in one subtask and stay in one need no exchange.
func (l *lowering) hash(input int, keys []int) plan.Input {
	if len(keys) == 0 && l.graph.Vertices[input].Parallelism == 1 {
		return plan.Input{From: input}
	}
	return plan.Input{From: input, Exchange: plan.Exchange{Kind: plan.Hash, Keys: keys}}
}

// join adds a vertex that takes the rows of several inputs as they come. Inputs that run in one subtask are spread out, unless
// that would tear the updates of a row apart: then all are brought together.
func (l *lowering) join(kind string, op plan.Op, cols []column, inputs []int) int {
	v := &plan.Vertex{Op: op, Schema: schemaOf(cols)}
	v.Parallelism = l.commonParallelism(inputs)
	for _, i := range inputs {
		in := l.graph.Vertices[i]
		edge := plan.Input{From: i}
		switch {
		case in.Parallelism == v.Parallelism:
		case v.Parallelism == 1:
			edge = l.hash(i, nil)
		default:
			edge.Exchange.Kind = plan.Rebalance
		}
		v.Inputs = append(v.Inputs, edge)
		v.Changelog = max(v.Changelog, in.Changelog)
	}
	return l.add(kind, v)
}

// commonParallelism is the parallelism of a vertex over several inputs.
func (l *lowering) commonParallelism(inputs []int) int {
	parallelism := func(i int) int { return l.graph.Vertices[i].Parallelism }
	first := parallelism(inputs[0])
	if !slices.ContainsFunc(inputs, func(i int) bool { return parallelism(i) != first }) {
		return first
	}
	for _, i := range inputs {
		if parallelism(i) == 1 && l.graph.Vertices[i].Changelog != plan.Append {
			return 1
		}
	}
	return 0
}

// meet adds a vertex that brings rows of two inputs together by keys. Keys that may equal everything do not tell rows apart; if there
// are no others, all rows meet in one subtask.
func (l *lowering) meet(kind string, op plan.Op, cols []column, log plan.Changelog, inputs [2]int, keys []plan.JoinKey) int {
	var left, right []int
	for _, k := range keys {
		if k.Nulls != plan.NullsUnknown {
			left, right = append(left, k.Left), append(right, k.Right)
		}
	}
	v := &plan.Vertex{Op: op, Schema: schemaOf(cols), Changelog: log}
	v.Inputs = []plan.Input{l.hash(inputs[0], left), l.hash(inputs[1], right)}
	if len(left) == 0 {
		v.Parallelism = 1
	}
	return l.add(kind, v)
}

// add names the vertex by its kind and its rank among that kind.
func (l *lowering) add(kind string, v *plan.Vertex) int {
	l.ranks[kind]++
	v.ID = fmt.Sprintf("%s-%d", kind, l.ranks[kind])
	l.graph.Vertices = append(l.graph.Vertices, v)
	return len(l.graph.Vertices) - 1
}
