package connector

import "errors"

// permanent marks an error.
type permanent struct{ error }

func (e permanent) Unwrap() error { return e.error }

// Permanent marks an error that would come again however often the job were restarted, such as an input that has been replaced.
func Permanent(err error) error { return permanent{err} }

// IsPermanent reports whether the error is marked, or is that of a bad record.
func IsPermanent(err error) bool {
	var mark permanent
	var record BadRecord
	return errors.As(err, &mark) || errors.As(err, &record)
}
