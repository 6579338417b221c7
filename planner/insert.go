package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
	"streamsql/plan"
)

// insert is an INSERT while it is bound, and what becomes of its rows.
type insert struct {
	*binder
	tree  *parser.Insert
	table *catalog.Table
	sink  connector.Sink
	query *query
	// static are the values that PARTITION gives to physical columns.
	static map[int]expr.Expr
}

// bindInsert binds the table, the query, and how the columns of one become those of the other.
func (p *Planner) bindInsert(tree *parser.Insert, script catalog.Script) (*root, error) {
	ins := &insert{binder: p.newBinder(script), tree: tree}
	if err := ins.findTable(); err != nil {
		return nil, err
	}
	return ins.bind()
}

// bind binds the INSERT into its table.
func (ins *insert) bind() (*root, error) {
	tree := ins.tree
	if err := ins.openTable(); err != nil {
		return nil, err
	}
	if err := ins.bindPartition(); err != nil {
		return nil, err
	}
	targets, err := ins.targets()
	if err != nil {
		return nil, err
	}
	if ins.query, err = ins.bindQuery(ins.withDefaults(tree.Query, targets)); err != nil {
		return nil, err
	}
	if len(ins.query.sort) > 0 && ins.query.limit < 0 && ins.query.offset == 0 {
		return nil, ins.at(tree.Query.OrderBy[0]).error("the rows of a table have no order, so ORDER BY means nothing in INSERT", "add LIMIT to choose the first ones, or leave it out")
	}
	n, err := ins.convert(targets)
	if err != nil {
		return nil, err
	}
	r, err := ins.newRoot(tree.Query, ins.query, n)
	if err != nil {
		return nil, err
	}
	r.insert = ins
	return r, nil
}

// findTable finds the table of a name.
func (ins *insert) findTable() error {
	name, err := ins.objectName(ins.tree.Table)
	if err != nil {
		return err
	}
	object, err := ins.catalog.Relation(name)
	if err != nil {
		return ins.missing(ins.tree.Table, err)
	}
	t, ok := object.(*catalog.Table)
	if !ok {
		return ins.errorf(ins.tree.Table, "'%s' is a view; INSERT takes a table", object.ObjectName())
	}
	ins.table, err = ins.hinted(t, ins.tree.Hints)
	return err
}

// openTable makes the sink of the table.
func (ins *insert) openTable() (err error) {
	spec := connector.SinkSpec{Table: ins.table.Physical, Schema: ins.table.Physical.Schema, Overwrite: ins.tree.Overwrite}
	if ins.sink, err = connector.NewSink(spec); err != nil {
		return ins.errorf(ins.tree.Table, "table '%s' cannot be written: %s", ins.table.Name, err)
	}
	return nil
}

// once refuses a second INSERT of a statement set into a table with transactions: within a job those go by the name of the table.
func (ins *insert) once(before []*root) error {
	if _, transactional := ins.sink.(connector.Recoverer); !transactional {
		return nil
	}
	for _, r := range before {
		if r.insert.table.Name == ins.table.Name {
			return ins.at(ins.tree.Table).error(fmt.Sprintf("table '%s' is written by another INSERT of the statement set", ins.table.Name),
				"make one INSERT of the two, with UNION ALL between their queries")
		}
	}
	return nil
}

// targets lists the physical columns that get the query's columns, in order.
func (ins *insert) targets() ([]int, error) {
	fields := ins.table.Physical.Schema.Fields()
	if len(ins.tree.Columns) == 0 {
		return slices.DeleteFunc(firstN(len(fields)), func(i int) bool { return ins.static[i] != nil }), nil
	}
	var targets []int
	for _, id := range ins.tree.Columns {
		i, err := ins.target(id)
		if err != nil {
			return nil, err
		}
		if slices.Contains(targets, i) || ins.static[i] != nil {
			return nil, ins.errorf(id, "column '%s' is there twice", id.Name)
		}
		targets = append(targets, i)
	}
	for i, f := range fields {
		if !f.Nullable && !slices.Contains(targets, i) && ins.defaultOf(i) == nil {
			return nil, ins.errorf(ins.tree.Columns[0].To(ins.tree.Columns[len(ins.tree.Columns)-1].Span),
				"column '%s' of '%s' is NOT NULL and gets no value", f.Name, ins.table.Name)
		}
	}
	return targets, nil
}

// target finds the physical column of a name.
func (ins *insert) target(id parser.Ident) (int, error) {
	var names []string
	folded := -1
	for _, c := range ins.table.Columns {
		if strings.EqualFold(c.Name, id.Name) {
			if ins.isMetadata(c) {
				return 0, ins.errorf(id, "column '%s' of '%s' is metadata, which its connector knows, and takes no values", c.Name, ins.table.Name)
			}
			if c.Computed != nil {
				return 0, ins.errorf(id, "column '%s' of '%s' is computed and takes no values", c.Name, ins.table.Name)
			}
			if c.Name == id.Name {
				return c.Physical, nil
			}
			folded = c.Physical
		}
		names = append(names, c.Name)
	}
	if folded >= 0 {
		return folded, nil
	}
	return 0, ins.at(id).error(fmt.Sprintf("table '%s' has no column '%s'", ins.table.Name, id.Name), suggest.Hint(id.Name, names))
}

// isMetadata reports whether a column is what the connector knows of a row.
func (ins *insert) isMetadata(c catalog.Column) bool {
	for _, x := range ins.table.DDL.Columns {
		if x.Name.Name == c.Name {
			return x.Metadata != nil
		}
	}
	return false
}

// convert brings the query's columns into the places and types of the table's. Columns that get none are NULL.
func (ins *insert) convert(targets []int) (node, error) {
	in := ins.cut(ins.query, ins.tree.Query)
	if n := len(in.columns()); n != len(targets) {
		return nil, ins.wrongCount(n, targets)
	}
	if v, ok := in.(*values); ok {
		return ins.convertValues(v, targets)
	}
	below, given := open(in)
	for i, t := range targets {
		f := ins.table.Physical.Schema.Field(t)
		x, err := ins.coerce(given[i], f.Type)
		if err != nil {
			return nil, ins.misfitColumn(i, f, given[i].Type())
		}
		if err := ins.refuseNull(x, f, ins.spanOf(i)); err != nil {
			return nil, err
		}
		given[i] = x
	}
	return newProject(below, ins.arrange(given, targets), ins.names()), nil
}

// convertValues converts each value of VALUES by itself.
func (ins *insert) convertValues(v *values, targets []int) (node, error) {
	fields := ins.table.Physical.Schema.Fields()
	converted := &values{rows: make([][]expr.Expr, len(v.rows))}
	for _, f := range fields {
		converted.cols = append(converted.cols, column{name: f.Name, typ: f.Type})
	}
	for r, row := range v.rows {
		given := slices.Clone(row)
		for i, t := range targets {
			x, err := ins.coerce(row[i], fields[t].Type)
			if err != nil {
				return nil, ins.misfitValue(r, i, fields[t], err)
			}
			if err := ins.refuseNull(x, fields[t], ins.spanOfValue(r, i)); err != nil {
				return nil, err
			}
			given[i] = x
		}
		converted.rows[r] = ins.arrange(given, targets)
		for i, x := range converted.rows[r] {
			converted.cols[i].nullable = converted.cols[i].nullable || x.Nullable()
		}
	}
	return converted, nil
}

// arrange puts values into the places of the table's columns.
func (ins *insert) arrange(given []expr.Expr, targets []int) []expr.Expr {
	fields := ins.table.Physical.Schema.Fields()
	row := make([]expr.Expr, len(fields))
	for i, f := range fields {
		if row[i] = ins.defaultOf(i); row[i] == nil {
			row[i] = expr.NewNull(f.Type)
		}
	}
	for i, t := range targets {
		row[t] = given[i]
	}
	return row
}

// defaultOf is the value of a physical column that the query does not give; nil if it has none.
func (ins *insert) defaultOf(physical int) expr.Expr {
	if x := ins.static[physical]; x != nil {
		return x
	}
	for _, c := range ins.table.Columns {
		if c.Physical == physical {
			return c.Default
		}
	}
	return nil
}

func (ins *insert) names() []string {
	var names []string
	for _, f := range ins.table.Physical.Schema.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// open takes a projection apart, so that its literals are seen as such.
func open(in node) (node, []expr.Expr) {
	if p, ok := in.(*project); ok {
		return p.input, slices.Clone(p.values)
	}
	exprs := make([]expr.Expr, len(in.columns()))
	for i, c := range in.columns() {
		exprs[i] = c.ref(i)
	}
	return in, exprs
}

func (ins *insert) coerce(x expr.Expr, t arrow.DataType) (expr.Expr, error) {
	if x.Type().ID() == arrow.NULL {
		return expr.NewNull(t), nil
	}
	return expr.Coerce(x, t, ins.settings.Expr)
}

// refuseNull is the error about a bare NULL for a column that takes none.
func (ins *insert) refuseNull(x expr.Expr, f arrow.Field, span parser.Span) error {
	if !isNull(x) || f.Nullable || ins.settings.DropNulls {
		return nil
	}
	return ins.errorf(span, "column '%s' of '%s' is NOT NULL and is given NULL", f.Name, ins.table.Name)
}

func (ins *insert) wrongCount(got int, targets []int) error {
	span := ins.tree.Query.Span
	if len(ins.tree.Columns) > 0 {
		return ins.errorf(span, "INSERT names %s, the query gives %d", count(len(targets), "column"), got)
	}
	return ins.at(span).error(fmt.Sprintf("table '%s' has %s, the query gives %d", ins.table.Name, count(len(targets), "column"), got),
		fmt.Sprintf("name the columns that get values: INSERT INTO %s (…)", ins.table.Name))
}

// spanOf is where column i of the query stands.
func (ins *insert) spanOf(i int) parser.Span {
	if i < len(ins.query.spans) {
		return ins.query.spans[i]
	}
	return ins.tree.Query.Span
}

// misfitColumn is the error about column i of the query.
func (ins *insert) misfitColumn(i int, f arrow.Field, got arrow.DataType) error {
	span := ins.spanOf(i)
	return ins.at(span).error(
		fmt.Sprintf("column '%s' of '%s' takes %s, the query gives %s", f.Name, ins.table.Name, expr.TypeName(f.Type), expr.TypeName(got)),
		fmt.Sprintf("write CAST(%s AS %s) if that is meant", ins.excerpt(span), expr.TypeName(f.Type)))
}

// longExcerpt is what a hint does not repeat any more.
const longExcerpt = 30

// excerpt is an expression of the text, or what stands for one that is long or no expression.
func (ins *insert) excerpt(span parser.Span) string {
	text := span.Slice(ins.script.Text)
	if span == ins.tree.Query.Span || len(text) > longExcerpt || strings.HasSuffix(text, "*") {
		return "…"
	}
	return text
}

// spanOfValue is where column i of a row of VALUES stands.
func (ins *insert) spanOfValue(row, i int) parser.Span {
	if v, ok := ins.tree.Query.Body.(*parser.Values); ok {
		return v.Rows[row].Exprs[i].At()
	}
	return ins.tree.Query.Span
}

// misfitValue is the error about column i of a row of VALUES.
func (ins *insert) misfitValue(row, i int, f arrow.Field, err error) error {
	return ins.errorf(ins.spanOfValue(row, i), "column '%s' of '%s' takes %s: %s", f.Name, ins.table.Name, expr.TypeName(f.Type), err)
}

// lower adds the sink behind the rows.
func (ins *insert) lower(l *lowering, r *root, input int) error {
	log := l.graph.Vertices[input].Changelog
	op := &plan.Sink{Table: l.table(ins.table), Overwrite: ins.tree.Overwrite}
	for i, c := range r.columns() {
		if c.nullable && !op.Table.Schema.Field(i).Nullable {
			op.NotNull, op.DropNulls = append(op.NotNull, i), l.settings.DropNulls
		}
	}
	if ins.table.PartitionedBy != nil {
		l.notYet(ins.at(ins.tree.Table), "writing a table with partitions")
	}
	if u, ok := ins.sink.(upserter); ok && u.Upsert() && len(ins.table.PrimaryKey) > 0 {
		for _, k := range ins.table.PrimaryKey {
			op.Keys = append(op.Keys, ins.table.Columns[k].Physical)
		}
		l.notYet(ins.at(ins.tree.Table), "writing a table of newest rows")
		l.exchange("sink", op, r.columns(), plan.Upsert, input, op.Keys)
		return nil
	}
	if log != plan.Append && !ins.sink.Changelog() {
		return ins.refuseUpdates(r)
	}
	if ins.sink.MaxParallelism() == 1 {
		l.exchange("sink", op, r.columns(), log, input, nil)
		return nil
	}
	l.chain("sink", op, r.columns(), input)
	return nil
}

// refuseUpdates says which operator changes rows it has given, and what to do.
func (ins *insert) refuseUpdates(r *root) error {
	p := place{ins.script, ins.tree.Query.Span}
	msg := fmt.Sprintf("table '%s' takes new rows only, and this query changes rows it has given", ins.table.Name)
	u := updating(r.node)
	if u != nil {
		if at, ok := placeOf(u); ok {
			p = at
		}
		msg = fmt.Sprintf("table '%s' takes new rows only, and the query changes rows it has given: %s", ins.table.Name, ownUpdates(u))
	}
	hints := []string{"or write to a table that takes changes, such as one with 'format' = 'changelog-json'"}
	a, isAggregate := u.(*aggregate)
	switch {
	case isAggregate && a.window != nil:
		hints = slices.Insert(hints, 0, "write DISCARDING or ACCUMULATING behind EMIT: then each result is a row of its own")
	case isAggregate || u == nil:
		hints = slices.Insert(hints, 0, "group by a window as well: its groups are given once, when it is over")
	default:
		hints[0] = strings.TrimPrefix(hints[0], "or ")
	}
	if r.bounded {
		hints = slices.Insert(hints, 0, "add EMIT FINAL, to give each group once, at the end of the input")
	}
	return p.error(msg, hints...)
}
