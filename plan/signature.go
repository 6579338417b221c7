package plan

import (
	"slices"
	"strings"

	"streamsql/connector"
	"streamsql/exec/expr"
)

// Signature describes the state an operator keeps, a property in each line: state made under one signature can be taken over by
// an operator of the same. It is empty for operators without state. What does not change the form or the meaning of the state,
// such as the parallelism, is no part of it.
func Signature(op Op) string {
	switch op := op.(type) {
	case *Scan:
		return lines("scan", tableName(op.Table))
	case *Values:
		return "values"
	case *Sink:
		return lines("sink", tableName(op.Table))
	case *Aggregate:
		return op.signature()
	}
	return ""
}

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
