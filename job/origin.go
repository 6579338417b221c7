package job

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"streamsql/checkpoint"
	"streamsql/exec"
	"streamsql/plan"
)

// origin is where an attempt goes on from. The zero value is the beginning.
type origin struct {
	manifest *checkpoint.Manifest
	reader   checkpoint.ChunkReader
	log      string // the job whose log the manifest is in; "" for a savepoint
	job      string // the job that goes on
	state    map[string][]checkpoint.OperatorState
}

// id is the checkpoint's number, 0 for the beginning.
func (o origin) id() checkpoint.ID {
	if o.manifest == nil {
		return 0
	}
	return o.manifest.ID
}

// own is the checkpoint's number if it is one of the job's log.
func (o origin) own() checkpoint.ID {
	if o.foreign() {
		return 0
	}
	return o.id()
}

// foreign reports whether the state is not in the job's own log, so that all of it has to be written anew.
func (o origin) foreign() bool { return o.manifest != nil && o.log != o.job }

// seed is what the random functions go on with: fresh at the beginning, and for a job that takes over the state of another one,
// whose numbers it must not draw a second time.
func (o origin) seed(fresh uint64) uint64 {
	if o.manifest == nil || o.manifest.Job != o.job {
		return fresh
	}
	return o.manifest.Seed
}

func (o origin) restore(options *exec.Options) {
	if o.manifest == nil {
		return
	}
	options.Restored, options.Read, options.Foreign = o.state, o.reader.Read, o.foreign()
	options.RestoredID = o.own()
}

// origin finds where the job goes on from, and checks that its plan can take over the state.
func (j *Job) origin(r Restore) (origin, error) {
	o := origin{job: j.spec.Name, log: j.spec.Name, reader: j.log.Reader()}
	var err error
	switch {
	case r.Fresh:
		return o, nil
	case r.Savepoint != "":
		o.log = ""
		o.manifest, o.reader, err = checkpoint.OpenSavepoint(r.Savepoint)
	case r.Checkpoint != 0:
		o.manifest, err = j.log.Get(r.Checkpoint)
	default:
		o.manifest, err = j.newest()
	}
	if err != nil || o.manifest == nil {
		return o, err
	}
	if o.state, err = fit(o.manifest, j.spec.Graph, r.Mismatch); err != nil {
		return o, err
	}
	if o.foreign() {
		j.notice("job %s starts from the savepoint %s", j.spec.Name, r.Savepoint)
	} else {
		j.notice("job %s goes on from checkpoint %d, taken %s ago", j.spec.Name, o.id(), age(o.manifest.Created))
	}
	return o, nil
}

func age(t time.Time) time.Duration {
	d := time.Since(t)
	if d > 10*time.Second {
		return d.Round(time.Second)
	}
	return d.Round(time.Millisecond)
}

// newest is the newest whole checkpoint of a job that has not finished, nil if there is none.
func (j *Job) newest() (*checkpoint.Manifest, error) {
	m, skipped, err := j.log.Newest()
	if errors.Is(err, checkpoint.ErrNoCheckpoint) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, s := range skipped {
		j.warn("job %s: skipped %s", j.spec.Name, s)
	}
	return m, nil
}

// fit gives each operator of the plan the state that was kept under its name. State that has no place, and operators that
// find none, are refused with the list of all of them, unless they are to be ignored.
func fit(m *checkpoint.Manifest, g *plan.Graph, mismatch Mismatch) (map[string][]checkpoint.OperatorState, error) {
	now := map[string]string{}
	for _, o := range operators(g) {
		now[o.Operator] = o.Signature
	}
	var differences []string
	kept := map[string]bool{}
	for _, was := range m.Plan.Operators {
		signature, there := now[was.Operator]
		switch {
		case !there:
			differences = append(differences, fmt.Sprintf("%s is gone: %s", was.Operator, was.Description))
		case signature != was.Signature:
			differences = append(differences, fmt.Sprintf("%s has changed: %s", was.Operator, change(was.Signature, signature)))
		default:
			kept[was.Operator] = true
		}
		delete(now, was.Operator)
	}
	for _, o := range operators(g) {
		if _, isNew := now[o.Operator]; isNew {
			differences = append(differences, fmt.Sprintf("%s is new: %s", o.Operator, o.Description))
		}
	}
	if len(differences) > 0 && mismatch == Refuse {
		return nil, &MismatchError{m.Job, m.ID, differences}
	}
	state := map[string][]checkpoint.OperatorState{}
	for _, t := range m.Tasks {
		for _, o := range t.Operators {
			if kept[o.Operator] || o.Signature == "" {
				state[o.Operator] = append(state[o.Operator], o)
			}
		}
	}
	return state, nil
}

// change names what is gone from a signature and what has come.
func change(was, now string) string {
	gone, added := plan.Difference(was, now)
	var parts []string
	for _, l := range gone {
		parts = append(parts, "without "+l)
	}
	for _, l := range added {
		parts = append(parts, "with "+l)
	}
	return strings.Join(parts, ", ")
}

// MismatchError says that the plan has changed since the state it is to go on from was kept.
type MismatchError struct {
	Job         string
	Checkpoint  checkpoint.ID
	Differences []string
}

// Error lists what differs and says what can be done.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("the query has changed since checkpoint %d of job %s:\n  %s\nrun the query that the state belongs to, start over "+
		"with --fresh, or drop the state that does not fit: with SET 'recovery.ignore-unclaimed' = 'true', or in a RESTORE "+
		"WITH ('on.mismatch' = 'ignore')", e.Checkpoint, e.Job, strings.Join(e.Differences, "\n  "))
}
