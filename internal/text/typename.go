package text

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// TypeName is the SQL name of a type: INT, DECIMAL(10, 2), TIMESTAMP(3), ARRAY<STRING>.
func TypeName(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.Decimal128Type:
		return fmt.Sprintf("DECIMAL(%d, %d)", t.Precision, t.Scale)
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return fmt.Sprintf("TIMESTAMP_LTZ(%d)", fractionDigits[t.Unit])
		}
		return fmt.Sprintf("TIMESTAMP(%d)", fractionDigits[t.Unit])
	case *arrow.ListType:
		return "ARRAY<" + TypeName(t.Elem()) + ">"
	case *arrow.MapType:
		return "MAP<" + TypeName(t.KeyType()) + ", " + TypeName(t.ItemType()) + ">"
	case *arrow.StructType:
		return "ROW<" + fieldNames(t) + ">"
	}
	if name, ok := typeNames[t.ID()]; ok {
		return name
	}
	return strings.ToUpper(t.String())
}

var typeNames = map[arrow.Type]string{
	arrow.NULL: "NULL", arrow.BOOL: "BOOLEAN",
	arrow.INT8: "TINYINT", arrow.INT16: "SMALLINT", arrow.INT32: "INT", arrow.INT64: "BIGINT",
	arrow.FLOAT32: "FLOAT", arrow.FLOAT64: "DOUBLE", arrow.STRING: "STRING", arrow.BINARY: "BYTES",
	arrow.DATE32: "DATE", arrow.TIME32: "TIME", arrow.TIME64: "TIME",
	arrow.DURATION: "INTERVAL DAY TO SECOND", arrow.INTERVAL_MONTHS: "INTERVAL YEAR TO MONTH",
}

func fieldNames(t *arrow.StructType) string {
	fields := make([]string, t.NumFields())
	for i, f := range t.Fields() {
		fields[i] = f.Name + " " + TypeName(f.Type)
	}
	return strings.Join(fields, ", ")
}
