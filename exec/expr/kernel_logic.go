package expr

// words is the number of words of the frame's bitmaps.
func (f *Frame) words() int { return wordsFor(f.n) }

// andKernel is a AND b in three-valued logic: FALSE if either is FALSE, else NULL if either is NULL.
func andKernel(f *Frame, args []*Vector, out *Vector) error {
	a, b := args[0], args[1]
	for k := range f.words() {
		out.bits[k] = a.word(a.bits, k) & b.word(b.bits, k)
	}
	if a.valid == nil && b.valid == nil {
		return nil
	}
	out.allocValid(f.pool, f.n)
	for k := range out.valid {
		out.valid[k] = a.validWord(k)&b.validWord(k) | a.falseWord(k) | b.falseWord(k)
	}
	return nil
}

// orKernel is a OR b: TRUE if either is TRUE, else NULL if either is NULL.
func orKernel(f *Frame, args []*Vector, out *Vector) error {
	a, b := args[0], args[1]
	for k := range f.words() {
		out.bits[k] = a.word(a.bits, k) | b.word(b.bits, k)
	}
	if a.valid == nil && b.valid == nil {
		return nil
	}
	out.allocValid(f.pool, f.n)
	for k := range out.valid {
		out.valid[k] = a.validWord(k)&b.validWord(k) | a.trueWord(k) | b.trueWord(k)
	}
	return nil
}

func notKernel(f *Frame, args []*Vector, out *Vector) error {
	a := args[0]
	for k := range out.bits {
		out.bits[k] = ^a.word(a.bits, k)
	}
	return nil
}

// bitsKernel makes a BOOLEAN, never NULL, of each word of its argument.
func bitsKernel(word func(a *Vector, k int) uint64) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		for k := range out.bits {
			out.bits[k] = word(args[0], k)
		}
		return nil
	}
}

func isNullWord(a *Vector, k int) uint64    { return ^a.validWord(k) }
func isNotNullWord(a *Vector, k int) uint64 { return a.validWord(k) }
func isTrueWord(a *Vector, k int) uint64    { return a.trueWord(k) }
func isNotTrueWord(a *Vector, k int) uint64 { return ^a.trueWord(k) }
func isFalseWord(a *Vector, k int) uint64   { return a.falseWord(k) }
func isNotFalseWord(a *Vector, k int) uint64 {
	return ^a.falseWord(k)
}

// guardKernel keeps the rows of a condition that a branch is for, out of those of the guard around it, if there is one.
func guardKernel(kind guardKind) Kernel {
	word := map[guardKind]func(*Vector, int) uint64{
		guardTrue: isTrueWord, guardNotTrue: isNotTrueWord, guardNotFalse: isNotFalseWord,
	}[kind]
	return func(f *Frame, args []*Vector, out *Vector) error {
		for k := range out.bits {
			out.bits[k] = word(args[0], k)
		}
		if len(args) > 1 {
			for k := range out.bits {
				out.bits[k] &= args[1].word(args[1].bits, k)
			}
		}
		return nil
	}
}
