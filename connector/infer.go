package connector

import "fmt"

// Infer finds out the columns of a table, which has no schema yet, by looking at its data. The result has a schema, and perhaps options
// that were found out as well.
func Infer(t Table) (Table, error) {
	c, err := Of(t)
	if err != nil {
		return t, err
	}
	if c.Infer == nil {
		return t, fmt.Errorf("the columns of a table of connector '%s' cannot be found out; CREATE TABLE declares them", c.Name)
	}
	if c.Complete != nil {
		if t, err = c.Complete(t); err != nil {
			return t, err
		}
	}
	o, err := c.Parse(t)
	if err != nil {
		return t, err
	}
	return c.Infer(t, o)
}
