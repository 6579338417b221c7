package planner

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// unnest gives each row as often as its arrays are long, with an element of each behind the columns, as in plan.Unnest.
type unnest struct {
	input      node
	arrays     []expr.Expr
	ordinality bool
	outer      bool
	// names are those of the columns behind the input's.
	names []string
	cols  []column
	at    place
}

func newUnnest(u unnest) *unnest {
	u.cols = slices.Clone(u.input.columns())
	for i, c := range u.elements() {
		c.name = u.names[i]
		u.cols = append(u.cols, c)
	}
	return &u
}

// elements are the columns that the arrays make, by the names they have of themselves.
func (u *unnest) elements() []column {
	var cols []column
	for _, a := range u.arrays {
		cols = append(cols, elementColumns(a.Type())...)
	}
	if u.ordinality {
		cols = append(cols, column{name: "ordinality", typ: expr.BigInt})
	}
	for i := range cols {
		// Arrays of different lengths are filled up, and so is a row without elements.
		cols[i].nullable = cols[i].nullable || u.outer || len(u.arrays) > 1 && !(u.ordinality && i == len(cols)-1)
	}
	return cols
}

// elementColumns are the columns of one element: the fields of a ROW, key and value of a MAP. Anything else has no name.
func elementColumns(t arrow.DataType) []column {
	switch t := t.(type) {
	case *arrow.MapType:
		return []column{{name: "key", typ: t.KeyType()}, {name: "value", typ: t.ItemType(), nullable: t.ItemField().Nullable}}
	case *arrow.ListType:
		if row, ok := t.Elem().(*arrow.StructType); ok {
			var cols []column
			for _, f := range row.Fields() {
				cols = append(cols, column{name: f.Name, typ: f.Type, nullable: f.Nullable || t.ElemField().Nullable})
			}
			return cols
		}
		return []column{{typ: t.Elem(), nullable: t.ElemField().Nullable}}
	}
	return nil
}

func (u *unnest) columns() []column { return u.cols }
func (u *unnest) inputs() []node    { return []node{u.input} }
func (u *unnest) exprs() []expr.Expr {
	return u.arrays
}

func (u *unnest) withInputs(in []node) node {
	changed := *u
	changed.input = in[0]
	return newUnnest(changed)
}

func (u *unnest) withExprs(xs []expr.Expr) node {
	changed := *u
	changed.arrays = xs
	return newUnnest(changed)
}

// prune keeps all elements.
func (u *unnest) prune(used []bool) (node, []int) {
	n := len(u.input.columns())
	need := slices.Clone(used[:n])
	for _, a := range u.arrays {
		mark(need, a)
	}
	input, moved := u.input.prune(need)
	changed := *u
	changed.input, changed.arrays = input, make([]expr.Expr, len(u.arrays))
	for i, a := range u.arrays {
		changed.arrays[i] = move(a, moved)
	}
	for i := range u.cols[n:] {
		moved = append(moved, len(input.columns())+i)
	}
	return newUnnest(changed), moved
}

func (u *unnest) String() string { return unnestText(u.operator()) }

func (u *unnest) operator() *plan.Unnest {
	return &plan.Unnest{Arrays: u.arrays, Ordinality: u.ordinality, Outer: u.outer}
}

func (u *unnest) lower(l *lowering) (int, error) {
	input, err := l.lower(u.input)
	if err != nil {
		return 0, err
	}
	l.notYet(u.at, "UNNEST")
	return l.chain("unnest", u.operator(), u.cols, input), nil
}
