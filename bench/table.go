package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// line is one line of the table.
type line struct {
	what   string
	goal   goal
	value  float64   // measured, to be compared with the goal
	values []float64 // that value is made of
	extra  string    // absolute numbers
}

// ofMedian is a line whose value is the median of values.
func ofMedian(what string, g goal, values []float64, extra string) line {
	return line{what, g, median(values), values, extra}
}

// ofQuantile is a line whose value is a quantile of values.
func ofQuantile(what string, g goal, q float64, values []float64, extra string) line {
	return line{what, g, quantile(values, q), values, extra}
}

// String is the line in Markdown.
func (l line) String() string {
	return fmt.Sprintf("| %s | %s | %s | %s – %s | %s | %s |", l.what, l.goal, l.goal.format(l.value),
		l.goal.format(slices.Min(l.values)), l.goal.format(slices.Max(l.values)), l.goal.verdict(l.value), l.extra)
}

// goal is what a value should be.
type goal struct {
	least bool // at least bound, not at most
	bound float64
	unit  string
}

func atMost(bound float64, unit string) goal  { return goal{false, bound, unit} }
func atLeast(bound float64, unit string) goal { return goal{true, bound, unit} }

func (g goal) String() string {
	if g.least {
		return "≥ " + g.format(g.bound)
	}
	return "≤ " + g.format(g.bound)
}

func (g goal) format(v float64) string {
	if v != 0 && v < 0.1 {
		return strings.TrimSpace(fmt.Sprintf("%.2g %s", v, g.unit))
	}
	return strings.TrimSpace(fmt.Sprintf("%.2f %s", v, g.unit))
}

func (g goal) verdict(v float64) string {
	if g.least == (v >= g.bound) || v == g.bound {
		return "yes"
	}
	return "**no**"
}

// header says what was measured where, and begins the table.
func header() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d cores, %s, DuckDB %s, %s; load %s\n\n", processorName(), runtime.NumCPU(), runtime.Version(), duckdbVersion(),
		time.Now().UTC().Format("2006-01-02 15:04 UTC"), load())
	b.WriteString("| what | goal | measured | spread | met | beside |\n|---|---|---|---|---|---|\n")
	return b.String()
}

// duckdbVersion is that of the Go module.
func duckdbVersion() string {
	db, err := openDuckDB(1)
	if err != nil {
		return err.Error()
	}
	defer db.Close()
	var version string
	if err := db.QueryRow("SELECT version()").Scan(&version); err != nil {
		return err.Error()
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == duckdbModule {
				version += " (Go module " + m.Version + ")"
			}
		}
	}
	return version
}

// processorName is the processor's, where Linux tells it.
func processorName() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for l := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// load is how busy the machine is with other things.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
