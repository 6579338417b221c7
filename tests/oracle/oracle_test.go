// Package oracle draws tables and queries at random, and wants of the engine what the rows, taken one at a time, say.
//
// The oracle knows nothing of batches, tasks, state or changes: a query is a loop over rows, an aggregate a loop over the rows of a
// group.
package oracle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestQueries runs drawn queries straight through.
func TestQueries(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		in := drawInput(r)
		q := query{T: r}
		sql, want := q.draw(in.table)
		script := drawSettings(r) + in.create + strings.Join(q.views, "") + sql + ";"
		w := newWorld(r, t, &in)
		defer w.end(r)
		got, err := w.run(t.Context(), script, want.scope, rapid.Bool().Draw(r, "final"))
		check(r, script, &in, want, got, err)
	})
}

// TestInterruptedJobs runs drawn queries as jobs that are cancelled again and again, each time at another moment.
func TestInterruptedJobs(t *testing.T) {
	interruptions := 0
	rapid.Check(t, func(r *rapid.T) {
		in := drawInput(r)
		q := query{T: r}
		sql, want := q.draw(in.table)
		w := newWorld(r, t, &in)
		defer w.end(r)
		tables := strings.Join(q.views, "") + sinkOf(want.scope)
		insert := "INSERT INTO result " + sql + ";"
		slow := "SET 'checkpoint.interval' = '1 ms';\n" + strings.Replace(in.create, "WITH (", "WITH ('scan.rows-per-second' = '1000', ", 1)
		for range 2 {
			script := drawSettings(r) + slow + tables + insert
			ended, err := w.interrupt(t.Context(), script, time.Duration(rand.IntN(12))*time.Millisecond)
			if err != nil {
				check(r, script, &in, want, nil, err)
			}
			if ended {
				insert = "" // a job that has finished would start anew
				break
			}
			interruptions++
		}
		script := drawSettings(r) + "SET 'table.dml-sync' = 'true';\n" + in.create + tables + insert + "SELECT * FROM result;"
		got, err := w.run(t.Context(), script, want.scope, true)
		check(r, script, &in, want, got, err)
	})
	if interruptions == 0 {
		t.Error("no job has been interrupted")
	}
}

func drawSettings(t *rapid.T) string {
	return fmt.Sprintf("SET 'parallelism.default' = '%d';\nSET 'exec.batch.rows' = '%d';\n",
		rapid.IntRange(1, 4).Draw(t, "parallelism"), rapid.SampledFrom([]int{1, 2, 3, 7, 4096}).Draw(t, "batch"))
}

// check compares a result with what is wanted.
func check(r *rapid.T, script string, in *input, want relation, got []string, err error) {
	slices.Sort(got)
	if err == nil && !slices.Equal(got, want.bag()) {
		err = errors.New("another result")
	}
	if err != nil {
		r.Fatalf("%v\n%s\n%s\nwant\n%s\ngot\n%s", err, script, strings.Join(in.files, "--\n"),
			strings.Join(want.bag(), "\n"), strings.Join(got, "\n"))
	}
}
