package parser

// stmt visits the children of a statement.
func (w walker) stmt(s Stmt) {
	switch s := s.(type) {
	case *QueryStmt:
		w.query(s.Query)
	case *Insert:
		each(w, s.Hints)
		each(w, s.Partition)
		w.query(s.Query)
	case *StatementSet:
		for _, i := range s.Inserts {
			w.visit(i)
		}
	case *Explain:
		w.visit(s.Stmt)
	case *ExplainAnalyze:
		opt(w, s.For)
	case *RestoreInsert:
		w.visit(s.Stmt)
	case *CreateTable:
		each(w, s.Columns)
		opt(w, s.PrimaryKey)
		each(w, s.Unique)
		opt(w, s.Watermark)
		w.query(s.As)
	case *CreateView:
		w.query(s.Query)
	case *CreateMaterializedView:
		w.query(s.Query)
	case *CreateFunction:
		each(w, s.Params)
		opt(w, s.Returns)
		w.one(s.Body)
	}
}

// expr visits the children of an expression.
func (w walker) expr(x Expr) {
	switch x := x.(type) {
	case *Unary:
		w.one(x.X)
	case *Binary:
		w.one(x.L)
		w.one(x.R)
	case *Is:
		w.one(x.X)
	case *Between:
		w.many([]Expr{x.X, x.Low, x.High})
	case *Like:
		w.many([]Expr{x.X, x.Pattern})
		w.one(x.Escape)
	case *In:
		w.one(x.X)
		w.many(x.List)
		w.query(x.Query)
	case *Exists:
		w.query(x.Query)
	case *Subquery:
		w.query(x.Query)
	case *Quantified:
		w.one(x.X)
		w.query(x.Query)
	case *Case:
		w.one(x.Operand)
		each(w, x.Whens)
		w.one(x.Else)
	case *Cast:
		w.one(x.X)
		opt(w, x.Type)
	default:
		w.compound(x)
	}
}

// compound visits the children of calls, constructors and access to parts of values.
func (w walker) compound(x Expr) {
	switch x := x.(type) {
	case *Call:
		each(w, x.Args)
		each(w, x.OrderBy)
		opt(w, x.JSON)
		each(w, x.Within)
		w.one(x.Filter)
		opt(w, x.Over)
	case *Row:
		w.many(x.Elems)
	case *Array:
		w.many(x.Elems)
	case *Map:
		for i := range x.Keys {
			w.one(x.Keys[i])
			w.one(x.Values[i])
		}
	case *Index:
		w.one(x.X)
		w.one(x.I)
	case *Field:
		w.one(x.X)
	case *AtZone:
		w.one(x.X)
		w.one(x.Zone)
	case *TableArg:
		w.query(x.Query)
		w.many(x.PartitionBy)
		each(w, x.OrderBy)
	}
}

// body visits the children of a query body.
func (w walker) body(b Body) {
	switch b := b.(type) {
	case *Select:
		each(w, b.Hints)
		each(w, b.Items)
		for _, t := range b.From {
			w.visit(t)
		}
		w.one(b.Where)
		each(w, b.GroupBy)
		w.one(b.Having)
		each(w, b.Windows)
	case *SetOp:
		w.visit(b.L)
		w.visit(b.R)
	case *Values:
		each(w, b.Rows)
	case *Paren:
		w.query(b.Query)
	}
}

// tableRef visits the children of a table.
func (w walker) tableRef(t TableRef) {
	switch t := t.(type) {
	case *Table:
		each(w, t.Hints)
		w.one(t.AsOf)
		opt(w, t.Match)
	case *PathTable:
		each(w, t.Hints)
		opt(w, t.Match)
	case *Derived:
		w.query(t.Query)
		opt(w, t.Match)
	case *TableFunc:
		opt(w, t.Call)
		opt(w, t.Match)
	case *Unnest:
		w.many(t.Exprs)
	case *Join:
		w.visit(t.L)
		w.visit(t.R)
		w.one(t.On)
	}
}

// part visits the children of what is no statement, expression, body or table.
func (w walker) part(n Node) {
	switch n := n.(type) {
	case *Query:
		each(w, n.With)
		w.visit(n.Body)
		each(w, n.OrderBy)
		w.one(n.Limit)
		w.one(n.Offset)
		opt(w, n.Emit)
	case *CTE:
		w.query(n.Query)
	case *Item:
		w.one(n.X)
	case *Order:
		w.one(n.X)
	case *Group:
		w.many(n.Exprs)
		each(w, n.Elems)
	case *When:
		w.many([]Expr{n.Cond, n.Then})
	case *Arg:
		w.one(n.X)
	case *ValueRow:
		w.many(n.Exprs)
	case *PartitionValue:
		w.one(n.X)
	default:
		w.detail(n)
	}
}

// detail visits the children of windows, triggers, types, columns and patterns.
func (w walker) detail(n Node) {
	switch n := n.(type) {
	case *NamedWindow:
		opt(w, n.Window)
	case *Window:
		w.many(n.PartitionBy)
		each(w, n.OrderBy)
		opt(w, n.Frame)
	case *Frame:
		w.visit(&n.Start)
		opt(w, n.End)
	case *Bound:
		w.one(n.X)
	case *Hint:
		w.many(n.Args)
		each(w, n.Properties)
	case *Emit:
		opt(w, n.Every)
		opt(w, n.Delay)
		each(w, n.Early)
		each(w, n.Late)
		opt(w, n.Lateness)
	case *Trigger:
		opt(w, n.Interval)
	case *JSONOptions:
		opt(w, n.Returning)
		opt(w, n.OnEmpty)
		opt(w, n.OnError)
	case *JSONBehavior:
		w.one(n.Default)
	case *Column:
		opt(w, n.Type)
		w.one(n.Computed)
		w.one(n.Default)
	case *Watermark:
		w.one(n.X)
	case *Param:
		opt(w, n.Type)
	case *Type:
		opt(w, n.Key)
		opt(w, n.Elem)
		each(w, n.Fields)
	case *TypeField:
		opt(w, n.Type)
	default:
		w.match(n)
	}
}

// match visits the children of MATCH_RECOGNIZE.
func (w walker) match(n Node) {
	switch n := n.(type) {
	case *Match:
		w.many(n.PartitionBy)
		each(w, n.OrderBy)
		each(w, n.Measures)
		opt(w, n.Pattern)
		opt(w, n.Within)
		each(w, n.Define)
	case *Pattern:
		for _, p := range n.Elems {
			w.visit(p)
		}
	}
}
