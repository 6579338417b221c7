package agg

import "math"

// doubleDouble is a number of about 32 decimal digits, the sum of a double and what rounding has cut off from it. Sums of such
// numbers hardly depend on the order of their terms, and taking a term away again leaves no trace that a double would show.
type doubleDouble struct{ hi, lo float64 }

// twoSum is a+b and what rounding has cut off from it.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	fromB := sum - a
	return sum, (a - (sum - fromB)) + (b - fromB)
}

// normal is hi+lo, where lo is small against hi.
func normal(hi, lo float64) doubleDouble {
	sum := hi + lo
	return doubleDouble{sum, lo - (sum - hi)}
}

// difference is a-b.
func difference(a, b float64) doubleDouble {
	d, rest := twoSum(a, -b)
	return doubleDouble{d, rest}
}

// product is a*b.
func product(a, b float64) doubleDouble {
	p := a * b
	return doubleDouble{p, math.FMA(a, b, -p)}
}

func (d doubleDouble) float() float64 { return d.hi + d.lo }

func (d doubleDouble) neg() doubleDouble { return doubleDouble{-d.hi, -d.lo} }

func (d doubleDouble) add(o doubleDouble) doubleDouble {
	sum, rest := twoSum(d.hi, o.hi)
	low, lowest := twoSum(d.lo, o.lo)
	n := normal(sum, rest+low)
	return normal(n.hi, n.lo+lowest)
}

func (d doubleDouble) sub(o doubleDouble) doubleDouble { return d.add(o.neg()) }

func (d doubleDouble) mul(o doubleDouble) doubleDouble {
	p := product(d.hi, o.hi)
	return normal(p.hi, p.lo+(d.hi*o.lo+d.lo*o.hi))
}

// times is d*f.
func (d doubleDouble) times(f float64) doubleDouble {
	p := product(d.hi, f)
	return normal(p.hi, p.lo+d.lo*f)
}

// div is d/o.
func (d doubleDouble) div(o doubleDouble) doubleDouble {
	q := d.hi / o.hi
	rest := d.sub(o.times(q))
	r := rest.hi / o.hi
	rest = rest.sub(o.times(r))
	n := normal(q, r)
	return normal(n.hi, n.lo+rest.hi/o.hi)
}

// over is d/f.
func (d doubleDouble) over(f float64) doubleDouble {
	q := d.hi / f
	rest := d.sub(product(q, f))
	r := rest.hi / f
	rest = rest.sub(product(r, f))
	n := normal(q, r)
	return normal(n.hi, n.lo+rest.hi/f)
}
