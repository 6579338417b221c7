package vec

// Kind says what a row of a changelog stands for.
type Kind uint8

// The four kinds of change. An update is a pair: UpdateBefore with the whole old row, then UpdateAfter with the new one.
const (
	Insert Kind = iota
	UpdateBefore
	UpdateAfter
	Delete
)

// String is the usual two-letter form: +I, -U, +U, -D.
func (k Kind) String() string { return [...]string{"+I", "-U", "+U", "-D"}[k&3] }

// ParseKind is the inverse of String.
func ParseKind(s string) (Kind, bool) {
	for k := Insert; k <= Delete; k++ {
		if k.String() == s {
			return k, true
		}
	}
	return 0, false
}

// Retracts reports whether the row takes an earlier row back.
func (k Kind) Retracts() bool { return k == UpdateBefore || k == Delete }
