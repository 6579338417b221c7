package checkpoint

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// world runs a machine against tasks and a store that answer in any order, and checks what must always hold.
type world struct {
	m       Machine
	config  Config
	tasks   []TaskID
	sources []TaskID
	now     time.Time

	injected  []Barrier
	open      map[ID]map[TaskID]bool // injected and not ended: the tasks that have acknowledged
	commits   map[ID]bool            // commit asked for and not answered
	committed ID
	requests  map[RequestID]bool // asked and not answered
	next      RequestID
	finished  map[TaskID]bool
	ended     bool
	wake      time.Time
}

func newWorld(t *rapid.T) *world {
	w := &world{
		config: Config{
			Interval:          time.Duration(rapid.IntRange(0, 5).Draw(t, "interval")) * time.Second,
			Mode:              ExactlyOnce,
			Timeout:           time.Duration(rapid.IntRange(1, 20).Draw(t, "timeout")) * time.Second,
			MinPause:          time.Duration(rapid.IntRange(0, 3).Draw(t, "pause")) * time.Second,
			MaxConcurrent:     rapid.IntRange(1, 3).Draw(t, "concurrent"),
			TolerableFailures: rapid.IntRange(0, 4).Draw(t, "tolerable"),
			Retained:          1,
		},
		now:      start,
		open:     map[ID]map[TaskID]bool{},
		commits:  map[ID]bool{},
		requests: map[RequestID]bool{},
		finished: map[TaskID]bool{},
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "sources") {
		w.sources = append(w.sources, TaskID{"source", i})
	}
	w.tasks = slices.Clone(w.sources)
	for i := range rapid.IntRange(0, 2).Draw(t, "others") {
		w.tasks = append(w.tasks, TaskID{"sum", i})
	}
	w.m = NewMachine(w.config, w.tasks, w.sources, 1, w.now)
	return w
}

// step feeds the machine an event and checks each effect as it comes.
func (w *world) step(t *rapid.T, e Event) {
	before := w.m
	next, effects := w.m.Step(w.now, e)
	again, sameEffects := before.Step(w.now, e)
	if !reflect.DeepEqual(next, again) || !reflect.DeepEqual(effects, sameEffects) {
		t.Fatalf("%T: a second Step of the same machine differs", e)
	}
	w.m = next
	wasEnded := w.ended
	for _, effect := range effects {
		if _, isAnswer := effect.(Completed); wasEnded && !isAnswer {
			t.Fatalf("%T after the end", effect)
		}
		w.check(t, effect)
	}
	if got := len(w.m.Running()); got > w.config.MaxConcurrent {
		t.Fatalf("%d checkpoints under way", got)
	}
}

func (w *world) check(t *rapid.T, e Effect) {
	switch e := e.(type) {
	case Inject:
		w.checkInject(t, e.Barrier)
	case Commit:
		if acks := w.open[e.ID]; len(acks) != len(w.tasks) || len(e.Tasks) != len(w.tasks) || len(w.commits) > 0 {
			t.Fatalf("commit of %d with %d acknowledgements, %d commits under way", e.ID, len(acks), len(w.commits))
		}
		w.commits[e.ID] = true
	case NotifyCommitted:
		if e.ID != w.committed {
			t.Fatalf("%d is called committed, but %d was", e.ID, w.committed)
		}
		w.close(t, e.ID)
	case NotifyAborted:
		if e.ID == w.committed {
			t.Fatalf("%d was aborted after it was committed", e.ID)
		}
		w.close(t, e.ID)
	case Completed:
		if !w.requests[e.Request] {
			t.Fatalf("request %d was answered twice", e.Request)
		}
		if delete(w.requests, e.Request); e.Err == nil && e.ID != w.committed {
			t.Fatalf("request %d is served by %d, but %d was committed", e.Request, e.ID, w.committed)
		}
	case FailJob:
		w.ended = true
	case Done:
		if last := w.injected[len(w.injected)-1]; !last.Stop || w.committed != last.ID || len(w.open) > 0 {
			t.Fatalf("done after %+v with %d committed and %d under way", last, w.committed, len(w.open))
		}
		w.ended = true
	case WakeAt:
		if !e.Time.After(w.now) {
			t.Fatalf("asks to be woken in the past")
		}
		w.wake = e.Time
	}
}

func (w *world) checkInject(t *rapid.T, b Barrier) {
	if n := len(w.injected); n > 0 {
		last := w.injected[n-1]
		if b.ID <= last.ID {
			t.Fatalf("id %d after %d", b.ID, last.ID)
		}
		if _, open := w.open[last.ID]; open && last.Stop {
			t.Fatalf("%d was injected behind the last barrier", b.ID)
		}
	}
	if b.Stop && len(w.open) > 0 || len(w.open) >= w.config.MaxConcurrent {
		t.Fatalf("%+v was injected with %d under way", b, len(w.open))
	}
	w.injected = append(w.injected, b)
	w.open[b.ID] = map[TaskID]bool{}
}

func (w *world) close(t *rapid.T, id ID) {
	if _, ok := w.open[id]; !ok {
		t.Fatalf("checkpoint %d ended twice, or never began", id)
	}
	delete(w.open, id)
	delete(w.commits, id)
}

// pick draws one of the checkpoints under way, or false.
func (w *world) pick(t *rapid.T) (ID, bool) {
	ids := make([]ID, 0, len(w.open))
	for id := range w.open {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return 0, false
	}
	slices.Sort(ids)
	return rapid.SampledFrom(ids).Draw(t, "checkpoint"), true
}

// ack acknowledges; the machine must count it exactly once.
func (w *world) ack(t *rapid.T, id ID, task TaskID) {
	if acks, ok := w.open[id]; ok {
		acks[task] = true
	}
	w.step(t, Acked{ID: id, State: TaskState{Task: task}})
	for _, p := range w.m.Running() {
		if p.Acked != len(w.open[p.ID]) {
			t.Fatalf("checkpoint %d counts %d of %d acknowledgements", p.ID, p.Acked, len(w.open[p.ID]))
		}
	}
}

func (w *world) answerCommit(t *rapid.T, ok bool) {
	for id := range w.commits {
		delete(w.commits, id)
		if !ok {
			w.step(t, CommitFailed{id, errDisk})
			return
		}
		w.committed = id
		w.step(t, ManifestCommitted{id})
		return
	}
}

func (w *world) request(t *rapid.T, stop bool) {
	w.next++
	w.requests[w.next] = true
	w.step(t, Triggered{Request: w.next, Stop: stop})
}

// settle answers everything as soon as it can be, until nothing is left to answer.
func (w *world) settle(t *rapid.T) {
	for range 10_000 {
		if w.ended || len(w.open) == 0 && len(w.requests) == 0 && len(w.finished) < len(w.sources) {
			return
		}
		w.settleOne(t)
	}
	t.Fatalf("not settled: under way %v, requests %v", w.open, w.requests)
}

func (w *world) settleOne(t *rapid.T) {
	if len(w.commits) > 0 {
		w.answerCommit(t, true)
		return
	}
	for id, acks := range w.open {
		for _, task := range w.tasks {
			if !acks[task] {
				w.ack(t, id, task)
				return
			}
		}
	}
	if w.wake.After(w.now) {
		w.now = w.wake
	}
	w.step(t, Tick{})
}

func TestMachineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.step(t, Tick{})
		t.Repeat(map[string]func(*rapid.T){
			"time passes": func(t *rapid.T) {
				w.now = w.now.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, "ms")) * time.Millisecond)
				w.step(t, Tick{})
			},
			"wake": func(t *rapid.T) {
				if w.wake.After(w.now) {
					w.now = w.wake
				}
				w.step(t, Tick{})
			},
			"ack": func(t *rapid.T) {
				if id, ok := w.pick(t); ok {
					w.ack(t, id, rapid.SampledFrom(w.tasks).Draw(t, "task"))
				}
			},
			"late ack": func(t *rapid.T) {
				id := ID(rapid.IntRange(0, len(w.injected)+1).Draw(t, "id"))
				if _, open := w.open[id]; !open {
					w.ack(t, id, w.tasks[0])
				}
			},
			"all ack": func(t *rapid.T) {
				id, _ := w.pick(t)
				for _, task := range w.tasks {
					w.ack(t, id, task)
				}
			},
			"decline": func(t *rapid.T) {
				if id, ok := w.pick(t); ok {
					reason := rapid.SampledFrom([]error{errDisk, ErrSuperseded, ErrSuperseded}).Draw(t, "reason")
					w.step(t, Declined{w.tasks[0], id, reason})
				}
			},
			"commit":       func(t *rapid.T) { w.answerCommit(t, true) },
			"commit fails": func(t *rapid.T) { w.answerCommit(t, rapid.IntRange(0, 3).Draw(t, "fails") > 0) },
			"request":      func(t *rapid.T) { w.request(t, false) },
			"stop":         func(t *rapid.T) { w.request(t, rapid.IntRange(0, 5).Draw(t, "stop") == 0) },
			"source finishes": func(t *rapid.T) {
				if rapid.IntRange(0, 3).Draw(t, "finishes") == 0 {
					task := rapid.SampledFrom(w.sources).Draw(t, "source")
					w.finished[task] = true
					w.step(t, SourceFinished{task})
				}
			},
		})
		w.settle(t)
		if len(w.requests) > 0 {
			t.Fatalf("requests %v were never answered", w.requests)
		}
	})
}

// TestMachineEndsWithTheInput checks that, whatever went before, finished sources lead to Done.
func TestMachineEndsWithTheInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for i := range rapid.IntRange(0, 20).Draw(t, "seconds") {
			w.now = w.now.Add(time.Second)
			w.step(t, Tick{})
			if i%3 == 0 {
				w.request(t, false)
			}
		}
		for _, s := range w.sources {
			w.finished[s] = true
			w.step(t, SourceFinished{s})
		}
		w.settle(t)
		if last := w.injected; !w.ended || len(last) == 0 {
			t.Fatal(fmt.Sprint("not ended after ", last))
		}
	})
}
