package plan

import "fmt"

// String is the kind's name in pictures of plans.
func (k ExchangeKind) String() string {
	return [...]string{"forward", "hash", "rebalance", "broadcast"}[k]
}

// String is the changelog's name: append or retract.
func (c Changelog) String() string { return [...]string{"append", "retract"}[c] }

// String is the phase's name.
func (p Phase) String() string { return [...]string{"single", "partial", "final"}[p] }

// String says when the aggregate emits.
func (m EmitMode) String() string { return [...]string{"changes", "final"}[m] }

// Kind is the operator's name in pictures of plans, as in "Scan".
func Kind(op Op) string {
	switch op.(type) {
	case *WindowAssign:
		return "Window"
	}
	return fmt.Sprintf("%T", op)[len("*plan."):]
}
