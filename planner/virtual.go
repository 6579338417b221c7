package planner

// While an expression is bound, some of what it reads has no place in a row yet. The positions of such columns are beyond these.
const (
	// outputs is added to the columns of an aggregation's output while an expression still holds columns of its input.
	outputs = 1 << 24
	// virtual is where columns begin that are neither of an aggregation's input nor its output.
	virtual = 1 << 28
	// subqueryValues are what queries used as values yield; queryColumns are the columns of the query that is being compared with.
	subqueryValues = virtual
	queryColumns   = 2 * virtual
	// overValues are the values of functions with OVER.
	overValues = 3 * virtual
	// navigations are what the conditions of MATCH_RECOGNIZE read.
	navigations = 4 * virtual
	// groupingSet is the column that tells the grouping set of a group.
	groupingSet = 5 * virtual
	// inputValues are what queries yield that are used as values below an aggregation: in its keys and its arguments.
	inputValues = 6 * virtual
	// outerLevel is added for each query that a column's query is around the expression.
	outerLevel = 1 << 40
)
