package main

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// sample is what one run took: time on the clock, and processor time of all threads.
type sample struct{ wall, cpu time.Duration }

// timed measures f in this process.
func timed(f func() error) (sample, error) {
	runtime.GC() // what an earlier run has left is not f's
	cpu, began := processorTime(), time.Now()
	err := f()
	return sample{time.Since(began), processorTime() - cpu}, err
}

func processorTime() time.Duration { return timeOf(syscall.RUSAGE_SELF) }

// alternate runs a and b in turn, changing which comes first, and returns what they measured.
func alternate[T any](o *options, a, b func() (T, error)) (as, bs []T, err error) {
	for i := range o.pairs {
		var x, y T
		err := o.calm.run(func() (err error) {
			if i%2 == 0 {
				x, y, err = inTurn(a, b)
			} else {
				y, x, err = inTurn(b, a)
			}
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		as, bs = append(as, x), append(bs, y)
	}
	return as, bs, nil
}

func inTurn[T any](a, b func() (T, error)) (x, y T, err error) {
	if x, err = a(); err == nil {
		y, err = b()
	}
	return x, y, err
}

// compare measures two ways to do the same in alternating pairs, after a run of each that does not count.
func compare(o *options, ours, theirs func() (sample, error)) (c comparison, err error) {
	if _, _, err = inTurn(ours, theirs); err != nil {
		return c, err
	}
	c.ours, c.theirs, err = alternate(o, ours, theirs)
	return c, err
}

// comparison is what the pairs took.
type comparison struct{ ours, theirs []sample }

// walls are the pairs' ratios of time on the clock.
func (c comparison) walls() []float64 { return ratios(c.ours, c.theirs, sample.wallSeconds) }

// describe tells the times behind the ratios, and the ratio of processor time, which other programs disturb less.
func (c comparison) describe(rows int, theirs string) string {
	cpu := median(ratios(c.ours, c.theirs, sample.cpuSeconds))
	ours, other := median(each(c.ours, sample.wallSeconds)), median(each(c.theirs, sample.wallSeconds))
	return fmt.Sprintf("processor time %.2f; %.0f ms, %s %.0f ms; %.1f M rows/s",
		cpu, ours*1e3, theirs, other*1e3, float64(rows)/ours/1e6)
}

func (s sample) wallSeconds() float64 { return s.wall.Seconds() }
func (s sample) cpuSeconds() float64  { return s.cpu.Seconds() }

func ratios[T any](as, bs []T, of func(T) float64) []float64 {
	quotients := make([]float64, len(as))
	for i := range as {
		quotients[i] = of(as[i]) / of(bs[i])
	}
	return quotients
}

func each[T any](list []T, of func(T) float64) []float64 {
	values := make([]float64, len(list))
	for i, x := range list {
		values[i] = of(x)
	}
	return values
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// quantile is the smallest value that at least a share q of the values do not exceed.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(float64(len(sorted))*q+0.999999)-1)]
}
