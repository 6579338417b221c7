package checkpoint

import (
	"errors"
	"time"
)

// ErrSuperseded is the reason a task declines a checkpoint whose alignment a newer barrier has ended. It is not a failure.
var ErrSuperseded = errors.New("superseded by a newer checkpoint")

// ErrExpired is the reason of a checkpoint that took longer than the timeout.
var ErrExpired = errors.New("checkpoint timed out")

// ErrEnded is what becomes of a request when the job fails before it was served.
var ErrEnded = errors.New("the job has ended")

// Event is something that happened to a job's checkpoints. See Machine.Step.
type Event interface{ event() }

// Tick says nothing but what time it is.
type Tick struct{}

// RequestID names a request of the user.
type RequestID uint64

// Triggered is a request for a checkpoint: by itself, as the base of a savepoint or, with Stop, as the job's last one.
type Triggered struct {
	Request RequestID
	Stop    bool
	Drain   bool // with Stop: see Barrier
}

// Acked says that the task's share of a checkpoint is durable.
type Acked struct {
	ID    ID
	State TaskState
}

// Declined says that the task cannot take part in the checkpoint.
type Declined struct {
	Task TaskID
	ID   ID
	Err  error
}

// SourceFinished says that the source task has read all of its input.
type SourceFinished struct{ Task TaskID }

// ManifestCommitted says that the checkpoint's manifest is durable.
type ManifestCommitted struct{ ID ID }

// CommitFailed says that the checkpoint's manifest could not be committed.
type CommitFailed struct {
	ID  ID
	Err error
}

// InjectFailed says that the checkpoint's barrier could not be sent, because its id could not be reserved.
type InjectFailed struct {
	ID  ID
	Err error
}

func (Tick) event()              {}
func (Triggered) event()         {}
func (Acked) event()             {}
func (Declined) event()          {}
func (SourceFinished) event()    {}
func (ManifestCommitted) event() {}
func (CommitFailed) event()      {}
func (InjectFailed) event()      {}

// Effect is something to be done now. See Machine.Step.
type Effect interface{ effect() }

// Inject reserves the barrier's id (Log.Reserve) and sends the barrier to every source task.
type Inject struct{ Barrier Barrier }

// Commit commits the manifest of a checkpoint all tasks have acknowledged and reports ManifestCommitted or CommitFailed.
type Commit struct {
	ID    ID
	Began time.Time
	Tasks []TaskState // in the order of the machine's tasks
	Final bool        // all input has been read
}

// NotifyCommitted tells every task that the checkpoint is complete.
type NotifyCommitted struct{ ID ID }

// NotifyAborted tells every task that the checkpoint is given up: those that align for it go on. What they have written or
// prepared for it stays theirs and goes into the next one.
type NotifyAborted struct {
	ID     ID
	Reason error
}

// Completed answers a request: with the checkpoint that serves it, or with the reason there is none.
type Completed struct {
	Request RequestID
	ID      ID
	Err     error
}

// FailJob ends the attempt with an error. No effect follows but Completed.
type FailJob struct{ Err error }

// Done ends the job: its last checkpoint is complete and every task has been told. No effect follows but Completed.
type Done struct {
	Final bool // all input has been read; otherwise the job was stopped
}

// WakeAt asks for a Tick at that time. It replaces the WakeAt before it.
type WakeAt struct{ Time time.Time }

func (Inject) effect()          {}
func (Commit) effect()          {}
func (NotifyCommitted) effect() {}
func (NotifyAborted) effect()   {}
func (Completed) effect()       {}
func (FailJob) effect()         {}
func (Done) effect()            {}
func (WakeAt) effect()          {}
