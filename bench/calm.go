package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// calm has measurements repeated that other programs have disturbed.
type calm struct {
	share    float64       // of the machine that others may take; 0: whatever they do
	patience time.Duration // for one measurement; what comes after it counts in any case
}

// run runs f when the machine is calm, and again until it was while f ran.
func (c calm) run(f func() error) error {
	late := time.Now().Add(c.patience)
	for {
		for c.share > 0 && time.Now().Before(late) && c.disturbed(func() { time.Sleep(time.Second) }) {
			time.Sleep(time.Second)
		}
		var err error
		disturbed := c.disturbed(func() { err = f() })
		if err != nil || c.share == 0 || !disturbed || time.Now().After(late) {
			return err
		}
	}
}

// disturbed runs f and reports whether other programs took more than their share meanwhile.
func (c calm) disturbed(f func()) bool {
	began, others := time.Now(), timeOfOthers()
	f()
	capacity := time.Since(began) * time.Duration(runtime.NumCPU())
	return c.share > 0 && timeOfOthers()-others > time.Duration(c.share*float64(capacity))
}

// tick is the unit of /proc/stat.
const tick = 10 * time.Millisecond

// timeOfOthers is the processor time that other programs, and other machines on the same hardware, have taken so far; 0 where the
// system does not tell.
func timeOfOthers() time.Duration {
	text, _ := os.ReadFile("/proc/stat")
	var user, nice, system, idle, wait, irq, softirq, steal int64
	line, _, _ := strings.Cut(string(text), "\n")
	if _, err := fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &irq, &softirq, &steal); err != nil {
		return 0
	}
	return time.Duration(user+nice+system+irq+softirq+steal)*tick - timeOf(syscall.RUSAGE_SELF) - timeOf(syscall.RUSAGE_CHILDREN)
}

// timeOf is the processor time of this process or of those it has waited for.
func timeOf(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err) // there is nothing that could be wrong
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
