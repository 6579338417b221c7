package planner

import (
	"fmt"
	"strings"

	"streamsql/connector"
	"streamsql/plan"
)

// drawGuarantee says what happens to rows around a failure: for each table, and from end to end.
func drawGuarantee(_ *Planner, planned *Planned) (string, error) {
	var b strings.Builder
	weakest := connector.ExactlyOnce
	for i, v := range planned.Graph.Vertices {
		text, g, err := guarantee(planned.Graph, i)
		if err != nil {
			return "", err
		}
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", v.ID, text)
			weakest = min(weakest, g)
		}
	}
	fmt.Fprintf(&b, "from end to end, with checkpoints: %s\n", weakest)
	return b.String(), nil
}

// guarantee is what one vertex can promise; the text is empty for those that keep every promise.
func guarantee(g *plan.Graph, i int) (string, connector.Guarantee, error) {
	v := g.Vertices[i]
	switch op := v.Op.(type) {
	case *plan.Scan:
		source, err := connector.NewSource(connector.SourceSpec{Table: op.Table, Columns: op.Columns, Ordered: op.Watermark != nil})
		if err != nil {
			return "", 0, err
		}
		if source.Replayable() {
			return op.Table.Name + " can be read again from a checkpoint", connector.ExactlyOnce, nil
		}
		return op.Table.Name + " cannot be read again: rows in flight are lost by a failure", connector.AtMostOnce, nil
	case *plan.Sink:
		sink, err := connector.NewSink(connector.SinkSpec{Table: op.Table, Schema: v.Schema, Overwrite: op.Overwrite})
		if err != nil {
			return "", 0, err
		}
		return op.Table.Name + " is written " + sink.Guarantee().String(), sink.Guarantee(), nil
	}
	return "", connector.ExactlyOnce, nil
}
