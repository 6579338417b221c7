package expr

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	Register(Function{
		Name: "OVERLAPS", Category: categoryTemporal, form: overlapsForm,
		Doc:     "Whether two periods have a moment in common, their ends included. A period is its start and its end, in either order, or its start and its length.",
		Example: "(TIME '02:55:00', INTERVAL '1' HOUR) OVERLAPS (TIME '03:30:00', INTERVAL '2' HOUR)", ExampleResult: "TRUE",
		Overloads: []Overload{{
			Params: []Param{periodParam, periodParam}, Returns: returns(Boolean), Nulls: HandledOrNull, Fails: Sometimes,
			Check: expands(overlaps), Expand: overlaps,
		}},
	})
}

var periodParam = Param{
	Name: "period", What: "a ROW of a start and an end or a length", Null: Unknown,
	Accepts: func(t arrow.DataType) bool { return isRow(t) && t.(*arrow.StructType).NumFields() == 2 },
}

func overlapsForm(args []Expr) (string, level) {
	x := operands(args, levelCompare+1)
	return x[0] + " OVERLAPS " + x[1], levelCompare
}

// overlaps is end1 >= start2 AND end2 >= start1.
func overlaps(args []Expr, s Settings) (Expr, error) {
	start1, end1, err := periodOf(args[0], s)
	if err != nil {
		return nil, err
	}
	start2, end2, err := periodOf(args[1], s)
	if err != nil {
		return nil, err
	}
	first, err := NewCall(">=", []Expr{end1, start2}, s)
	if err != nil {
		return nil, err
	}
	second, err := NewCall(">=", []Expr{end2, start1}, s)
	if err != nil {
		return nil, err
	}
	return And(first, second)
}

// periodOf is the earlier and the later end of a period.
func periodOf(row Expr, s Settings) (start, end Expr, err error) {
	var ends [2]Expr
	for i := range ends {
		if ends[i], err = rowElement(row, i, s); err != nil {
			return nil, nil, err
		}
	}
	if isInterval(ends[1].Type()) {
		if ends[1], err = NewCall("+", ends[:], s); err != nil {
			return nil, nil, err
		}
	}
	if start, err = NewCall("LEAST", ends[:], s); err != nil {
		return nil, nil, err
	}
	end, err = NewCall("GREATEST", ends[:], s)
	return start, end, err
}

// rowElement is the i-th field of a ROW, without making the ROW if that is what the expression does.
func rowElement(row Expr, i int, s Settings) (Expr, error) {
	if c, ok := row.(*Call); ok && c.Fn.Name == "ROW" {
		return c.Args[i], nil
	}
	return NewCall(".", []Expr{row, NewString(row.Type().(*arrow.StructType).Field(i).Name)}, s)
}
