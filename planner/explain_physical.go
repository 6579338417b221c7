package planner

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/plan"
)

// drawPhysical draws the vertices of a plan, each above its inputs. What stands at one depth runs in one task.
func drawPhysical(p *Planner, planned *Planned) (string, error) {
	d := &drawing{graph: planned.Graph, note: func(v *plan.Vertex, top bool) string {
		if top {
			return vertexText(v) + "; " + p.parallelism(v)
		}
		return vertexText(v)
	}}
	return d.draw(), nil
}

// drawChangelog draws the vertices with the kind of changes that leave them.
func drawChangelog(_ *Planner, planned *Planned) (string, error) {
	d := &drawing{graph: planned.Graph, note: func(v *plan.Vertex, _ bool) string {
		return fmt.Sprintf("%s, %s", plan.Kind(v.Op), v.Changelog)
	}}
	return d.draw(), nil
}

// parallelism is the number of subtasks in words.
func (p *Planner) parallelism(v *plan.Vertex) string {
	switch {
	case v.Parallelism > 0:
		return fmt.Sprintf("parallelism %d", v.Parallelism)
	case p.settings.Parallelism > 0:
		return fmt.Sprintf("parallelism up to %d", p.settings.Parallelism)
	}
	return "default parallelism"
}

// drawing draws a graph from its last vertices up.
type drawing struct {
	strings.Builder
	graph *plan.Graph
	drawn map[int]bool
	// note describes a vertex; top tells that it is the last of its task.
	note func(v *plan.Vertex, top bool) string
}

func (d *drawing) draw() string {
	d.drawn = map[int]bool{}
	for i := range d.graph.Vertices {
		if len(d.graph.Outputs(i)) == 0 {
			d.vertex(i, 0, true)
		}
	}
	return d.String()
}

func (d *drawing) vertex(i, depth int, top bool) {
	v := d.graph.Vertices[i]
	if d.drawn[i] {
		fmt.Fprintf(d, "%s%s, as above\n", strings.Repeat("  ", depth), v.ID)
		return
	}
	d.drawn[i] = true
	fmt.Fprintf(d, "%s%s: %s\n", strings.Repeat("  ", depth), v.ID, d.note(v, top))
	for _, in := range v.Inputs {
		if d.graph.Chained(i) {
			d.vertex(in.From, depth, false)
			continue
		}
		fmt.Fprintf(d, "%s<- %s\n", strings.Repeat("  ", depth), exchangeText(d.graph, in))
		d.vertex(in.From, depth+1, true)
	}
}

// exchangeText describes how the rows of an edge are spread.
func exchangeText(g *plan.Graph, in plan.Input) string {
	if in.Exchange.Kind != plan.Hash {
		return in.Exchange.Kind.String()
	}
	if len(in.Exchange.Keys) == 0 {
		return "all rows to one task"
	}
	return "hash by " + fieldNames(g.Vertices[in.From].Schema, in.Exchange.Keys)
}

// vertexText is the operator in one line.
func vertexText(v *plan.Vertex) string {
	switch op := v.Op.(type) {
	case *plan.Scan:
		return scanText(op, v.Schema)
	case *plan.Filter:
		return "Filter " + exprText(op.Condition)
	case *plan.Project:
		return "Project [" + exprsText(op.Exprs, v.Schema) + "]"
	case *plan.WindowAssign:
		return assignText(op, v.Schema)
	case *plan.Values:
		return "Values, " + count(len(op.Rows), "row")
	case *plan.Join:
		return joinText("", op)
	case *plan.IntervalJoin:
		return joinText("interval ", &op.Join)
	case *plan.WindowJoin:
		return joinText("window ", &op.Join) + "; emits at the end of " + op.Windows[0].Name
	case *plan.TemporalJoin:
		return joinText("temporal ", &op.Join)
	case *plan.Unnest:
		return unnestText(op)
	case *plan.Over:
		return overCallsText(op)
	case *plan.TopN:
		return topText(op)
	case *plan.Deduplicate:
		return op.Name
	case *plan.Match:
		return matchText(op)
	case *plan.Normalize:
		return "Normalize by " + fieldNames(v.Schema, op.Keys)
	case *plan.Aggregate:
		return aggregateText(op, v.Schema)
	case *plan.Sink:
		return sinkText(op, v.Schema)
	case *plan.Collect:
		return "Collect [" + fieldNames(v.Schema, nil) + "]"
	}
	return plan.Kind(v.Op)
}

func sinkText(op *plan.Sink, s *arrow.Schema) string {
	text := "Sink " + tableText(op.Table) + " [" + fieldNames(s, nil) + "]"
	if len(op.NotNull) > 0 && op.DropNulls {
		text += ", drops rows with NULL in " + fieldNames(s, op.NotNull)
	} else if len(op.NotNull) > 0 {
		text += ", refuses NULL in " + fieldNames(s, op.NotNull)
	}
	if op.Keys != nil {
		text += ", newest rows by " + fieldNames(s, op.Keys)
	}
	return text
}

// assignText describes windows with their time, and what they are formed within.
func assignText(op *plan.WindowAssign, s *arrow.Schema) string {
	text := "Window " + windowText(&op.Spec, s.Field(op.Time).Name)
	if len(op.Keys) > 0 {
		text += " for each " + fieldNames(s, op.Keys)
	}
	return text
}

func tableText(t connector.Table) string {
	return t.Name + " (" + t.Options[connector.Key] + ")"
}

func scanText(op *plan.Scan, s *arrow.Schema) string {
	text := "Scan " + tableText(op.Table)
	if len(op.Columns) > 0 {
		text += ", reads " + fieldNames(op.Table.Schema, op.Columns)
	} else {
		text += ", reads no columns"
	}
	for _, m := range op.Metadata {
		text += ", metadata " + m.Key
	}
	if op.Exprs != nil {
		text += ", gives [" + exprsText(op.Exprs, s) + "]"
	}
	if w := op.Watermark; w != nil {
		text += ", watermark " + w.Expr.String()
		if w.IdleTimeout > 0 {
			text += fmt.Sprintf(", idle after %d ms", w.IdleTimeout)
		}
	}
	return text
}

func exprsText(exprs []expr.Expr, s *arrow.Schema) string {
	items := make([]string, len(exprs))
	for i, x := range exprs {
		items[i] = aliased(x, s.Field(i).Name)
	}
	return strings.Join(items, ", ")
}

func aggregateText(op *plan.Aggregate, s *arrow.Schema) string {
	text := "Aggregate"
	if op.Phase != plan.Single {
		text += " " + op.Phase.String()
	}
	if len(op.Keys) > 0 {
		text += " by " + fieldNames(s, firstN(len(op.Keys)))
	}
	if len(op.Calls) > 0 {
		calls := make([]string, len(op.Calls))
		for i, c := range op.Calls {
			calls[i] = c.Name
		}
		text += ": " + strings.Join(calls, ", ")
	}
	return text + emitText(op)
}

// fieldNames lists the fields at the positions, or all.
func fieldNames(s *arrow.Schema, at []int) string {
	var names []string
	if at == nil {
		at = firstN(s.NumFields())
	}
	for _, i := range at {
		names = append(names, s.Field(i).Name)
	}
	return strings.Join(names, ", ")
}
