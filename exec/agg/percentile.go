package agg

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	Register(Function{
		Name:      "PERCENTILE",
		Signature: "PERCENTILE([DISTINCT] value, fraction [, frequency])",
		Doc: "The value below which the fraction of the values that are not NULL lie, interpolated between two of them; an ARRAY for " +
			"an ARRAY of fractions, NULL for an empty one. The frequency is how often a value counts, which must be more than 0 for it to count.",
		Example: "SELECT PERCENTILE(x, 0.3) FROM (VALUES (0), (10), (10), (NULL)) AS t (x)", ExampleResult: "6.0",
		Resolve: func(args []arrow.DataType, opt Options) (Call, error) {
			return resolvePercentile("PERCENTILE", args, opt)
		},
	})
	Register(Function{
		Name:      "PERCENTILE_CONT",
		Signature: "PERCENTILE_CONT(fraction) WITHIN GROUP (ORDER BY value [DESC]) | PERCENTILE_CONT(value, fraction)",
		Doc: "The value below which the fraction of the values that are not NULL lie, interpolated between two of them; an ARRAY for " +
			"an ARRAY of fractions.",
		Example: "SELECT PERCENTILE_CONT(x, 0.25) FROM (VALUES (1), (2), (3), (4)) AS t (x)", ExampleResult: "1.75",
		Sortable: true,
		Resolve: func(args []arrow.DataType, opt Options) (Call, error) {
			return resolvePercentile("PERCENTILE_CONT", args, opt)
		},
	})
	Register(Function{
		Name:      "PERCENTILE_DISC",
		Signature: "PERCENTILE_DISC(fraction) WITHIN GROUP (ORDER BY value [DESC]) | PERCENTILE_DISC(value, fraction)",
		Doc: "The first of the values that are not NULL, in their order, up to which the fraction of them lie; an ARRAY for an ARRAY of " +
			"fractions.",
		Example: "SELECT PERCENTILE_DISC(x, 0.5) FROM (VALUES ('a'), ('b'), ('c'), ('d')) AS t (x)", ExampleResult: "b",
		Sortable: true,
		Resolve: func(args []arrow.DataType, opt Options) (Call, error) {
			return resolvePercentile("PERCENTILE_DISC", args, opt)
		},
	})
}

// resolvePercentile takes the value first or, as the only sort key, last.
func resolvePercentile(name string, args []arrow.DataType, opt Options) (Call, error) {
	most := 2
	if name == "PERCENTILE" {
		most = 3
	}
	if len(args) != 2 && len(args) != most {
		return Call{}, argCount(name, 2, args)
	}
	value, fraction := 0, 1
	q := quantiles{}
	if len(opt.Order) > 0 {
		value, fraction = 1, 0
		q.descending = opt.Order[0].Descending
	}
	read := append([]arrow.DataType(nil), args...)
	fractions, ok := fractionType(args[fraction])
	if !ok {
		return Call{}, wrongArg(name, fraction, "a number, or an ARRAY of numbers,", args)
	}
	read[fraction] = fractions
	q.array = fractions != double
	if name == "PERCENTILE_DISC" {
		q.value = args[value]
	} else if q.value, ok = interpolated(args[value]); !ok {
		return Call{}, wrongArg(name, value, "a number, a timestamp or an interval", args)
	}
	q.discrete = name == "PERCENTILE_DISC"
	read[value] = q.value
	kept, err := newRecord(read, []int{value}, false)
	if err != nil {
		return Call{}, err
	}
	f := bagFunction{keeping: keep(name, kept, value, fraction), result: q.result()}
	f.parameter, f.parameterType, f.check, f.append = fraction, fractions, checkFractions(name, fraction), q.append
	if len(args) == 3 {
		if !isInteger(args[2]) {
			return Call{}, wrongArg(name, 2, "an integer", args)
		}
		f.weight, f.required, read[2] = 2, append(f.required, 2), bigint
	}
	return f.call(read, opt), nil
}

// fractionType is the type in which fractions are taken: DOUBLE or an ARRAY of that.
func fractionType(dt arrow.DataType) (arrow.DataType, bool) {
	if l, ok := dt.(*arrow.ListType); ok {
		_, ok = asFloats(l.Elem())
		return arrow.ListOf(double), ok
	}
	_, ok := asFloats(dt)
	return double, ok
}

// interpolated is the type between whose values there are others: DOUBLE for numbers, and times that are 64 bits wide.
func interpolated(dt arrow.DataType) (arrow.DataType, bool) {
	switch dt.ID() {
	case arrow.TIMESTAMP, arrow.DURATION:
		return dt, true
	}
	_, ok := asFloats(dt)
	return double, ok
}

func checkFractions(name string, arg int) func(p parameter) error {
	return func(p parameter) error {
		for _, v := range p.numbers {
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("%s takes a fraction from 0 to 1 as its %s argument, got %v", name, ordinals[arg], v)
			}
		}
		return nil
	}
}

// quantiles appends the values at fractions of a bag.
type quantiles struct {
	value      arrow.DataType
	array      bool // of fractions
	discrete   bool // only values that are there
	descending bool
}

func (q quantiles) result() arrow.DataType {
	if q.array {
		return arrow.ListOf(q.value)
	}
	return q.value
}

func (q quantiles) append(a *bagged, b array.Builder, set *bag, p parameter) error {
	if q.array && len(p.numbers) == 0 {
		b.AppendNull()
		return nil
	}
	if q.array {
		values := b.(*array.ListBuilder)
		values.Append(true)
		b = values.ValueBuilder()
	}
	for _, fraction := range p.numbers {
		if q.discrete {
			v, _ := set.nth(q.rank(set.present, fraction))
			a.record.codecs[0].write(b, a.get(v, nil))
		} else {
			q.interpolate(b, set, fraction)
		}
	}
	return nil
}

// rank is the place of the first of n values up to which the fraction of them lie. It forgives the rounding of the fraction.
func (q quantiles) rank(n int64, fraction float64) int64 {
	rank := max(0, int64(math.Ceil(float64(n)*fraction*(1-1e-15)))-1)
	if q.descending {
		return n - 1 - rank
	}
	return rank
}

// interpolate appends the value at the fraction of the way from the first value to the last.
func (q quantiles) interpolate(b array.Builder, set *bag, fraction float64) {
	last := float64(set.present - 1)
	at := fraction * last
	if q.descending {
		at = last - at
	}
	below := math.Floor(at)
	lo, _ := set.nth(int64(below))
	hi := lo
	if at > below {
		hi, _ = set.nth(int64(below) + 1)
	}
	switch b := b.(type) {
	case *array.Float64Builder:
		b.Append(between(doubleOf(lo.head), doubleOf(hi.head), at-below))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(timeBetween(lo, hi, at-below)))
	case *array.DurationBuilder:
		b.Append(arrow.Duration(timeBetween(lo, hi, at-below)))
	}
}

// between is the number at the part of the way from lo to hi, which may be infinite.
func between(lo, hi, part float64) float64 {
	if lo == hi || part == 0 {
		return lo
	}
	return lo*(1-part) + hi*part
}

func timeBetween(lo, hi packed, part float64) int64 {
	from := int64(lo.head ^ 1<<63)
	return from + int64(math.Round(part*float64(int64(hi.head^1<<63)-from)))
}
