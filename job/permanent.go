package job

import (
	"errors"

	"streamsql/connector"
	"streamsql/exec/expr"
)

// isPermanent reports whether an error would come again however often the job were restarted: it is in the data or the query.
func isPermanent(err error) bool {
	var value *expr.EvalError
	return connector.IsPermanent(err) || errors.As(err, &value)
}
