// Package expr holds bound scalar expressions: typed trees made by the planner, the programs of vectorized kernels they compile
// to, and the registry of scalar functions. It knows Arrow columns and nothing of plans, channels or state.
//
// # From text to values
//
// The planner builds expressions with NewCall, NewCast, NewCase, And, Or and the constructors of literals. They choose the
// overload of a function, make every conversion explicit and fold constants; their errors say which argument is wrong. Compile
// turns expressions into a Program, NewPredicate a condition into a Predicate. Both take batches and serve one goroutine.
//
// # Programs
//
// A program is a list of steps, each of which computes one slot (a Vector) from others by a Kernel. Equal subexpressions are one
// step. NULLs are none of a kernel's business unless its overload says so: the executor intersects the validity of the
// arguments beforehand. A constant is a vector of a few equal values, so that kernels need no forms of their own for it; a step
// over constants alone is computed once for a batch. Buffers go back to the program's pool as soon as their last reader is done,
// and the values of a result are written where its array will have them.
//
// A branch that may fail, or is slow, is evaluated under a guard, the bitmap of the rows that reach it. Numbers keep their
// rows, so nothing is gathered or scattered: kernels of plain arithmetic compute all rows, as that is faster than to pick some,
// and ask the guard only when a row has gone wrong; kernels that work row by row take Frame.Rows.
//
// # A new function
//
// One Register call in a file fn_*.go: names, documentation, an example and overloads. An overload has parameters, a result
// type, and either Compile, which returns a kernel, or Expand, which defines the call by simpler expressions. The conformance
// tests take the function up by themselves.
package expr
