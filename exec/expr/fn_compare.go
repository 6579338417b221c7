package expr

func init() {
	for _, op := range []string{"=", "<>", "<", "<=", ">", ">="} {
		Register(Function{Name: op, form: infix(op, levelCompare), Overloads: []Overload{
			{Params: []Param{anyParam, anyParam}, Compares: true, Returns: returns(Boolean)}}})
	}
	for _, op := range []string{"IS DISTINCT FROM", "IS NOT DISTINCT FROM"} {
		Register(Function{Name: op, form: infix(op, levelCompare), Overloads: []Overload{
			{Params: []Param{anyParam, anyParam}, Compares: true, Returns: returns(Boolean), Nulls: NeverNull}}})
	}
	for _, op := range []string{"IS NULL", "IS NOT NULL"} {
		Register(Function{Name: op, form: postfix(op, levelCompare), Overloads: []Overload{
			{Params: []Param{anyParam}, Returns: returns(Boolean), Nulls: NeverNull}}})
	}
	for _, op := range []string{"IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE", "IS UNKNOWN", "IS NOT UNKNOWN"} {
		Register(Function{Name: op, form: postfix(op, levelCompare), Overloads: []Overload{
			{Params: []Param{boolParam}, Returns: returns(Boolean), Nulls: NeverNull}}})
	}
	Register(Function{Name: "NOT", form: prefix("NOT ", levelNot), Overloads: []Overload{
		{Params: []Param{boolParam}, Returns: returns(Boolean)}}})
}
