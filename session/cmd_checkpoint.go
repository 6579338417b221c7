package session

import (
	"context"
	"fmt"
	"time"

	"streamsql/checkpoint"
	"streamsql/parser"
)

func init() {
	register(runCheckpointJob, Command{"CHECKPOINT JOB j", "take a checkpoint now"})
}

func runCheckpointJob(ctx context.Context, s *Session, st statement, c *parser.CheckpointJob) (*Result, error) {
	run, err := s.runningJob(st, c.Job)
	if err != nil {
		return nil, err
	}
	id, err := run.Checkpoint(ctx)
	if err != nil {
		return nil, fmt.Errorf("checkpoint of job '%s': %w", run.record.Name, err)
	}
	g := s.newGrid(textField("job"), numberField("checkpoint"))
	g.add(run.record.Name, int64(id))
	return g.result(), nil
}

// showCheckpoints lists the retained checkpoints of a job, with what the slowest of its tasks took.
func showCheckpoints(s *Session, st statement, show *parser.Show) (*Result, error) {
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	r, err := s.jobRecord(st, store, *show.Job)
	if err != nil {
		return nil, err
	}
	log, err := checkpoint.OpenLog(store, r.Name)
	if err != nil {
		return nil, err
	}
	manifests, damaged, err := log.List()
	if err != nil {
		return nil, err
	}
	g := s.newGrid(numberField("checkpoint"), timeField("created"), numberField("duration_ms"), numberField("alignment_ms"),
		numberField("sync_ms"), numberField("async_ms"), numberField("bytes"), numberField("attempt"), numberField("tasks"), textField("note"))
	for _, m := range manifests {
		slowest := slowestTask(m)
		g.add(int(m.ID), m.Created, m.Duration.Milliseconds(), millis(slowest.Alignment), millis(slowest.Sync), millis(slowest.Async),
			m.Bytes, int(m.Attempt), len(m.Tasks), finalNote(m))
	}
	for _, d := range damaged {
		g.add(int(d.ID), nil, nil, nil, nil, nil, nil, nil, nil, d.Reason.Error())
	}
	return g.result(), nil
}

func millis(nanoseconds int64) int64 { return time.Duration(nanoseconds).Milliseconds() }

// slowestTask is the longest time that any task took for each part of the checkpoint.
func slowestTask(m *checkpoint.Manifest) checkpoint.Timing {
	var slowest checkpoint.Timing
	for _, t := range m.Tasks {
		slowest.Alignment = max(slowest.Alignment, t.Timing.Alignment)
		slowest.Sync = max(slowest.Sync, t.Timing.Sync)
		slowest.Async = max(slowest.Async, t.Timing.Async)
	}
	return slowest
}

func finalNote(m *checkpoint.Manifest) string {
	if m.Final {
		return "the job has read all its input"
	}
	return ""
}
