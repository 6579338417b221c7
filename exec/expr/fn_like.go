package expr

func init() {
	registerLike("LIKE", false, "Whether a string matches a pattern, in which % stands for any characters and _ for one.", "'streams' LIKE 's%_s'")
	registerLike("ILIKE", true, "As LIKE, where upper and lower case are the same.", "'Streams' ILIKE 'STREAM_'")
}

func registerLike(op string, fold bool, doc, example string) {
	Register(Function{
		Name: op, Category: categoryComparison, form: likeForm(op), notForm: likeForm("NOT " + op),
		Doc: doc, Example: example, ExampleResult: "TRUE",
		Overloads: []Overload{
			{Params: []Param{stringParam, stringParam}, Returns: returns(Boolean), Slow: true, Compile: likeKernel(fold)},
			{Params: []Param{stringParam, stringParam, stringParam}, Returns: returns(Boolean), Fails: Sometimes, Slow: true, Compile: likeKernel(fold)},
		},
	})
}

func likeForm(op string) form {
	return func(args []Expr) (string, level) {
		text := operand(args[0], levelAdd) + " " + op + " " + operand(args[1], levelAdd)
		if len(args) == 3 {
			text += " ESCAPE " + operand(args[2], levelAdd)
		}
		return text, levelCompare
	}
}

func likeKernel(fold bool) func(*Site) Kernel {
	return func(*Site) Kernel {
		cache := &likeCache{fold: fold}
		return func(f *Frame, args []*Vector, out *Vector) error {
			clear(out.bits)
			if len(args) == 2 && args[1].isConst() {
				return likeRows(f, args[0], cache, args[1].bytes(0), out)
			}
			return likeEach(f, args, cache, out)
		}
	}
}

// likeRows matches all rows with one pattern, which has no ESCAPE and so is never wrong.
func likeRows(f *Frame, x *Vector, cache *likeCache, pattern []byte, out *Vector) error {
	p, err := cache.find(pattern, nil)
	for _, row := range f.Rows() {
		out.bits[row>>6] |= bitOf(p.match(cache.subject(x.bytes(row)))) << (row & 63)
	}
	return err
}

// likeEach matches each row with its own pattern.
func likeEach(f *Frame, args []*Vector, cache *likeCache, out *Vector) error {
	for _, row := range f.Rows() {
		var escape []byte
		if len(args) == 3 {
			escape = args[2].bytes(row)
		}
		pattern, err := cache.find(args[1].bytes(row), escape)
		if err != nil {
			if err := f.Fail(row, err.Error()); err != nil {
				return err
			}
			continue
		}
		if pattern.match(cache.subject(args[0].bytes(row))) {
			setBit(out.bits, int(row))
		}
	}
	return nil
}

// subject is the string as patterns of the cache see it.
func (c *likeCache) subject(b []byte) []byte {
	if !c.fold {
		return b
	}
	c.lower = appendLower(c.lower[:0], b)
	return c.lower
}
