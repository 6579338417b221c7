package exec

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/exec/vec"
)

// DeadLetterSchema is the schema of the table of a table's undecodable records.
var DeadLetterSchema = arrow.NewSchema([]arrow.Field{
	{Name: "place", Type: arrow.BinaryTypes.String},
	{Name: "field", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "reason", Type: arrow.BinaryTypes.String},
	{Name: "raw", Type: arrow.BinaryTypes.Binary, Nullable: true},
}, nil)

// deadLetters makes rows of DeadLetterSchema.
func deadLetters(mem memory.Allocator, records []connector.BadRecord) vec.Batch {
	b := array.NewRecordBuilder(mem, DeadLetterSchema)
	defer b.Release()
	for _, r := range records {
		b.Field(0).(*array.StringBuilder).Append(r.Place)
		if field := b.Field(1).(*array.StringBuilder); r.Field != "" {
			field.Append(r.Field)
		} else {
			field.AppendNull()
		}
		b.Field(2).(*array.StringBuilder).Append(r.Reason)
		b.Field(3).(*array.BinaryBuilder).Append(r.Raw)
	}
	cols := make([]arrow.Array, len(b.Fields()))
	for i, f := range b.Fields() {
		cols[i] = f.NewArray()
	}
	return vec.NewBatch(len(records), cols)
}
