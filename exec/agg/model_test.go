package agg

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/exec/vec"
)

// value is an argument as text, and as a number that orders it if the text does not.
type value struct {
	text   string
	bytes  string // for order
	null   bool
	number *big.Rat
}

func (v value) String() string { return v.text }

func valueOf(args []arrow.Array, row int) value {
	if len(args) == 0 {
		return value{}
	}
	arr := args[0]
	if arr.IsNull(row) {
		return value{null: true, text: "NULL"}
	}
	v := value{text: arr.ValueStr(row)}
	switch arr := arr.(type) {
	case *array.String:
		v.bytes = arr.Value(row)
	case *array.Binary:
		v.bytes = arr.ValueString(row)
	case *array.Boolean:
		v.number = big.NewRat(0, 1)
		if arr.Value(row) {
			v.number = big.NewRat(1, 1)
		}
	case *array.Timestamp:
		v.number = big.NewRat(int64(arr.Value(row)), 1)
	case *array.Date32:
		v.number = big.NewRat(int64(arr.Value(row)), 1)
	case *array.Time32:
		v.number = big.NewRat(int64(arr.Value(row)), 1)
	case *array.Duration:
		v.number = big.NewRat(int64(arr.Value(row)), 1)
	case *array.Float32:
		v.number, _ = new(big.Rat).SetString(strconv.FormatFloat(float64(arr.Value(row)), 'f', -1, 32))
	default:
		v.number, _ = new(big.Rat).SetString(v.text)
	}
	if v.text == "-0" {
		v.text = "0"
	}
	return v
}

func compareValues(a, b value) int {
	if a.number != nil && b.number != nil {
		return a.number.Cmp(b.number)
	}
	return strings.Compare(a.bytes, b.bytes)
}

func notNull(values []value) []value {
	return slices.DeleteFunc(slices.Clone(values), func(v value) bool { return v.null })
}

func deduplicated(values []value) []value {
	var out []value
	for _, v := range values {
		if !slices.ContainsFunc(out, func(o value) bool { return o.text == v.text && o.null == v.null }) {
			out = append(out, v)
		}
	}
	return out
}

var models = map[string]func([]value, arrow.DataType) string{
	"COUNT": func(values []value, _ arrow.DataType) string { return fmt.Sprint(len(notNull(values))) },
	"SUM": func(values []value, dt arrow.DataType) string {
		return formatRat(sumOf(notNull(values)), dt)
	},
	"AVG": func(values []value, dt arrow.DataType) string {
		values = notNull(values)
		sum := sumOf(values)
		if sum != nil {
			sum.Quo(sum, big.NewRat(int64(len(values)), 1))
		}
		return formatRat(sum, dt)
	},
	"MIN": func(values []value, _ arrow.DataType) string {
		return first(slices.SortedFunc(slices.Values(notNull(values)), compareValues))
	},
	"MAX": func(values []value, _ arrow.DataType) string {
		sorted := slices.SortedFunc(slices.Values(notNull(values)), compareValues)
		slices.Reverse(sorted)
		return first(sorted)
	},
}

func first(values []value) string {
	if len(values) == 0 {
		return "NULL"
	}
	return values[0].text
}

func sumOf(values []value) *big.Rat {
	if len(values) == 0 {
		return nil
	}
	sum := new(big.Rat)
	for _, v := range values {
		sum.Add(sum, v.number)
	}
	return sum
}

// formatRat is r as Arrow writes it in a type.
func formatRat(r *big.Rat, dt arrow.DataType) string {
	if r == nil {
		return "NULL"
	}
	switch dt := dt.(type) {
	case *arrow.Decimal128Type:
		scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(dt.Scale)), nil)))
		half := big.NewRat(int64(scaled.Sign()), 2)
		scaled.Add(scaled, half)
		unscaled := new(big.Int).Quo(scaled.Num(), scaled.Denom())
		return decimalText(unscaled, dt)
	case *arrow.Float64Type:
		f, _ := r.Float64()
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return r.RatString()
}

func decimalText(unscaled *big.Int, dt *arrow.Decimal128Type) string {
	b := array.NewDecimal128Builder(vec.NewPool(0, nil), dt)
	defer b.Release()
	b.Append(numOf(unscaled))
	arr := b.NewArray()
	defer arr.Release()
	return arr.ValueStr(0)
}

func numOf(v *big.Int) decimal128.Num { return decimal128.FromBigInt(v) }

// sameDigits tells whether a double is the wanted one, which has been written with 9 digits.
func sameDigits(got, want string) bool {
	g, err := strconv.ParseFloat(got, 64)
	w, err2 := strconv.ParseFloat(want, 64)
	return err == nil && err2 == nil && math.Abs(g-w) <= 1e-8*math.Abs(w)
}
