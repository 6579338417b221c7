package expr

import (
	"fmt"
	"strconv"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/internal/text"
)

// appendValue appends the text of a value of type t, represented as in Literal.V, as CAST AS STRING writes it.
func appendValue(dst []byte, t arrow.DataType, v any, loc *time.Location) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "NULL"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int8:
		return strconv.AppendInt(dst, int64(v), 10)
	case int16:
		return strconv.AppendInt(dst, int64(v), 10)
	case int32:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float32:
		return text.AppendFloat32(dst, v)
	case float64:
		return text.AppendFloat64(dst, v)
	case decimal128.Num:
		return text.AppendDecimal(dst, v, t.(*arrow.Decimal128Type).Scale)
	case string:
		return append(dst, v...)
	}
	return appendTemporal(dst, t, v, loc)
}

func appendTemporal(dst []byte, t arrow.DataType, v any, loc *time.Location) []byte {
	switch v := v.(type) {
	case arrow.Date32:
		return text.AppendDate(dst, int32(v))
	case arrow.Time32:
		return text.AppendTime(dst, int64(v), arrow.Millisecond)
	case arrow.Timestamp:
		ts := t.(*arrow.TimestampType)
		if ts.TimeZone == "" {
			return text.AppendTimestamp(dst, int64(v), ts.Unit)
		}
		return text.AppendTimestampLTZ(dst, int64(v), ts.Unit, loc)
	case arrow.Duration:
		return appendDayTime(dst, int64(v))
	case arrow.MonthInterval:
		return appendYearMonth(dst, int64(v))
	}
	return fmt.Append(dst, v)
}

// appendDayTime appends milliseconds as [-]D HH:MM:SS.fff.
func appendDayTime(dst []byte, ms int64) []byte {
	sign, abs := splitSign(ms)
	const day = 86400000
	dst = strconv.AppendUint(append(dst, sign...), abs/day, 10)
	return text.AppendTime(append(dst, ' '), int64(abs%day), arrow.Millisecond)
}

// appendYearMonth appends months as [-]Y-MM.
func appendYearMonth(dst []byte, months int64) []byte {
	sign, abs := splitSign(months)
	dst = strconv.AppendUint(append(dst, sign...), abs/12, 10)
	return append(dst, '-', byte('0'+abs%12/10), byte('0'+abs%12%10))
}
