package expr

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"streamsql/exec/vec"
)

func cpuNow() int64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return r.Utime.Nano() + r.Stime.Nano()
}

func TestCPU(t *testing.T) {
	if os.Getenv("CPU") == "" {
		t.Skip()
	}
	batch, columns := benchBatch()
	mem := vec.NewPool(0, nil)
	run := func(name string, f func()) {
		f()
		best := 1e18
		for range 7 {
			n := 300
			start := cpuNow()
			for range n {
				f()
			}
			best = min(best, float64(cpuNow()-start)/float64(n)/4096)
		}
		fmt.Printf("%8.2f  %s\n", best, name)
	}
	for _, sql := range benchExpressions {
		p, err := Compile(mem, []Expr{mustBind(t, sql, columns...)}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		run(sql, func() {
			out, err := p.Eval(batch)
			if err != nil {
				t.Fatal(err)
			}
			out[0].Release()
		})
	}
	p, _ := NewPredicate(mem, mustBind(t, "a * 2 + b > c", columns...), Settings{})
	run("filter", func() { p.Select(batch) })
}
