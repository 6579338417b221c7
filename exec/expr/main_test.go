package expr

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes property tests short; -rapid.checks on the command line makes them longer.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
