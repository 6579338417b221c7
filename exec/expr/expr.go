// Package expr holds bound scalar expressions: typed trees made by the planner, the programs of vectorized kernels they compile
// to, and the registry of scalar functions. It knows Arrow columns and nothing of plans, channels or state.
package expr

import "github.com/apache/arrow/go/v17/arrow"

// Expr is a bound expression: every name is a column index, every function chosen, every coercion explicit. The types are
// *Column, *Literal, *Call, *Cast, *Case and *Logic. Expressions are immutable.
type Expr interface {
	Type() arrow.DataType
	// Nullable reports whether the value may be NULL.
	Nullable() bool
	// String is canonical SQL text, used in plans, messages and fingerprints.
	String() string
	expr()
}

// Column is a column of the input batch.
type Column struct {
	Index int
	Name  string
	T     arrow.DataType
	Null  bool
}
