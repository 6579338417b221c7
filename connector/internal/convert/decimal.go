package convert

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"

	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// decimal converts whole numbers and decimals. As where they are read as text, digits beyond the scale are rounded.
func decimal(from arrow.DataType, to *arrow.Decimal128Type) step {
	switch t := from.(type) {
	case *arrow.Int8Type:
		return decimals(to, 0, signed[int8])
	case *arrow.Int16Type:
		return decimals(to, 0, signed[int16])
	case *arrow.Int32Type:
		return decimals(to, 0, signed[int32])
	case *arrow.Int64Type:
		return decimals(to, 0, signed[int64])
	case *arrow.Uint8Type:
		return decimals(to, 0, unsigned[uint8])
	case *arrow.Uint16Type:
		return decimals(to, 0, unsigned[uint16])
	case *arrow.Uint32Type:
		return decimals(to, 0, unsigned[uint32])
	case *arrow.Uint64Type:
		return decimals(to, 0, unsigned[uint64])
	case *arrow.Decimal128Type:
		if t.Scale == to.Scale && t.Precision <= to.Precision {
			return as(to)
		}
		return decimals(to, t.Scale, decimal256.FromDecimal128)
	case *arrow.Decimal256Type:
		return decimals(to, t.Scale, func(v decimal256.Num) decimal256.Num { return v })
	}
	return nil
}

func signed[F int8 | int16 | int32 | int64](v F) decimal256.Num { return decimal256.FromI64(int64(v)) }

func unsigned[F uint8 | uint16 | uint32 | uint64](v F) decimal256.Num {
	return decimal256.FromU64(uint64(v))
}

// decimals rescales numbers of another scale, in twice the width, where that does not overflow unless the result would.
func decimals[F any](to *arrow.Decimal128Type, scale int32, wide func(F) decimal256.Num) step {
	return func(r *run, in arrow.Array) arrow.Array {
		vals := vec.Values[F](in)
		buf, out := vec.NewFixed[decimal128.Num](r.mem, in.Len())
		fits := true
		for i, v := range vals {
			n, ok := rescale(wide(v), scale, to)
			out[i] = n
			fits = fits && ok
		}
		if !fits {
			r.check(in, func(i int) string {
				v := wide(vals[i])
				if _, ok := rescale(v, scale, to); !ok {
					return fmt.Sprintf("the value %s does not fit %s", v.ToString(scale), text.TypeName(to))
				}
				return ""
			})
		}
		return fixed(r, in, to, buf)
	}
}

// rescale reports false if there are too many digits.
func rescale(v decimal256.Num, scale int32, to *arrow.Decimal128Type) (decimal128.Num, bool) {
	if scale > to.Scale {
		v = v.ReduceScaleBy(scale-to.Scale, true)
	} else if scale < to.Scale {
		var err error
		if v, err = v.Rescale(scale, to.Scale); err != nil {
			return decimal128.Num{}, false
		}
	}
	words := v.Array()
	return decimal128.New(int64(words[1]), words[0]), v.FitsInPrecision(to.Precision)
}

func decimalToFloat(from *arrow.Decimal128Type, to arrow.DataType) step {
	return floatFrom(to, func(v decimal128.Num) float64 { return v.ToFloat64(from.Scale) })
}
