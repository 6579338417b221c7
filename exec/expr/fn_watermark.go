package expr

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

func init() {
	Register(Function{
		Name: "CURRENT_WATERMARK", Category: categoryTemporal, Volatile: true,
		Doc:     "The watermark of the source just before the row, with the type of the time attribute and milliseconds; NULL if there is none yet.",
		Example: "CURRENT_WATERMARK(TIMESTAMP '2024-02-29 12:00:00')", ExampleResult: "NULL",
		Overloads: []Overload{{
			Params: []Param{named(timestampParam, "rowtime")}, Nulls: HandledOrNull, Compile: only(watermarkKernel),
			Returns: func(args []Expr) arrow.DataType {
				return &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: args[0].Type().(*arrow.TimestampType).TimeZone}
			},
		}},
	})
}

func watermarkKernel(f *Frame, _ []*Vector, out *Vector) error {
	o := values[int64](out)
	for _, row := range f.Rows() {
		o[row] = vec.MinTime
		if f.batch.Marks != nil {
			o[row] = f.batch.Marks[f.batch.Row(int(row))]
		}
		if o[row] == vec.MinTime {
			f.SetNull(row)
		}
	}
	return nil
}
