package agg

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func init() {
	registerProduct(Function{
		Name: "PRODUCT", Doc: "The product of the values that are not NULL, as DOUBLE.",
		Example: "SELECT PRODUCT(x) FROM (VALUES (2), (3), (7), (NULL)) AS t (x)", ExampleResult: "42.0",
	}, factors.product)
	registerProduct(Function{
		Name: "GEOMETRIC_MEAN", Aliases: []string{"GEOMEAN"},
		Doc:     "The n-th root of the product of the n values that are not NULL; NaN if one is negative.",
		Example: "SELECT GEOMETRIC_MEAN(x) FROM (VALUES (2), (8), (NULL)) AS t (x)", ExampleResult: "4.0",
	}, factors.root)
}

func registerProduct(f Function, of func(factors) float64) {
	f.Signature = f.Name + "([DISTINCT] number)"
	f.Resolve = func(args []arrow.DataType, _ Options) (Call, error) {
		read, err := numbers(f.Name, 1, args)
		if err != nil {
			return Call{}, err
		}
		return Call{
			Args: read, Result: double, Nullable: true, Mergeable: true,
			StateTypes: []arrow.DataType{bigint, bigint, bigint, bigint, bigint, bigint, double, double},
			New:        func(mem memory.Allocator) Accumulator { return &products{mem: mem, of: of} },
		}, nil
	}
	Register(f)
}

// factors is a product that can be divided again: zeros, infinite factors and NaN are counted, and what is left is a fraction and
// a power of two, which cannot overflow.
type factors struct {
	n         int64 // of all factors
	zeros     int64
	negatives int64
	infinite  int64
	nan       int64
	exponent  int64
	fraction  doubleDouble // from 1/2 to 1; 0 stands for 1
}

const factorCounts = 6 // fields of int64

// products keeps the factors of each group in its row. Its state columns are their fields.
type products struct {
	mem memory.Allocator
	of  func(factors) float64
	selection
	x floats
}

func (a *products) Width() int { return 8 * (factorCounts + 2) }

func (a *products) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	x := a.x.of(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		state.At[factors](rows, groups[i]).include(x[row], int64(signOf(in.Kinds, row)))
	}
	return nil
}

// include starts the product anew when no factor is left, so that rounding does not outlive its cause.
func (f *factors) include(x float64, sign int64) {
	if x < 0 {
		f.negatives += sign
	}
	switch {
	case math.IsNaN(x):
		f.nan += sign
	case math.IsInf(x, 0):
		f.infinite += sign
	case x == 0:
		f.zeros += sign
	default:
		fraction, exponent := math.Frexp(math.Abs(x))
		if sign > 0 {
			f.multiply(doubleDouble{hi: fraction}, int64(exponent))
		} else {
			f.divide(fraction, int64(exponent))
		}
	}
	if f.n += sign; f.n == 0 {
		*f = factors{}
	}
}

func (f *factors) multiply(fraction doubleDouble, exponent int64) {
	if f.fraction.hi == 0 {
		f.fraction.hi = 1
	}
	f.set(f.fraction.mul(fraction), f.exponent+exponent)
}

func (f *factors) divide(fraction float64, exponent int64) {
	if f.fraction.hi == 0 {
		f.fraction.hi = 1
	}
	f.set(f.fraction.over(fraction), f.exponent-exponent)
}

// set brings the fraction back to between 1/2 and 1.
func (f *factors) set(fraction doubleDouble, exponent int64) {
	_, e := math.Frexp(fraction.hi)
	f.fraction = doubleDouble{math.Ldexp(fraction.hi, -e), math.Ldexp(fraction.lo, -e)}
	f.exponent = exponent + int64(e)
}

func (f *factors) merge(o factors) {
	f.n += o.n
	f.zeros += o.zeros
	f.negatives += o.negatives
	f.infinite += o.infinite
	f.nan += o.nan
	if o.fraction.hi != 0 {
		f.multiply(o.fraction, o.exponent)
	}
}

func (f factors) product() float64 {
	p := f.magnitude(func() float64 {
		if f.fraction.hi == 0 {
			return 1
		}
		return math.Ldexp(f.fraction.float(), int(min(max(f.exponent, -5000), 5000)))
	})
	if f.negatives%2 != 0 {
		return -p
	}
	return p
}

// magnitude is the product without its sign, which usual gives if there is neither 0 nor infinity nor NaN.
func (f factors) magnitude(usual func() float64) float64 {
	switch {
	case f.nan > 0, f.zeros > 0 && f.infinite > 0:
		return math.NaN()
	case f.zeros > 0:
		return 0
	case f.infinite > 0:
		return math.Inf(1)
	}
	return usual()
}

// root is the n-th root of the product of n factors.
func (f factors) root() float64 {
	if f.negatives > 0 {
		return math.NaN()
	}
	return f.magnitude(func() float64 {
		if f.fraction.hi == 0 {
			return 1
		}
		whole, rest := f.exponent/f.n, f.exponent%f.n
		return math.Ldexp(math.Pow(f.fraction.float(), 1/float64(f.n))*math.Exp2(float64(rest)/float64(f.n)), int(whole))
	})
}

func (a *products) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	var counts [factorCounts][]int64
	for i := range counts {
		counts[i] = vec.Values[int64](columns[i])
	}
	hi, lo := vec.Values[float64](columns[factorCounts]), vec.Values[float64](columns[factorCounts+1])
	for i, g := range groups {
		state.At[factors](rows, g).merge(factors{
			n: counts[0][i], zeros: counts[1][i], negatives: counts[2][i], infinite: counts[3][i], nan: counts[4][i],
			exponent: counts[5][i], fraction: doubleDouble{hi[i], lo[i]},
		})
	}
	return nil
}

func (a *products) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	var columns []arrow.Array
	for i := range factorCounts {
		columns = append(columns, column[int64](a.mem, bigint, rows.Field(8*i), groups))
	}
	for i := range 2 {
		columns = append(columns, column[float64](a.mem, double, rows.Field(8*(factorCounts+i)), groups))
	}
	return columns, nil
}

func (a *products) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	buf, values := vec.NewFixed[float64](a.mem, len(groups))
	for i, g := range groups {
		values[i] = 0
		if f := state.At[factors](rows, g); f.n > 0 {
			values[i] = a.of(*f)
		}
	}
	valid, nulls := positive(a.mem, rows, groups)
	return vec.MakeArray(double, len(groups), nulls, valid, buf), nil
}
