package exec

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// nulls finds the selected rows of a batch that have NULL in one of the columns, and in which; most batches have none, which their
// columns tell without being looked through.
func nulls(b vec.Batch, columns []int) (rows []uint32, first []int) {
	suspects := make([]int, 0, len(columns))
	for _, c := range columns {
		if b.Cols[c].NullN() > 0 {
			suspects = append(suspects, c)
		}
	}
	if len(suspects) == 0 {
		return nil, nil
	}
	for i := range b.Len() {
		row := b.Row(i)
		if at := slices.IndexFunc(suspects, func(c int) bool { return b.Cols[c].IsNull(row) }); at >= 0 {
			rows, first = append(rows, uint32(row)), append(first, suspects[at])
		}
	}
	return rows, first
}

// without deselects rows, which are ascending.
func without(b vec.Batch, rows []uint32) vec.Batch {
	sel := make([]uint32, 0, b.Len()-len(rows))
	for i := range b.Len() {
		row := uint32(b.Row(i))
		if len(rows) > 0 && rows[0] == row {
			rows = rows[1:]
			continue
		}
		sel = append(sel, row)
	}
	return b.Select(sel)
}

// keepNotNull makes sure that columns which take no NULL get none: a row with one is an error, or is left out and counted. It consumes
// the batch if it is an error.
func (s *sink) keepNotNull(b vec.Batch) (vec.Batch, error) {
	rows, columns := nulls(b, s.op.NotNull)
	if len(rows) == 0 {
		return b, nil
	}
	if s.op.DropNulls {
		s.context.Counters.BadRecords.Add(int64(len(rows)))
		return without(b, rows), nil
	}
	err := fmt.Errorf("table %s: column %s is NOT NULL and would get NULL from the row %s",
		s.op.Table.Name, s.op.Table.Schema.Field(columns[0]).Name, rowText(s.op.Table.Schema, b, int(rows[0])))
	b.Release()
	return vec.Batch{}, connector.Permanent(err)
}

// mostShown is how much of a value is shown.
const mostShown = 40

// rowText shows a row.
func rowText(schema *arrow.Schema, b vec.Batch, row int) string {
	style := text.SQL(nil)
	shown := make([]string, len(b.Cols))
	for i, c := range b.Cols {
		value := string(style.Append(nil, c, row))
		if len(value) > mostShown {
			n := mostShown
			for n > 0 && !utf8.RuneStart(value[n]) {
				n--
			}
			value = value[:n] + "…"
		}
		shown[i] = schema.Field(i).Name + " = " + value
	}
	return "(" + strings.Join(shown, ", ") + ")"
}

// notNull lists the places of the columns read that the table says are never NULL.
func (s *scan) notNull() (columns []int) {
	for i, c := range s.op.Columns {
		if !s.op.Table.Schema.Field(c).Nullable {
			columns = append(columns, i)
		}
	}
	return columns
}

// complete takes rows out that have NULL in a column which the table says has none; they are bad records. It consumes the batch if
// that is an error.
func (s *scan) complete(f connector.Fragment) (connector.Fragment, error) {
	rows, columns := nulls(f.Batch, s.never)
	if len(rows) == 0 {
		return f, nil
	}
	bad := make([]connector.BadRecord, len(rows))
	for i, row := range rows {
		bad[i] = s.badRow(f.Place, int(row), s.op.Table.Schema.Field(s.op.Columns[columns[i]]).Name, "the column is NOT NULL and the value is NULL")
	}
	if err := s.bad(bad); err != nil {
		f.Batch.Release()
		return f, err
	}
	rest := without(f.Batch, rows)
	f.Batch = vec.Compact(s.context.Alloc, rest)
	f.Batch.Rows = len(rest.Sel)
	if place := f.Place; place != nil {
		f.Place = func(row int) string { return place(int(rest.Sel[row])) }
	}
	return f, nil
}
