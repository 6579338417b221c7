package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

func init() {
	Register(Function{
		Name: "GENERATE_SERIES", Category: categoryCollection,
		Doc:     "An ARRAY of the numbers, or of the times, from a start to an end, which is included if it is reached, in steps of 1 or of another size.",
		Example: "GENERATE_SERIES(10, 1, -4)", ExampleResult: "[10, 6, 2]",
		Overloads: []Overload{
			{
				Params: []Param{named(intParam, "start"), named(intParam, "end"), named(intParam, "step")}, Optional: 1, Returns: returns(arrow.ListOf(BigInt)),
				Fails: Sometimes, Slow: true, Compile: func(*Site) Kernel { return seriesKernel(steps) },
			},
			timeSeries(dayTimeParam, func(c *clock) seriesOf {
				perMilli := c.perMilli()
				return func(dst []int64, start, end, step int64) ([]int64, bool) {
					scaled := step * perMilli
					if scaled/perMilli != step {
						return dst, false
					}
					return steps(dst, start, end, scaled)
				}
			}),
			timeSeries(monthsParam, func(c *clock) seriesOf { return c.monthSteps }),
		},
	})
}

// seriesOf appends the values from start to end in steps of a size; ok is false if there are none or too many to tell.
type seriesOf func(dst []int64, start, end, step int64) (all []int64, ok bool)

// mostValues is the largest number of values GENERATE_SERIES makes.
const mostValues = 1 << 20

func timeSeries(step Param, of func(c *clock) seriesOf) Overload {
	return Overload{
		Params: []Param{named(timestampParam, "start"), named(timestampParam, "end"), named(step, "step")}, Fails: Sometimes, Slow: true,
		Convert: func(args []arrow.DataType) []arrow.DataType {
			t := withFraction(commonTimestamp(args[0], args[1]))
			return []arrow.DataType{t, t, args[2]}
		},
		Returns: func(args []Expr) arrow.DataType { return arrow.ListOf(args[0].Type()) },
		Compile: func(s *Site) Kernel {
			c := clockOf(s.Arg(0), s.Settings)
			return seriesKernel(of(&c))
		},
	}
}

// steps are the sums of start and multiples of step.
func steps(dst []int64, start, end, step int64) ([]int64, bool) {
	if step == 0 {
		return dst, false
	}
	if (step > 0) != (start <= end) && start != end {
		return dst, true
	}
	count := magnitudeDiff(start, end)/magnitudeOf(step) + 1
	if count > mostValues {
		return dst, false
	}
	for v := start; count > 0; count, v = count-1, v+step {
		dst = append(dst, v)
	}
	return dst, true
}

// magnitudeDiff is |a - b|.
func magnitudeDiff(a, b int64) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a) - uint64(b)
}

// monthSteps are the start moved by multiples of so many months, keeping its time of day on the wall.
func (c *clock) monthSteps(dst []int64, start, end, step int64) ([]int64, bool) {
	if step == 0 || max(step, -step) > maxMonths {
		return dst, false
	}
	days, rest := c.split(start)
	for n := int64(0); n <= mostValues && max(n*step, -n*step) <= maxMonths; n++ {
		v := c.join(addMonths(days, n*step), rest)
		if step > 0 && v > end || step < 0 && v < end {
			return dst, true
		}
		dst = append(dst, v)
	}
	return dst, false
}

func seriesKernel(of seriesOf) Kernel {
	var all []int64
	var ends []int32
	return func(f *Frame, args []*Vector, out *Vector) error {
		start, end, step := numberArg[int64](args[0]), numberArg[int64](args[1]), seriesStep(args)
		all, ends = all[:0], append(ends[:0], 0)
		for _, row := range f.Rows() {
			before := len(all)
			ends = extend(ends, int(row))
			var ok bool
			if all, ok = of(all, start.row(row), end.row(row), step(row)); !ok || len(all) > math.MaxInt32 {
				all = all[:before]
				if err := f.Fail(row, "GENERATE_SERIES needs a step other than 0 and makes at most 1048576 values"); err != nil {
					return err
				}
			}
			ends = append(ends, int32(len(all)))
		}
		buf, values := vec.NewFixed[int64](f.mem, len(all))
		copy(values, all)
		f.setLists(out, extend(ends, f.n), vec.MakeArray(elementType(out.t), len(all), 0, nil, buf))
		return nil
	}
}

// seriesStep is the step of each row, 1 if none was given.
func seriesStep(args []*Vector) func(row uint32) int64 {
	switch {
	case len(args) == 2:
		return func(uint32) int64 { return 1 }
	case args[2].t.ID() == arrow.INTERVAL_MONTHS:
		months := numberArg[int32](args[2])
		return func(row uint32) int64 { return int64(months.row(row)) }
	}
	return numberArg[int64](args[2]).row
}
