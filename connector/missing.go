package connector

import "fmt"

// MissingOutput says that output, as a restored checkpoint has it, is not there any more. It would be missing again.
type MissingOutput struct{ reason string }

func (e *MissingOutput) Error() string { return e.reason }

// Missing returns a permanent MissingOutput.
func Missing(format string, args ...any) error {
	return Permanent(&MissingOutput{fmt.Sprintf(format, args...)})
}
