package exec

import (
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
)

// where narrows the batch to the selected rows whose value in a BOOLEAN column is TRUE, and groups, one for each selected row,
// with it.
func where(b vec.Batch, column int, groups []uint32) (vec.Batch, []uint32) {
	condition := b.Cols[column].(*array.Boolean)
	sel := make([]uint32, 0, len(groups))
	own := make([]uint32, 0, len(groups))
	for i, g := range groups {
		if row := b.Row(i); condition.IsValid(row) && condition.Value(row) {
			sel = append(sel, uint32(row))
			own = append(own, g)
		}
	}
	return b.Select(sel), own
}
