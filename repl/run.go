package repl

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/session"
)

// Run executes texts of statements one after the other, waits for the jobs they have started, and returns the exit status. A
// SIGINT or SIGTERM ends queries and lets jobs take a last checkpoint and stop; a second one ends them at once.
func Run(o Options, texts []session.Source) int {
	signals := catchInterrupts()
	defer signals.stop()
	ignoreClosedPipes()
	r := newRunner(o, signals, false)
	status := r.run(texts)
	return max(status, r.close())
}

// runner executes statements without a prompt.
type runner struct {
	*interrupts
	options Options
	console *console
	printer *printer
	engine  *session.Engine
	session *session.Session
}

func newRunner(o Options, signals *interrupts, persist bool) *runner {
	r := &runner{interrupts: signals, options: o, console: newConsole(o), engine: session.NewEngine(o.DataDir)}
	r.printer = &printer{out: o.Out, format: o.Format, screen: screenOf(o.Out), note: r.console.note}
	if persist {
		r.engine.Stay()
	}
	live := o.Format == Table && r.printer.screen != nil
	r.session = r.engine.NewSession(o.session(persist, live, r.console))
	return r
}

// run executes all texts and waits for their jobs.
func (r *runner) run(texts []session.Source) int {
	status := ExitOK
	for _, text := range texts {
		if status = r.execute(text); status != ExitOK {
			break
		}
	}
	if r.soft.Err() != nil || status != ExitOK {
		r.stopJobs()
	}
	return max(status, r.waitForJobs())
}

// execute runs the statements of a text until one fails.
func (r *runner) execute(text session.Source) int {
	for result, err := range r.session.Execute(r.soft, text) {
		if err == nil {
			err = r.show(result)
		}
		switch {
		case isClosedPipe(err):
			return ExitOK
		case r.soft.Err() != nil:
			return ExitInterrupted
		case err != nil:
			r.console.fail(err)
			return ExitFailed
		}
	}
	return ExitOK
}

// show prints a result.
func (r *runner) show(result *session.Result) error {
	if result.Message != "" && !result.Minor {
		r.console.note(result.Message)
	}
	if result.Rows == nil {
		return nil
	}
	if r.printer.screen == nil {
		end := r.console.progress(func() string { return statusLine(result.Rows.Progress()) })
		defer end()
	}
	_, err := r.printer.print(r.soft, result.Rows, settings.TimeZone.Of(r.session.Settings()))
	if skipped := leftOut(result.Rows.Progress()); err == nil && skipped != "" {
		r.console.note(skipped)
	}
	return err
}

// waitForJobs waits for the jobs of the session, and, if this process has the data directory, for those that others have started
// in it. When it is interrupted it lets them stop.
func (r *runner) waitForJobs() int {
	end := r.console.progress(r.jobLine)
	defer end()
	status := ExitOK
	for _, j := range r.session.Jobs() {
		select {
		case <-j.Done():
		case <-r.soft.Done():
			r.stopJobs()
		}
		status = max(status, r.report(j))
	}
	if others := r.engine.Running(); len(others) > 0 {
		r.console.note("waiting for jobs that other processes have started here: " + strings.Join(others, ", "))
	}
	if err := r.engine.Wait(r.soft); err != nil {
		return ExitInterrupted
	}
	return status
}

// report tells how a job has ended.
func (r *runner) report(j *session.Job) int {
	select {
	case <-j.Done():
	case <-r.hard.Done():
		return ExitInterrupted
	}
	status := j.Status()
	if err := j.Err(); err != nil {
		r.console.fail(fmt.Errorf("job %s: %w", j.Name, err))
		return ExitFailed
	}
	text := fmt.Sprintf("job %s %s: %s in, %s out", j.Name, strings.ToLower(string(status.State)), counted(status.RowsIn, "row"), counted(status.RowsOut, "row"))
	if status.Late > 0 {
		text += fmt.Sprintf(", %s late", count(status.Late))
	}
	if status.BadRecords > 0 {
		text += ", " + counted(status.BadRecords, "bad record")
	}
	if status.Checkpoint > 0 && status.State != job.Finished {
		text += fmt.Sprintf("; it goes on from checkpoint %d when it is started again", status.Checkpoint)
	}
	r.console.note(text)
	if r.soft.Err() != nil {
		return ExitInterrupted
	}
	return ExitOK
}

// stopJobs lets the jobs of the session take a last checkpoint and stop.
func (r *runner) stopJobs() {
	var stopping sync.WaitGroup
	for _, j := range r.session.Jobs() {
		select {
		case <-j.Done():
			continue
		default:
		}
		r.console.note(fmt.Sprintf("job %s takes a last checkpoint and stops; interrupt again to stop it at once", j.Name))
		stopping.Go(func() {
			if err := j.Stop(r.hard); err != nil && !isCancel(err) {
				r.console.fail(err)
			}
		})
	}
	stopping.Wait()
}

// jobLine is the progress of the first job that runs.
func (r *runner) jobLine() string {
	for _, j := range r.session.Jobs() {
		select {
		case <-j.Done():
		default:
			status := j.Status()
			return j.Name + ": " + statusLine(&status)
		}
	}
	return ""
}

// closeTimeout is how long the engine may take to end when nothing waits for it any more.
const closeTimeout = time.Minute

// close ends the session and the engine.
func (r *runner) close() int {
	ctx, cancel := context.WithTimeout(r.hard, closeTimeout)
	defer cancel()
	_ = r.session.Close()
	if err := r.engine.Close(ctx); err != nil && !isCancel(err) {
		r.console.fail(err)
		return ExitFailed
	}
	return ExitOK
}
