package planner

import (
	"fmt"
	"strings"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// bindTableFunc binds TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), …)) and the other windows.
func (b *binder) bindTableFunc(ref *parser.TableFunc) (node, *scope, error) {
	kind := windowKindOf(ref.Call.Name.Last().Name)
	if kind == nil {
		return nil, nil, b.unknownTableFunc(ref.Call)
	}
	args, err := b.tableFuncArgs(kind, ref.Call)
	if err != nil {
		return nil, nil, err
	}
	in, names, err := b.tableArg(kind, args[0])
	if err != nil {
		return nil, nil, err
	}
	time, err := b.descriptor(kind, args[1], names)
	if err != nil {
		return nil, nil, err
	}
	spec, err := b.windowSpec(kind, in.columns()[time], args[2:])
	if err != nil {
		return nil, nil, err
	}
	keys, err := b.sessionKeys(kind, args[0], names)
	if err != nil {
		return nil, nil, err
	}
	assign := windowAssign{input: in, spec: spec, time: time, keys: keys, at: b.at(ref.Call)}.complete()
	names = scopeOfTable(names.tables[0].name, assign, names.tables[0].source)
	if ref.Match != nil {
		return b.bindMatch(assign, names, ref.Match)
	}
	names, err = b.alias(names, ref.Alias)
	return assign, names, err
}

// tableFuncArgs puts the arguments into the order table, time column, intervals, offset.
func (b *binder) tableFuncArgs(kind *windowKind, call *parser.Call) ([]parser.Arg, error) {
	params := append([]string{"DATA", "TIMECOL"}, kind.intervals...)
	required := len(params)
	if kind.offset {
		params = append(params, "OFFSET")
	}
	given := make([]*parser.Arg, len(params))
	for i := range call.Args {
		at, err := b.parameter(kind, params, &call.Args[i], i)
		if err != nil {
			return nil, err
		}
		if given[at] != nil {
			return nil, b.errorf(call.Args[i], "%s has %s twice", kind.name, params[at])
		}
		given[at] = &call.Args[i]
	}
	var args []parser.Arg
	for i, a := range given {
		switch {
		case a != nil:
			args = append(args, *a)
		case i < required:
			return nil, b.at(call).error(fmt.Sprintf("%s lacks its argument %s", kind.name, params[i]),
				fmt.Sprintf("write %s(TABLE t, DESCRIPTOR(ts), %s)", kind.name, strings.ToLower(strings.Join(kind.intervals, ", "))))
		}
	}
	return args, nil
}

// parameter is the position of the parameter an argument is for.
func (b *binder) parameter(kind *windowKind, params []string, a *parser.Arg, i int) (int, error) {
	if a.Name == nil {
		if i >= len(params) {
			return 0, b.errorf(a, "%s takes %d arguments at most", kind.name, len(params))
		}
		return i, nil
	}
	for at, p := range params {
		if strings.EqualFold(p, a.Name.Name) {
			return at, nil
		}
	}
	return 0, b.errorf(a.Name, "%s has no argument %s; it takes %s", kind.name, a.Name.Name, strings.Join(params, ", "))
}

// tableArg binds TABLE t, or a query in its place.
func (b *binder) tableArg(kind *windowKind, a parser.Arg) (node, *scope, error) {
	t, ok := a.X.(*parser.TableArg)
	if !ok {
		return nil, nil, b.errorf(a.X, "the first argument of %s must be TABLE and the name of a table", kind.name)
	}
	if t.Query != nil {
		in, err := b.subquery(t.Query)
		if err != nil {
			return nil, nil, err
		}
		return in, scopeOf("", in.columns()), nil
	}
	in, source, err := b.relation(*t.Table, nil)
	if err != nil {
		return nil, nil, err
	}
	return in, scopeOfTable(t.Table.Last().Name, in, source), nil
}

func scopeOfTable(name string, in node, source *catalog.Table) *scope {
	s := scopeOf(name, in.columns())
	s.tables[0].source = source
	return s
}

// descriptor binds DESCRIPTOR(column).
func (b *binder) descriptor(kind *windowKind, a parser.Arg, names *scope) (int, error) {
	d, ok := a.X.(*parser.Descriptor)
	if !ok || len(d.Columns) != 1 {
		return 0, b.errorf(a.X, "the second argument of %s must be DESCRIPTOR(column), the time of the rows", kind.name)
	}
	id := d.Columns[0]
	time, err := b.plainColumn(names, &parser.ColumnRef{Span: id.Span, Name: parser.Name{Span: id.Span, Parts: []parser.Ident{id}}})
	if err != nil {
		return 0, err
	}
	return time, b.checkTime(names, time, id, kind.name)
}

// sessionKeys binds PARTITION BY of SESSION. The windows of the other kinds are the same for all rows, so there it says nothing.
func (b *binder) sessionKeys(kind *windowKind, a parser.Arg, names *scope) ([]int, error) {
	var keys []int
	for _, x := range a.X.(*parser.TableArg).PartitionBy {
		for _, x := range elements(x) {
			ref, ok := x.(*parser.ColumnRef)
			if !ok {
				return nil, b.errorf(x, "PARTITION BY of %s takes columns", kind.name)
			}
			k, err := b.plainColumn(names, ref)
			if err != nil {
				return nil, err
			}
			keys = append(keys, k)
		}
	}
	if kind.name != "SESSION" {
		return nil, nil
	}
	return keys, nil
}

// elements takes (a, b) apart.
func elements(x parser.Expr) []parser.Expr {
	if row, ok := x.(*parser.Row); ok && !row.Explicit {
		return row.Elems
	}
	return []parser.Expr{x}
}

// unknownTableFunc is the error about a name that no table function has.
func (b *binder) unknownTableFunc(call *parser.Call) error {
	name := call.Name.Last().Name
	var names []string
	for i := range windowKinds {
		names = append(names, windowKinds[i].name)
	}
	msg := fmt.Sprintf("unknown table function '%s'", name)
	if hint := suggest.Hint(name, names); hint != "" {
		return b.at(call.Name).error(msg, hint)
	}
	hints := []string{"table functions are " + strings.Join(names, ", ")}
	if f, err := expr.Lookup(name); err == nil {
		hints = []string{f.Name + " gives one value; if that is an array, CROSS JOIN UNNEST(" + f.Name + "(…)) AS t (x) makes rows of it"}
	}
	return b.at(call.Name).error(msg, hints...)
}
