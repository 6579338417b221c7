package session

import (
	"fmt"

	"streamsql/connector"
	"streamsql/job"
	"streamsql/plan"
)

// placeTakenError says that a job writes to a place that takes one writer.
type placeTakenError struct{ place, job string }

func (e *placeTakenError) Error() string {
	return fmt.Sprintf("%s is being written by job '%s'", e.place, e.job)
}

// places names what the sinks of a job write to and no other job may write to at the same time. What is wrong with a sink is left for
// the start of the job to tell.
func places(spec job.Spec) (taken []string) {
	for _, v := range spec.Graph.Vertices {
		op, ok := v.Op.(*plan.Sink)
		if !ok {
			continue
		}
		sink, err := connector.NewSink(connector.SinkSpec{Table: op.Table, Schema: v.Schema, Job: spec.Name})
		if err != nil {
			continue
		}
		if e, ok := sink.(connector.Exclusive); ok && e.Place() != "" {
			taken = append(taken, e.Place())
		}
	}
	return taken
}
