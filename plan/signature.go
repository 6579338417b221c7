package plan

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/connector"
	"streamsql/exec/expr"
)

// Signature describes the state an operator keeps, a property in each line: state made under one signature can be taken over by
// an operator of the same. It is empty for operators without state. What does not change the form or the meaning of the state,
// such as the parallelism, is no part of it.
func Signature(op Op) string {
	if s, ok := op.(interface{ signature() string }); ok {
		return s.signature()
	}
	return ""
}

func (s *Scan) signature() string   { return lines("scan", tableName(s.Table)) }
func (s *Sink) signature() string   { return lines("sink", tableName(s.Table)) }
func (v *Values) signature() string { return "values" }

func tableName(t connector.Table) string {
	return "table " + t.Name + " of " + t.Options[connector.Key]
}

func (a *Aggregate) signature() string {
	if a.Phase == Partial {
		return ""
	}
	props := []string{"aggregate"}
	for _, k := range a.KeyNames {
		props = append(props, "key "+k)
	}
	for _, c := range a.Calls {
		props = append(props, "value "+c.Name+" "+expr.TypeName(c.Call.Result))
	}
	if w := a.Window; w != nil {
		props = append(props, "window "+w.Name)
	}
	if a.Retracting {
		props = append(props, "takes updates")
	}
	if a.Emit == EmitFinal {
		props = append(props, "gives final results")
	}
	return lines(props...)
}

func (w *WindowAssign) signature() string {
	if w.Spec.Kind != "SESSION" {
		return ""
	}
	return lines("session windows", fmt.Sprintf("gap %d ms", w.Spec.Size))
}

func (j *Join) signature() string { return lines(j.properties("join")...) }

func (j *Join) properties(word string) []string {
	props := []string{word, "kind " + j.Kind.String()}
	for i, side := range []string{"left ", "right "} {
		for _, c := range j.Rows[i] {
			props = append(props, side+c)
		}
	}
	for _, k := range j.Keys {
		props = append(props, fmt.Sprintf("key %d = %d", k.Left, k.Right))
	}
	if j.Condition != nil {
		props = append(props, "condition "+j.Condition.String())
	}
	return props
}

func (j *IntervalJoin) signature() string {
	return lines(append(j.properties("interval join"), fmt.Sprintf("from %d ms to %d ms", j.Lower, j.Upper))...)
}

func (j *WindowJoin) signature() string {
	return lines(append(j.properties("window join"), "window "+j.Windows[0].Name)...)
}

func (j *TemporalJoin) signature() string { return lines(j.properties("temporal join")...) }

func (o *Over) signature() string {
	props := []string{"over"}
	for _, k := range o.PartitionNames {
		props = append(props, "key "+k)
	}
	for _, c := range o.Calls {
		props = append(props, "value "+c.Name+" "+expr.TypeName(c.Result))
	}
	return lines(props...)
}

func (t *TopN) signature() string {
	props := []string{"top " + t.Rank.String()}
	for _, c := range t.Columns {
		props = append(props, "column "+c)
	}
	for _, k := range t.Partition {
		props = append(props, fmt.Sprintf("key %d", k))
	}
	for _, k := range t.Order {
		props = append(props, fmt.Sprintf("order %+v", k))
	}
	return lines(append(props, fmt.Sprintf("from %d to %d", t.From, t.To))...)
}

func (d *Deduplicate) signature() string { return lines(keyed("deduplicate", d.KeyNames)...) }
func (n *Normalize) signature() string   { return lines(keyed("normalize", n.KeyNames)...) }

func (m *Match) signature() string {
	props := keyed("match", m.PartitionNames)
	for _, n := range m.Navigations {
		props = append(props, "value "+n.Name)
	}
	for i, d := range m.Defines {
		if d != nil {
			props = append(props, "define "+m.Variables[i]+" as "+d.String())
		}
	}
	return lines(props...)
}

func keyed(word string, keys []string) []string {
	props := []string{word}
	for _, k := range keys {
		props = append(props, "key "+k)
	}
	return props
}

func lines(props ...string) string { return strings.Join(props, "\n") }

// Difference says what is not the same in two signatures of one operator: what only the state has, and what only the query has.
// Both are empty if the state fits. A mere change of order is told in full.
func Difference(state, query string) (gone, added []string) {
	old, wanted := strings.Split(state, "\n"), strings.Split(query, "\n")
	gone, added = without(old, wanted), without(wanted, old)
	if len(gone) == 0 && len(added) == 0 && state != query {
		gone, added = old, wanted
	}
	return gone, added
}

// without lists the lines that the others do not have.
func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return slices.Contains(others, l) })
}
