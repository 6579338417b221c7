package planner

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// watermark binds WATERMARK FOR.
func (d *tableDefinition) watermark() error {
	w := d.tree.Watermark
	if w == nil {
		return nil
	}
	if len(w.Column.Parts) > 1 {
		return d.at(w.Column).error("the event time must be a column, not the field of one",
			fmt.Sprintf("add the column %s AS %s, and WATERMARK FOR that", w.Column.Last().Name, parser.FormatExpr(&parser.ColumnRef{Name: w.Column})))
	}
	i, err := d.find(w.Column.Parts[0], "WATERMARK")
	if err != nil {
		return err
	}
	col := d.table.Columns[i]
	if t := col.Type; !arrow.TypeEqual(t, expr.Timestamp(3)) && !arrow.TypeEqual(t, expr.TimestampLTZ(3)) {
		return d.at(w.Column).error(fmt.Sprintf("WATERMARK takes a TIMESTAMP(3) or TIMESTAMP_LTZ(3), and '%s' is %s", col.Name, expr.TypeName(t)),
			watermarkHint(col))
	}
	x, err := d.scalar(d.scope("WATERMARK"), w.X)
	if err != nil {
		return err
	}
	if x.Type().ID() != arrow.TIMESTAMP {
		return d.errorf(w.X, "the watermark must be a %s like its column, got %s", expr.TypeName(col.Type), expr.TypeName(x.Type()))
	}
	if x, err = expr.Coerce(x, col.Type, d.settings.Expr); err != nil {
		return d.errorf(w.X, "%s", err)
	}
	d.table.Watermark = &catalog.Watermark{Column: i, Expr: x}
	return nil
}

// watermarkHint tells how to get an event time from a column of another type.
func watermarkHint(c catalog.Column) string {
	switch c.Type.ID() {
	case arrow.TIMESTAMP:
		return "declare it as TIMESTAMP(3)"
	case arrow.INT64:
		return fmt.Sprintf("if it counts milliseconds since 1970, add the column ts AS TO_TIMESTAMP_LTZ(%s, 3)", c.Name)
	case arrow.STRING:
		return fmt.Sprintf("add the column ts AS CAST(%s AS TIMESTAMP(3))", c.Name)
	}
	return ""
}
