package expr

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

func init() {
	registerNow("CURRENT_TIMESTAMP", []string{"NOW", "CURRENT_ROW_TIMESTAMP"}, TimestampLTZ(3), "The instant at which the batch of rows is worked on.")
	registerNow("LOCALTIMESTAMP", nil, Timestamp(3), "The date and time in the session's time zone.")
	registerNow("CURRENT_DATE", nil, Date, "The date in the session's time zone.")
	registerNow("LOCALTIME", []string{"CURRENT_TIME"}, Time, "The time of day in the session's time zone.")
	registerNow("PROCTIME", nil, TimestampLTZ(3), "The instant at which a row is worked on, as a processing-time attribute.")
}

func registerNow(name string, aliases []string, t arrow.DataType, doc string) {
	call := callForm(name)
	if name != "PROCTIME" {
		call = wordForm(name)
	}
	text, _ := call(nil)
	Register(Function{
		Name: name, Aliases: aliases, Category: categoryTemporal, Doc: doc, PerBatch: true, form: call,
		Example: text + " IS NOT NULL", ExampleResult: "TRUE",
		Overloads: []Overload{{Returns: returns(t), Compile: func(s *Site) Kernel { return nowKernel(t, s.Settings.zone()) }}},
	})
}

// nowKernel gives the time of the batch as a value of type t.
func nowKernel(t arrow.DataType, zone *time.Location) Kernel {
	return func(f *Frame, _ []*Vector, out *Vector) error {
		instant := f.now.UnixMilli()
		local := text.ToLocal(instant, arrow.Millisecond, zone)
		switch {
		case isLTZ(t):
			values[int64](out)[0] = instant
		case isTimestamp(t):
			values[int64](out)[0] = local
		case t.ID() == arrow.DATE32:
			values[int32](out)[0] = int32(floorDiv(local, day))
		default:
			values[int32](out)[0] = int32(local - floorDiv(local, day)*day)
		}
		return nil
	}
}
