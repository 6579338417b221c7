// Package failpoint lets a test stop the program, or make a step fail, at a named place in the code. The environment
// variable STREAMSQL_FAILPOINT arms one or more of them, separated by commas:
//
//	name          the first hit kills the process with SIGKILL
//	name:N        the N-th hit kills it
//	name=error    every hit makes Err return an error
//	name:N=error  the N-th hit alone does
//
// A hit costs one atomic load while nothing is armed.
package failpoint

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Env is the environment variable that arms failpoints.
const Env = "STREAMSQL_FAILPOINT"

// ErrInjected is what Err wraps at a failpoint armed with the action error.
var ErrInjected = errors.New("injected failure")

// action is what an armed failpoint does.
type action int

const (
	kill action = iota
	fail
)

// point is one armed failpoint.
type point struct {
	action action
	at     int // the hit that acts, from 1; 0: every hit
	hits   int
}

// armed is false while no failpoint is armed: the fast path of a hit.
var armed atomic.Bool

// points holds the armed failpoints by name.
var points struct {
	sync.Mutex
	byName map[string]*point
}

func init() {
	spec := os.Getenv(Env)
	if spec == "" {
		return
	}
	if _, err := Arm(spec); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", Env, err)
		os.Exit(2)
	}
}

// Hit marks a place where the process may be killed. An armed action error has no effect here: use Err where a step can fail.
func Hit(name string) {
	if armed.Load() {
		_ = reach(name)
	}
}

// Err marks a place where the process may be killed or the step may fail.
func Err(name string) error {
	if !armed.Load() {
		return nil
	}
	return reach(name)
}

// reach counts a hit of the failpoint and acts on it.
func reach(name string) error {
	points.Lock()
	defer points.Unlock()
	p := points.byName[name]
	if p == nil {
		return nil
	}
	p.hits++
	if p.at != 0 && p.hits != p.at {
		return nil
	}
	if p.action == kill {
		killProcess()
	}
	return fmt.Errorf("%w at %s", ErrInjected, name)
}

// killProcess ends the process the way a power cut would: no deferred call, no signal handler, no flush.
func killProcess() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(fmt.Sprintf("failpoint: cannot kill this process: %v", err))
	}
	select {} // the signal may take a moment
}

// Arm arms the failpoints of spec, in the form of the environment variable, in place of those armed before. The function it
// returns disarms them all.
func Arm(spec string) (disarm func(), err error) {
	byName := make(map[string]*point)
	for _, s := range strings.Split(spec, ",") {
		name, p, err := parse(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		byName[name] = p
	}
	install(byName)
	return func() { install(nil) }, nil
}

func install(byName map[string]*point) {
	points.Lock()
	defer points.Unlock()
	points.byName = byName
	armed.Store(len(byName) > 0)
}

// parse reads one failpoint: name[:N][=kill|=error].
func parse(s string) (string, *point, error) {
	s, act, hasAction := strings.Cut(s, "=")
	name, count, hasCount := strings.Cut(s, ":")
	if !slices.Contains(Names, name) {
		return "", nil, fmt.Errorf("unknown failpoint %q; known are %s", name, strings.Join(Names, ", "))
	}
	p := &point{at: 1}
	switch {
	case hasAction && act == "error":
		p.action, p.at = fail, 0
	case hasAction && act != "kill":
		return "", nil, fmt.Errorf("failpoint %s: unknown action %q; known are kill, error", name, act)
	}
	if hasCount {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return "", nil, fmt.Errorf("failpoint %s: %q is not a hit number, from 1", name, count)
		}
		p.at = n
	}
	return name, p, nil
}
