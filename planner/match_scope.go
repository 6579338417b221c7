package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
	"streamsql/plan"
)

// matching is MATCH_RECOGNIZE while its expressions are bound. What they read of the rows matched so far are navigations, whose values
// are columns from navigations on.
type matching struct {
	*binder
	input     *scope
	variables []string
	subsets   []matchSubset
	time      int // the event-time column of the input
	// running tells whether expressions see the rows up to the current one, as those of DEFINE do.
	running bool
	list    []navigation
}

// matchSubset is a name for several variables.
type matchSubset struct {
	name      string
	variables []int
}

// navigation is a value that depends on the rows matched so far.
type navigation struct {
	plan.Navigation
	column column // what it is, by its name
}

// matchValue is the argument of a navigation or an aggregate: an expression over the columns of one row, of one set of variables.
type matchValue struct {
	variables []int
	given     bool // a column has told the variables
}

// of are the variables that a name stands for.
func (m *matching) of(name string) ([]int, bool) {
	for i, v := range m.variables {
		if equalNames(v, name) {
			return []int{i}, true
		}
	}
	for _, s := range m.subsets {
		if equalNames(s.name, name) {
			return s.variables, true
		}
	}
	return nil, false
}

// split takes the variable off the front of a name; nil variables are all rows.
func (m *matching) split(ref *parser.ColumnRef) (variables []int, column *parser.ColumnRef, err error) {
	first := ref.Name.Parts[0]
	if len(ref.Name.Parts) == 1 {
		return nil, ref, nil
	}
	variables, ok := m.of(first.Name)
	if !ok {
		if _, isTable := m.input.table(first.Name); isTable || len(m.input.find(first.Name, m.input.visible)) > 0 {
			return nil, ref, nil
		}
		return nil, nil, m.at(first).error("'"+first.Name+"' is no variable of the pattern", suggest.Hint(first.Name, m.variables))
	}
	short := *ref
	short.Name.Parts = ref.Name.Parts[1:]
	return variables, &short, nil
}

// bindMatchColumn binds a column: of the row looked at inside of a navigation, else of the last row of its variable.
func (e exprs) bindMatchColumn(ref *parser.ColumnRef) (expr.Expr, error) {
	variables, column, err := e.match.split(ref)
	if err != nil {
		return nil, err
	}
	plain := e
	plain.match = nil
	value, err := plain.reference(e.match.input.in(e.scope.clause), column)
	if err != nil {
		return nil, err
	}
	if e.value != nil {
		if e.value.given && !slices.Equal(e.value.variables, variables) {
			return nil, e.errorf(ref, "the argument looks at one row, so all of its columns must be of one variable")
		}
		e.value.variables, e.value.given = variables, true
		return value, nil
	}
	return e.match.add(plan.Navigation{
		Kind: plan.NavigateLast, Variables: variables, Value: value, Name: parser.FormatExpr(ref),
	}, perhaps(value)), nil
}

// perhaps describes the value of an expression that there may be no row for.
func perhaps(x expr.Expr) column { return column{typ: x.Type(), nullable: true} }

// add returns the column of a navigation, which may be there already.
func (m *matching) add(n plan.Navigation, c column) expr.Expr {
	n.Running = m.running
	at := slices.IndexFunc(m.list, func(o navigation) bool { return sameNavigation(o.Navigation, n) })
	if at < 0 {
		at = len(m.list)
		c.name = n.Name
		m.list = append(m.list, navigation{n, c})
	}
	return m.list[at].column.ref(navigations + at)
}

func sameNavigation(a, b plan.Navigation) bool {
	return a.Kind == b.Kind && a.Offset == b.Offset && a.Running == b.Running && a.Name == b.Name && slices.Equal(a.Variables, b.Variables) &&
		(a.Value == nil) == (b.Value == nil) && (a.Value == nil || expr.Equal(a.Value, b.Value)) && slices.EqualFunc(a.Args, b.Args, expr.Equal)
}

var navigationKinds = map[string]plan.NavigationKind{
	"LAST": plan.NavigateLast, "FIRST": plan.NavigateFirst, "PREV": plan.NavigatePrev, "NEXT": plan.NavigateNext,
	"CLASSIFIER": plan.NavigateClassifier, "MATCH_NUMBER": plan.NavigateNumber,
}

// bindMatchCall binds a function that looks at the rows matched so far; ok tells whether the call is one.
func (e exprs) bindMatchCall(x *parser.Call, name string) (bound expr.Expr, ok bool, err error) {
	kind, isNavigation := navigationKinds[name]
	isTime := name == "MATCH_ROWTIME" || name == "MATCH_PROCTIME"
	if !isNavigation && !isTime && !isAggregate(name) {
		return nil, false, nil
	}
	if e.value != nil {
		return nil, true, e.errorf(x, "%s cannot stand inside of a function that looks at one row", name)
	}
	switch {
	case isTime:
		bound, err = e.matchTime(x, name)
	case kind == plan.NavigateClassifier && isNavigation:
		bound, err = e.match.add(plan.Navigation{Kind: kind, Name: "CLASSIFIER()"}, column{typ: expr.String, nullable: true}), nil
	case kind == plan.NavigateNumber && isNavigation:
		bound, err = e.match.add(plan.Navigation{Kind: kind, Name: "MATCH_NUMBER()"}, column{typ: expr.BigInt}), nil
	case isNavigation:
		bound, err = e.navigate(x, name, kind)
	default:
		bound, err = e.matchAggregate(x, name)
	}
	return bound, true, err
}

// matchTime binds the time of a match: that of its last row.
func (e exprs) matchTime(x *parser.Call, name string) (expr.Expr, error) {
	c := e.match.input.cols[e.match.time]
	if name == "MATCH_PROCTIME" || c.role.kind == processingTime {
		return e.call("PROCTIME", x, nil)
	}
	return e.match.add(plan.Navigation{Kind: plan.NavigateLast, Value: c.ref(e.match.time), Name: "MATCH_ROWTIME()"}, c), nil
}

// navigate binds LAST(A.x, 1), PREV(A.x) and the like.
func (e exprs) navigate(x *parser.Call, name string, kind plan.NavigationKind) (expr.Expr, error) {
	if len(x.Args) < 1 || len(x.Args) > 2 {
		return nil, e.errorf(x, "%s takes a value and, if need be, a number of rows", name)
	}
	v, err := e.matchValue(x.Args[0].X)
	if err != nil {
		return nil, err
	}
	n := plan.Navigation{Kind: kind, Variables: v.variables, Value: v.x, Name: parser.FormatExpr(x)}
	if kind == plan.NavigatePrev || kind == plan.NavigateNext {
		n.Offset = 1
	}
	if len(x.Args) == 2 {
		if n.Offset, err = e.count(x.Args[1].X, name, 0); err != nil {
			return nil, err
		}
	}
	return e.match.add(n, perhaps(v.x)), nil
}

// boundValue is an expression over one row of a set of variables.
type boundValue struct {
	x         expr.Expr
	variables []int
}

func (e exprs) matchValue(x parser.Expr) (boundValue, error) {
	inside := e
	inside.value = &matchValue{}
	bound, err := inside.bind(x)
	return boundValue{bound, inside.value.variables}, err
}

// matchAggregate binds an aggregate of the rows of a variable, or of all.
func (e exprs) matchAggregate(x *parser.Call, name string) (expr.Expr, error) {
	if x.Distinct || x.Filter != nil || len(x.OrderBy) > 0 || len(x.Within) > 0 {
		return nil, e.errorf(x, "%s takes neither DISTINCT, FILTER nor ORDER BY in MATCH_RECOGNIZE", name)
	}
	n := plan.Navigation{Kind: plan.NavigateAggregate, Name: parser.FormatExpr(x)}
	bound := boundCall{span: x.Span}
	for _, a := range x.Args {
		if star, ok := a.X.(*parser.Star); ok {
			if star.Table != nil {
				n.Variables, ok = e.match.of(star.Table.Last().Name)
				if !ok {
					return nil, e.errorf(star, "'%s' is no variable of the pattern", star.Table.Last().Name)
				}
			}
			continue
		}
		v, err := e.matchValue(a.X)
		if err != nil {
			return nil, err
		}
		if n.Variables == nil {
			n.Variables = v.variables
		}
		bound.values, bound.places = append(bound.values, v.x), append(bound.places, a.X)
	}
	if err := e.resolveAggregate(x, name, &bound); err != nil {
		return nil, err
	}
	n.Aggregate, n.Args = bound.Call, bound.values
	return e.match.add(n, column{typ: bound.Result, nullable: bound.Nullable}), nil
}
