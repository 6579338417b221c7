package planner

import (
	"slices"
	"strings"

	"streamsql/parser"
)

// withDefaults puts the defaults of the columns in the place of the word DEFAULT in the rows of VALUES. Targets are the physical
// columns that the values are for.
func (ins *insert) withDefaults(q *parser.Query, targets []int) *parser.Query {
	v, ok := q.Body.(*parser.Values)
	if !ok || !slices.ContainsFunc(v.Rows, func(r parser.ValueRow) bool { return slices.ContainsFunc(r.Exprs, saysDefault) }) {
		return q
	}
	rows := slices.Clone(v.Rows)
	for i, row := range rows {
		rows[i].Exprs = slices.Clone(row.Exprs)
		for j, x := range row.Exprs {
			if saysDefault(x) && j < len(targets) {
				rows[i].Exprs[j] = ins.defaultTree(targets[j], x.At())
			}
		}
	}
	changed, values := *q, *v
	values.Rows = rows
	changed.Body = &values
	return &changed
}

// saysDefault tells whether an expression is the word DEFAULT.
func saysDefault(x parser.Expr) bool {
	ref, ok := x.(*parser.ColumnRef)
	return ok && len(ref.Name.Parts) == 1 && !ref.Name.Parts[0].Quoted && strings.EqualFold(ref.Name.Parts[0].Name, "DEFAULT")
}

// defaultTree is the default of a physical column as it is written, in its type: NULL if it has none.
func (ins *insert) defaultTree(target int, at parser.Span) parser.Expr {
	for _, c := range ins.table.Columns {
		if c.Physical != target {
			continue
		}
		for _, declared := range ins.table.DDL.Columns {
			if declared.Name.Name == c.Name && declared.Default != nil {
				return &parser.Cast{Span: at, X: declared.Default, Type: declared.Type}
			}
		}
	}
	return &parser.Literal{Span: at, Kind: parser.LitNull}
}
