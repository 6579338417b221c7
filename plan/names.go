package plan

import "fmt"

// String is the kind's name in pictures of plans.
func (k ExchangeKind) String() string {
	return [...]string{"forward", "hash", "rebalance", "broadcast"}[k]
}

// String is the changelog's name: append, upsert or retract.
func (c Changelog) String() string { return [...]string{"append", "upsert", "retract"}[c] }

// String is the phase's name.
func (p Phase) String() string { return [...]string{"single", "partial", "final"}[p] }

// String says when the aggregate emits.
func (m EmitMode) String() string { return [...]string{"changes", "final", "periodic"}[m] }

// String is the kind as SQL writes it.
func (k JoinKind) String() string {
	return [...]string{"INNER", "LEFT", "RIGHT", "FULL", "LEFT SEMI", "LEFT ANTI", "MARK"}[k]
}

// String is the function's name.
func (f RankFunction) String() string { return [...]string{"ROW_NUMBER", "RANK", "DENSE_RANK"}[f] }

// String is the accumulation as EMIT writes it.
func (a Accumulation) String() string {
	return [...]string{"RETRACTING", "ACCUMULATING", "DISCARDING"}[a]
}

// String is the treatment as EMIT writes it.
func (l LateRows) String() string { return [...]string{"LATE DROP", "LATE SIDE"}[l] }

// Kind is the operator's name in pictures of plans, as in "Scan".
func Kind(op Op) string {
	switch op.(type) {
	case *WindowAssign:
		return "Window"
	}
	return fmt.Sprintf("%T", op)[len("*plan."):]
}
