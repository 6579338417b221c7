package job

import (
	"errors"
	"fmt"

	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/storage"
)

// isPermanent reports whether an error would come again however often the job were restarted: it is in the data or the query, or the
// job's state is gone.
func isPermanent(err error) bool {
	var value *expr.EvalError
	return connector.IsPermanent(err) || errors.As(err, &value) || errors.Is(err, storage.ErrDeleted)
}

// explain says what to do about an error of building the tasks, where there is something.
func explain(err error) error {
	var missing *connector.MissingOutput
	if !errors.As(err, &missing) {
		return err
	}
	return fmt.Errorf("%w\nif the output was moved away, or the job is to go on in another place without the rows of before, start it once with "+
		"SET 'recovery.ignore-missing-output' = 'true', or restore it WITH ('recovery.ignore-missing-output' = 'true')", err)
}
