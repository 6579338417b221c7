package expr

func init() {
	for _, op := range []string{"+", "-", "*", "/", "%"} {
		Register(Function{Name: op, form: infix(op, levelAdd), Overloads: []Overload{
			{Params: []Param{numberParam, numberParam}, Convert: arithmeticArgs, Returns: arithmeticResult(decimalSum)}}})
	}
}
