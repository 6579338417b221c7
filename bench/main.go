// Command bench measures the engine against its goals: grouped aggregates and whole processes next to DuckDB on the same data, and
// what checkpoints and recovery cost. It prints a table in Markdown.
//
// Ratios come from alternating pairs of runs with equal results. What a benchmark takes in absolute numbers depends on the machine
// and on what else it does, and is only told beside.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/pprof"
	"time"
)

// options are what the command line gives.
type options struct {
	pairs   int
	quick   bool
	calm    calm
	profile string // directory of processor profiles of our side
	dir     string // for the benchmarks' files, removed at the end
}

// scale is full, or a smaller number if the benchmarks are to be quick.
func (o *options) scale(full, quick int) int {
	if o.quick {
		return quick
	}
	return full
}

// benchmark measures one or several lines of the table.
type benchmark struct {
	name string
	run  func(*options) ([]line, error)
}

// benchmarks lists all of them.
func benchmarks() []benchmark {
	var all []benchmark
	all = append(all, groupBenchmarks()...)
	all = append(all, scalingBenchmark())
	all = append(all, filterBenchmarks()...)
	all = append(all, processBenchmarks()...)
	all = append(all, overheadBenchmarks()...)
	all = append(all, checkpointBenchmarks()...)
	return append(all, recoveryBenchmark(), allocationBenchmark())
}

func main() {
	if sql := os.Getenv(duckdbChild); sql != "" {
		exit(printDuckDB(sql))
	}
	o := &options{}
	flag.IntVar(&o.pairs, "pairs", 5, "alternating pairs of runs of a comparison")
	flag.BoolVar(&o.quick, "quick", false, "smaller data and shorter runs: to try the program out, not to judge the engine")
	flag.Float64Var(&o.calm.share, "calm", 0, "repeat pairs during which other programs took more than this `share` of the machine")
	flag.DurationVar(&o.calm.patience, "patience", 10*time.Minute, "`time` after which a pair counts though it was disturbed")
	flag.StringVar(&o.profile, "profile", "", "`directory` to write processor profiles of our side into")
	pattern := flag.String("run", "", "run the benchmarks whose name matches the `regexp`")
	list := flag.Bool("list", false, "list the benchmarks' names")
	flag.Parse()
	if *list {
		for _, b := range benchmarks() {
			fmt.Println(b.name)
		}
		return
	}
	exit(runAll(o, *pattern))
}

// exit ends the program, with a message if it has failed.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// runAll runs the benchmarks that match and prints the table line by line. One that fails does not keep the others from running.
func runAll(o *options, pattern string) (err error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if o.dir, err = os.MkdirTemp("", "streamsql-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir)
	fmt.Print(header())
	var failures []error
	for _, b := range benchmarks() {
		if !match.MatchString(b.name) {
			continue
		}
		lines, err := b.run(o)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", b.name, err))
		}
		for _, l := range lines {
			fmt.Println(l)
		}
	}
	return errors.Join(failures...)
}

// profiled runs f and, if profiles are wanted, writes that of the processor time it takes.
func (o *options) profiled(name string, f func() error) error {
	if o.profile == "" {
		return f()
	}
	if err := os.MkdirAll(o.profile, 0o755); err != nil {
		return err
	}
	file, err := os.Create(fmt.Sprintf("%s/%s.pprof", o.profile, name))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}
