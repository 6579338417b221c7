package job

import (
	"errors"

	"streamsql/connector"
	"streamsql/exec/expr"
)

// isPermanent reports whether an error would come again however often the job were restarted: it is in the data or the query.
func isPermanent(err error) bool {
	var record connector.BadRecord
	var value *expr.EvalError
	return errors.As(err, &record) || errors.As(err, &value)
}
