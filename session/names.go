package session

import (
	"reflect"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/parser"
)

// mention is a name in a statement that may be that of an object.
type mention struct {
	name     string
	function bool
}

// mentions lists the tables, views and functions that a tree names, except the queries of its own WITH clauses.
func mentions(tree parser.Node) []mention {
	var found []mention
	local := map[string]bool{}
	add := func(n parser.Name, function bool) {
		found = append(found, mention{n.Last().Name, function})
	}
	inspect(reflect.ValueOf(tree), func(node any) {
		switch n := node.(type) {
		case parser.CTE:
			local[strings.ToLower(n.Name.Name)] = true
		case parser.Table:
			add(n.Name, false)
		case parser.TableArg:
			if n.Table != nil {
				add(*n.Table, false)
			}
		case parser.Insert:
			add(n.Table, false)
		case parser.LikeTable:
			add(n.Table, false)
		case parser.Describe:
			add(n.Name, n.Kind == parser.ObjectFunction)
		case parser.ShowCreate:
			add(n.Name, n.Kind == parser.ObjectFunction)
		case parser.Drop:
			add(n.Name, n.Kind == parser.ObjectFunction)
		case parser.AlterTable:
			add(n.Name, false)
		case parser.Call:
			add(n.Name, true)
		}
	})
	return slices.DeleteFunc(found, func(m mention) bool { return !m.function && local[strings.ToLower(m.name)] })
}

// inspect calls visit for every struct in a tree.
func inspect(v reflect.Value, visit func(any)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			inspect(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			inspect(v.Index(i), visit)
		}
	case reflect.Struct:
		visit(v.Interface())
		for i := range v.NumField() {
			inspect(v.Field(i), visit)
		}
	}
}

// closure lists the objects that a tree needs, those first that others need.
func (s *Session) closure(tree parser.Node) []catalog.Object {
	var needed []catalog.Object
	seen := map[catalog.Object]bool{}
	var add func(catalog.Object)
	addAll := func(tree parser.Node) {
		for _, m := range mentions(tree) {
			if o := s.object(m); o != nil {
				add(o)
			}
		}
	}
	add = func(o catalog.Object) {
		if seen[o] {
			return
		}
		seen[o] = true
		addAll(o.Definition())
		needed = append(needed, o)
	}
	addAll(tree)
	return needed
}

// object returns what a mention stands for, nil if nothing.
func (s *Session) object(m mention) catalog.Object {
	if m.function {
		if f := s.objects.Function(m.name); f != nil {
			return f
		}
		return nil
	}
	if o, err := s.objects.Relation(m.name); err == nil {
		return o
	}
	return nil
}

// knows tells whether the session has all tables and views that a statement names.
func (s *Session) knows(tree parser.Node) bool {
	return !slices.ContainsFunc(mentions(tree), func(m mention) bool { return !m.function && s.object(m) == nil })
}
