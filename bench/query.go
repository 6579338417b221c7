package main

import "fmt"

// query runs a query and tells what its result comes to.
type query func() (digest, error)

// digest is the number of rows of a result and sums over its columns, or the values of its one row.
type digest [4]int64

// timed measures the query.
func (q query) timed() (sample, error) {
	return timed(func() error {
		_, err := q()
		return err
	})
}

// profiled is timed, with a profile of each run if the options ask for it.
func (q query) profiled(o *options, name string) func() (sample, error) {
	return func() (s sample, err error) {
		err = o.profiled(name, func() error {
			s, err = q.timed()
			return err
		})
		return s, err
	}
}

// equal compares the results of two queries.
func equal(ours, theirs query) error {
	got, err := ours()
	if err != nil {
		return err
	}
	want, err := theirs()
	if err == nil && got != want {
		err = fmt.Errorf("the results differ: ours %v, DuckDB's %v", got, want)
	}
	return err
}
