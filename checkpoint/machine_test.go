package checkpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	src0 = TaskID{"source", 0}
	src1 = TaskID{"source", 1}
	sum  = TaskID{"sum", 0}
	trio = []TaskID{src0, src1, sum}

	start   = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	errDisk = errors.New("disk")
)

// at is a step of a script: what happens, when, and the effects it must have.
type at struct {
	ms    int
	event Event
	want  string
}

func ack(id ID, t TaskID) Event { return Acked{ID: id, State: TaskState{Task: t}} }

// describe writes effects in a short form, WakeAt left out.
func describe(effects []Effect) string {
	var words []string
	for _, e := range effects {
		switch e := e.(type) {
		case Inject:
			words = append(words, fmt.Sprintf("inject %d%s", e.Barrier.ID, flags(e.Barrier.Stop, "stop", e.Barrier.Drain, "drain")))
		case Commit:
			words = append(words, fmt.Sprintf("commit %d%s", e.ID, flags(e.Final, "final", false, "")))
		case NotifyCommitted:
			words = append(words, fmt.Sprintf("committed %d", e.ID))
		case NotifyAborted:
			words = append(words, fmt.Sprintf("aborted %d", e.ID))
		case Completed:
			words = append(words, fmt.Sprintf("request %d: %s", e.Request, outcome(e)))
		case FailJob:
			words = append(words, "fail")
		case Done:
			words = append(words, "done"+flags(e.Final, "final", false, ""))
		}
	}
	return strings.Join(words, ", ")
}

func flags(a bool, nameA string, b bool, nameB string) (s string) {
	if a {
		s += " " + nameA
	}
	if b {
		s += " " + nameB
	}
	return s
}

func outcome(c Completed) string {
	if c.Err != nil {
		return "error"
	}
	return fmt.Sprint(c.ID)
}

func TestMachine(t *testing.T) {
	second := func(f func(*Config)) Config {
		c := DefaultConfig()
		c.Interval = time.Second
		if f != nil {
			f(&c)
		}
		return c
	}
	never := second(func(c *Config) { c.Interval = 0 })
	for _, c := range []struct {
		name   string
		config Config
		script []at
	}{
		{"periodic", second(nil), []at{
			{999, Tick{}, ""},
			{1000, Tick{}, "inject 1"},
			{1100, ack(1, src0), ""},
			{1100, ack(1, sum), ""},
			{1200, ack(1, src1), "commit 1"},
			{1300, ManifestCommitted{1}, "committed 1"},
			{1999, Tick{}, ""},
			{2000, Tick{}, "inject 2"},
		}},
		{"one that could not begin in time begins as soon as it can", second(nil), []at{
			{1000, Tick{}, "inject 1"},
			{2500, Tick{}, ""},
			{2600, ack(1, src0), ""},
			{2600, ack(1, src1), ""},
			{2600, ack(1, sum), "commit 1"},
			{2700, ManifestCommitted{1}, "committed 1, inject 2"},
		}},
		{"min-pause", second(func(c *Config) { c.MinPause = 700 * time.Millisecond }), []at{
			{1000, Tick{}, "inject 1"},
			{1500, ack(1, src0), ""},
			{1500, ack(1, src1), ""},
			{1500, ack(1, sum), "commit 1"},
			{1500, ManifestCommitted{1}, "committed 1"},
			{2100, Tick{}, ""},
			{2200, Tick{}, "inject 2"},
		}},
		{"two at once", second(func(c *Config) { c.MaxConcurrent = 2 }), []at{
			{1000, Tick{}, "inject 1"},
			{2000, Tick{}, "inject 2"},
			{3000, Tick{}, ""},
			{3100, ack(1, src0), ""},
			{3100, ack(2, src0), ""},
			{3100, ack(1, src1), ""},
			{3100, ack(1, sum), "commit 1"},
			{3200, ack(2, src1), ""},
			{3200, ack(2, sum), ""},
			{3300, ManifestCommitted{1}, "committed 1, commit 2, inject 3"},
			{3400, ManifestCommitted{2}, "committed 2"},
		}},
		{"a complete one supersedes older ones", second(func(c *Config) { c.MaxConcurrent = 2 }), []at{
			{900, Triggered{Request: 7}, "inject 1"},
			{1000, Tick{}, "inject 2"},
			{1100, ack(2, src0), ""},
			{1100, ack(2, src1), ""},
			{1100, ack(2, sum), "commit 2"},
			{1200, ManifestCommitted{2}, "aborted 1, request 7: 2, committed 2"},
			{1300, ack(1, src0), ""},
		}},
		{"superseded while aligning is no failure", second(func(c *Config) { c.MaxConcurrent = 2 }), []at{
			{900, Triggered{Request: 7}, "inject 1"},
			{1000, Tick{}, "inject 2"},
			{1100, Declined{sum, 1, ErrSuperseded}, "aborted 1"},
			{1200, ack(2, src0), ""},
			{1200, ack(2, src1), ""},
			{1200, ack(2, sum), "commit 2"},
			{1300, ManifestCommitted{2}, "committed 2, request 7: 2"},
		}},
		{"the first failure fails the job", second(nil), []at{
			{1000, Tick{}, "inject 1"},
			{1100, Declined{sum, 1, errDisk}, "aborted 1, fail"},
			{1200, ack(1, src0), ""},
			{2000, Tick{}, ""},
			{2000, Triggered{Request: 3}, "request 3: error"},
		}},
		{"tolerated failures are counted in a row", second(func(c *Config) { c.TolerableFailures = 1 }), []at{
			{1000, Tick{}, "inject 1"},
			{1100, Declined{sum, 1, errDisk}, "aborted 1"},
			{1100, Declined{src0, 1, errDisk}, ""},
			{2000, Tick{}, "inject 2"},
			{2100, ack(2, src0), ""},
			{2100, ack(2, src1), ""},
			{2100, ack(2, sum), "commit 2"},
			{2100, ManifestCommitted{2}, "committed 2"},
			{3000, Tick{}, "inject 3"},
			{3100, Declined{sum, 3, errDisk}, "aborted 3"},
			{4000, Tick{}, "inject 4"},
			{4100, Declined{sum, 4, errDisk}, "aborted 4, fail"},
		}},
		{"expired counts as failed", second(func(c *Config) { c.Timeout = 300 * time.Millisecond }), []at{
			{1000, Tick{}, "inject 1"},
			{1299, Tick{}, ""},
			{1300, Tick{}, "aborted 1, fail"},
		}},
		{"a commit under way does not expire", second(func(c *Config) { c.Timeout = 300 * time.Millisecond }), []at{
			{1000, Tick{}, "inject 1"},
			{1100, ack(1, src0), ""},
			{1100, ack(1, src1), ""},
			{1100, ack(1, sum), "commit 1"},
			{1500, Tick{}, ""},
			{1600, ManifestCommitted{1}, "committed 1"},
		}},
		{"one that waits for the commit of another does not expire", second(func(c *Config) {
			c.Timeout, c.MaxConcurrent = 1200*time.Millisecond, 2
		}), []at{
			{1000, Tick{}, "inject 1"},
			{2000, Tick{}, "inject 2"},
			{2100, ack(1, src0), ""},
			{2100, ack(1, src1), ""},
			{2100, ack(1, sum), "commit 1"},
			{2100, ack(2, src0), ""},
			{2100, ack(2, src1), ""},
			{2100, ack(2, sum), ""},
			{3500, Tick{}, ""},
			{3600, ManifestCommitted{1}, "committed 1, commit 2, inject 3"},
		}},
		{"a failed commit counts", second(func(c *Config) { c.TolerableFailures = 1 }), []at{
			{1000, Tick{}, "inject 1"},
			{1100, ack(1, src0), ""},
			{1100, ack(1, src1), ""},
			{1100, ack(1, sum), "commit 1"},
			{1200, CommitFailed{1, errDisk}, "aborted 1"},
		}},
		{"a fenced attempt fails whatever is tolerated", second(func(c *Config) { c.TolerableFailures = 9 }), []at{
			{1000, Tick{}, "inject 1"},
			{1001, InjectFailed{1, fmt.Errorf("reserve: %w", ErrFenced)}, "aborted 1, fail"},
		}},
		{"doubtful acknowledgements do not count", second(nil), []at{
			{1000, Tick{}, "inject 1"},
			{1100, ack(1, src0), ""},
			{1100, ack(1, src0), ""},
			{1100, ack(9, src1), ""},
			{1100, ack(1, TaskID{"other", 0}), ""},
			{1100, ack(1, sum), ""},
			{1100, ack(1, src1), "commit 1"},
			{1100, ManifestCommitted{9}, ""},
		}},
		{"requests that wait share a checkpoint", second(nil), []at{
			{100, Triggered{Request: 1}, "inject 1"},
			{200, Triggered{Request: 2}, ""},
			{300, Triggered{Request: 3}, ""},
			{400, ack(1, src0), ""},
			{400, ack(1, src1), ""},
			{400, ack(1, sum), "commit 1"},
			{500, ManifestCommitted{1}, "committed 1, request 1: 1, inject 2"},
			{600, ack(2, src0), ""},
			{600, ack(2, src1), ""},
			{600, ack(2, sum), "commit 2"},
			{700, ManifestCommitted{2}, "committed 2, request 2: 2, request 3: 2"},
		}},
		{"a request of a failed checkpoint is told", second(func(c *Config) { c.TolerableFailures = 1 }), []at{
			{100, Triggered{Request: 1}, "inject 1"},
			{200, Declined{sum, 1, errDisk}, "aborted 1, request 1: error"},
		}},
		{"the end of the input, without periodic checkpoints", never, []at{
			{5000, Tick{}, ""},
			{5000, SourceFinished{src0}, ""},
			{5000, SourceFinished{src0}, ""},
			{5000, SourceFinished{sum}, ""},
			{6000, SourceFinished{src1}, "inject 1 stop"},
			{6100, ack(1, src0), ""},
			{6100, ack(1, src1), ""},
			{6100, ack(1, sum), "commit 1 final"},
			{6200, ManifestCommitted{1}, "committed 1, done final"},
			{9000, Tick{}, ""},
			{9000, Triggered{Request: 1}, "request 1: error"},
		}},
		{"the last one waits for those under way", second(func(c *Config) { c.MaxConcurrent = 2 }), []at{
			{1000, Tick{}, "inject 1"},
			{1100, SourceFinished{src0}, ""},
			{1100, SourceFinished{src1}, ""},
			{2000, Tick{}, ""},
			{2100, ack(1, src0), ""},
			{2100, ack(1, src1), ""},
			{2100, ack(1, sum), "commit 1"},
			{2200, Triggered{Request: 1}, ""},
			{2300, ManifestCommitted{1}, "committed 1, inject 2 stop"},
			{2400, Triggered{Request: 2}, ""},
			{2500, ack(2, src0), ""},
			{2500, ack(2, src1), ""},
			{2500, ack(2, sum), "commit 2 final"},
			{2600, ManifestCommitted{2}, "committed 2, request 1: 2, done final, request 2: 2"},
		}},
		{"a failed last one is tried again", second(func(c *Config) { c.TolerableFailures = 1 }), []at{
			{100, SourceFinished{src0}, ""},
			{100, SourceFinished{src1}, "inject 1 stop"},
			{200, Declined{sum, 1, errDisk}, "aborted 1"},
			{1100, Tick{}, ""},
			{1200, Tick{}, "inject 2 stop"},
		}},
		{"stop on request", second(nil), []at{
			{100, Triggered{Request: 1, Stop: true, Drain: true}, "inject 1 stop drain"},
			{1500, Tick{}, ""},
			{1600, ack(1, src0), ""},
			{1600, ack(1, src1), ""},
			{1600, ack(1, sum), "commit 1"},
			{1700, ManifestCommitted{1}, "committed 1, request 1: 1, done"},
		}},
		{"a stop that fails lets the job go on", second(func(c *Config) { c.TolerableFailures = 1 }), []at{
			{100, Triggered{Request: 1, Stop: true}, "inject 1 stop"},
			{200, Declined{sum, 1, errDisk}, "aborted 1, request 1: error"},
			{1000, Tick{}, "inject 2"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := NewMachine(c.config, trio, trio[:2], 1, start)
			for i, s := range c.script {
				var effects []Effect
				m, effects = m.Step(start.Add(time.Duration(s.ms)*time.Millisecond), s.event)
				if got := describe(effects); got != s.want {
					t.Fatalf("step %d, %T at %d ms: %q, expected %q", i, s.event, s.ms, got, s.want)
				}
			}
		})
	}
}

func TestMachineAsksToBeWoken(t *testing.T) {
	type wake struct {
		ms    int
		event Event
		want  []int
	}
	for name, script := range map[string][]wake{
		"periodic": {
			{0, Tick{}, []int{10_000}},
			{1, Tick{}, nil},
			{2, Triggered{Request: 1}, []int{4002}}, // its timeout
			{3, ack(1, src0), nil},
			{4, ack(1, src1), nil},
			{5, ack(1, sum), nil}, // a commit is waited for
			{6, ManifestCommitted{1}, []int{10_000}},
		},
		"last one tried again": {
			{0, SourceFinished{src0}, []int{10_000}},
			{1, SourceFinished{src1}, []int{4001}},
			{2, Declined{sum, 1, errDisk}, []int{1002}},
			{1002, Tick{}, []int{5002}},
		},
	} {
		c := DefaultConfig()
		c.Timeout, c.TolerableFailures = 4*time.Second, 1
		m := NewMachine(c, trio, trio[:2], 1, start)
		for _, s := range script {
			var effects []Effect
			m, effects = m.Step(start.Add(time.Duration(s.ms)*time.Millisecond), s.event)
			var got []int
			for _, e := range effects {
				if w, ok := e.(WakeAt); ok {
					got = append(got, int(w.Time.Sub(start)/time.Millisecond))
				}
			}
			if !slices.Equal(got, s.want) {
				t.Errorf("%s: %T at %d ms: wakes at %v, expected %v", name, s.event, s.ms, got, s.want)
			}
		}
	}
}

// TestMachineValuesAreIndependent takes two ways from the same machine.
func TestMachineValuesAreIndependent(t *testing.T) {
	tasks := append(slices.Clone(trio), TaskID{"sum", 1}, TaskID{"sum", 2})
	m := NewMachine(DefaultConfig(), tasks, trio[:2], 1, start)
	m, _ = m.Step(start, Triggered{Request: 1})
	for _, task := range tasks[:3] {
		m, _ = m.Step(start, ack(1, task))
	}
	one, _ := m.Step(start, ack(1, tasks[3]))
	other, _ := m.Step(start, ack(1, tasks[4]))
	if one.running[0].acks[3].Task != tasks[3] || other.running[0].acks[3].Task != tasks[4] {
		t.Errorf("the machines share acknowledgements: %v, %v", one.running[0].acks[3].Task, other.running[0].acks[3].Task)
	}
}

func TestMachineCommitsInTaskOrder(t *testing.T) {
	m := NewMachine(DefaultConfig(), trio, trio[:2], 41, start)
	m, _ = m.Step(start, Triggered{Request: 1})
	m, _ = m.Step(start, ack(41, sum))
	if p := m.Running(); len(p) != 1 || p[0] != (Progress{41, start, 1, 3}) {
		t.Errorf("running: %+v", p)
	}
	m, _ = m.Step(start, ack(41, src1))
	_, effects := m.Step(start, ack(41, src0))
	c := effects[0].(Commit)
	for i, want := range trio {
		if c.Tasks[i].Task != want {
			t.Errorf("task %d is %v, expected %v", i, c.Tasks[i].Task, want)
		}
	}
}

func TestMachineSaysWhyItFails(t *testing.T) {
	m := NewMachine(DefaultConfig(), trio, trio[:2], 1, start)
	m, _ = m.Step(start, Triggered{Request: 1})
	_, effects := m.Step(start, Declined{sum, 1, errDisk})
	for _, e := range effects {
		if f, ok := e.(FailJob); ok {
			if !errors.Is(f.Err, errDisk) || f.Err.Error() != "checkpoint 1 failed: task sum/0 declined: disk" {
				t.Errorf("failed with %q", f.Err)
			}
			return
		}
	}
	t.Error("the job did not fail")
}
