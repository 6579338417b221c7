package text

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

func TestTypeName(t *testing.T) {
	row := arrow.StructOf(
		arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32},
		arrow.Field{Name: "b", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.ListOf(&arrow.TimestampType{Unit: arrow.Microsecond}))},
	)
	for want, dt := range map[string]arrow.DataType{
		"BIGINT":           arrow.PrimitiveTypes.Int64,
		"DECIMAL(10, 2)":   &arrow.Decimal128Type{Precision: 10, Scale: 2},
		"TIMESTAMP_LTZ(3)": ltz,
		"TIMESTAMP(0)":     &arrow.TimestampType{Unit: arrow.Second},
		"ROW<a INT, b MAP<STRING, ARRAY<TIMESTAMP(6)>>>": row,
		"LARGE_UTF8": arrow.BinaryTypes.LargeString,
	} {
		if got := TypeName(dt); got != want {
			t.Errorf("TypeName(%v) = %s, want %s", dt, got, want)
		}
	}
}
