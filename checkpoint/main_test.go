package checkpoint

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		crashChild(dir)
		return
	}
	goleak.VerifyTestMain(m)
}
