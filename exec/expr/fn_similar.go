package expr

func init() {
	Register(Function{
		Name: "SIMILAR TO", Category: categoryComparison, form: likeForm("SIMILAR TO"), notForm: likeForm("NOT SIMILAR TO"),
		Doc:     "Whether a string matches a pattern of SQL: % stands for any characters, _ for one, and |, *, +, ?, {}, () and [] mean what they mean in regular expressions.",
		Example: "'streams' SIMILAR TO '(s|t)+%[m-s]{2}'", ExampleResult: "TRUE",
		Overloads: []Overload{
			{Params: []Param{stringParam, stringParam}, Check: validSimilar, Returns: returns(Boolean), Fails: Sometimes, Slow: true, Compile: similarKernel},
			{
				Params: []Param{stringParam, stringParam, stringParam}, Check: validSimilar, Returns: returns(Boolean), Fails: Sometimes, Slow: true,
				Compile: similarKernel,
			},
		},
	})
}

// validSimilar is a Check that a literal is a pattern.
func validSimilar(args []Expr) *ArgumentError {
	pattern, ok := literalText(args[1])
	escape := ""
	if ok && len(args) == 3 {
		escape, ok = literalText(args[2])
	}
	if !ok {
		return nil
	}
	if _, err := compileSimilar(pattern, escape); err != nil {
		return &ArgumentError{Arg: 1, Msg: err.Error()}
	}
	return nil
}

func similarKernel(*Site) Kernel {
	var cache similarCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		for _, row := range f.Rows() {
			var escape []byte
			if len(args) == 3 {
				escape = args[2].bytes(row)
			}
			re, err := cache.find(args[1].bytes(row), escape)
			if err != nil {
				if err := f.Fail(row, err.Error()); err != nil {
					return err
				}
				continue
			}
			out.bits[row>>6] |= bitOf(re.Match(args[0].bytes(row))) << (row & 63)
		}
		return nil
	}
}
