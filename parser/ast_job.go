package parser

// PauseJob is PAUSE JOB job. Jobs are named by a word or a string.
type PauseJob struct {
	Span
	Job Text
}

// ResumeJob is RESUME JOB job.
type ResumeJob struct {
	Span
	Job Text
}

// CancelJob is CANCEL JOB job.
type CancelJob struct {
	Span
	Job Text
}

// StopJob is STOP JOB job [WITH SAVEPOINT ['name']] [WITH DRAIN]; Name is nil if not given.
type StopJob struct {
	Span
	Job       Text
	Savepoint bool
	Name      *Text
	Drain     bool
}

// AlterJob is ALTER JOB job SET ('key' = 'value', …).
type AlterJob struct {
	Span
	Job Text
	Set []Property
}

// CheckpointJob is CHECKPOINT JOB job.
type CheckpointJob struct {
	Span
	Job Text
}

// CreateSavepoint is CREATE SAVEPOINT ['name'] FOR JOB job [TO 'dir']; Name and Dir are nil if not
// given.
type CreateSavepoint struct {
	Span
	Name *Text
	Job  Text
	Dir  *Text
}

// DropSavepoint is DROP SAVEPOINT 'name'.
type DropSavepoint struct {
	Span
	Savepoint Text
}

// DescribeSavepoint is DESCRIBE SAVEPOINT 'name' or 'dir'.
type DescribeSavepoint struct {
	Span
	Savepoint Text
}

// VerifySavepoint is VERIFY SAVEPOINT 'name' or 'dir'.
type VerifySavepoint struct {
	Span
	Savepoint Text
}

// RestoreKind is where state is restored from.
type RestoreKind string

// Where state is restored from.
const (
	FromSavepoint  RestoreKind = "SAVEPOINT"
	FromCheckpoint RestoreKind = "CHECKPOINT"
	FromLatest     RestoreKind = "LATEST"
)

// RestorePoint is SAVEPOINT 'name' or 'dir', CHECKPOINT n, or LATEST.
type RestorePoint struct {
	Span
	Kind       RestoreKind
	Savepoint  Text  // of FromSavepoint
	Checkpoint int64 // of FromCheckpoint
}

// RestoreJob is RESTORE JOB job FROM point [AS job] [WITH (…)] [DRY RUN]; As is nil if not given.
type RestoreJob struct {
	Span
	Job    Text
	From   RestorePoint
	As     *Text
	With   []Property
	DryRun bool
}

// RestoreInsert is RESTORE FROM SAVEPOINT 'name' [WITH (…)] followed by an Insert or a StatementSet,
// which takes over the state of the savepoint.
type RestoreInsert struct {
	Span
	Savepoint Text
	With      []Property
	Stmt      Stmt
}

func (*PauseJob) stmt()          {}
func (*ResumeJob) stmt()         {}
func (*CancelJob) stmt()         {}
func (*StopJob) stmt()           {}
func (*AlterJob) stmt()          {}
func (*CheckpointJob) stmt()     {}
func (*CreateSavepoint) stmt()   {}
func (*DropSavepoint) stmt()     {}
func (*DescribeSavepoint) stmt() {}
func (*VerifySavepoint) stmt()   {}
func (*RestoreJob) stmt()        {}
func (*RestoreInsert) stmt()     {}
