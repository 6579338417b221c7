package expr

import "testing"

// TestExamples evaluates the example of every function, and reads its canonical text back.
func TestExamples(t *testing.T) {
	for _, f := range Functions() {
		if f.Doc == "" || f.Category == "" || f.Example == "" {
			t.Errorf("%s lacks a Doc, a Category or an Example", f.Name)
			continue
		}
		if f.Name == "EXISTS" { // which takes a planner
			continue
		}
		e, err := bindText(f.Example, Settings{})
		if err != nil {
			t.Errorf("%s: %v", f.Example, err)
			continue
		}
		if f.Stateful { // which takes an operator
			continue
		}
		if got := show(e, Settings{}); got != f.ExampleResult {
			t.Errorf("%s = %s, not %s", f.Example, got, f.ExampleResult)
		}
	}
}
