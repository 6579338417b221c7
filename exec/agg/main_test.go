package agg

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws few examples of each property: there is a property for each function and option.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := f.Value.Set("20"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
