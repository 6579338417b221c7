package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// join pairs the rows of two inputs for which a condition over the columns of both is TRUE. As in plan.Join, semi and anti joins
// yield the left columns alone, and a mark join one more: whether there is a partner. The condition of a mark join is three-valued.
type join struct {
	kind        plan.JoinKind
	left, right node
	on          expr.Expr // TRUE if every pair will do
	// lateral says that the right input refers to the columns of the left one, as columns of a query around it.
	lateral bool
	// single says that a second partner of a left row is an error.
	single bool
	asOf   *asOf    // of a temporal join, else nil
	ttl    [2]int64 // as in plan.Join
	// settled says that the rules are done: the condition is all there is, and tells which columns are still event times.
	settled bool
	at      place
	// What follows from the above.
	class joinClass
	cols  []column
}

// asOf is FOR SYSTEM_TIME AS OF.
type asOf struct {
	// version is the event-time column of the right input, -1 for the latest version.
	version int
	time    expr.Expr // over the left columns; nil for the latest version
	name    string    // of the table of versions, for messages
	at      place
}

// moved is the clause with its columns elsewhere.
func (a *asOf) moved(version int, time expr.Expr) *asOf {
	m := *a
	m.version, m.time = version, time
	return &m
}

// newJoin completes a join by its columns.
func newJoin(j join) *join {
	j.cols = slices.Clone(j.left.columns())
	switch {
	case j.kind == plan.Mark:
		j.cols = append(j.cols, column{name: "matches", typ: expr.Boolean, nullable: j.on.Nullable()})
	case j.givesRight():
		j.cols = append(j.cols, j.right.columns()...)
		j.loosen()
	}
	j.class = j.classify()
	if j.settled {
		j.settleRoles()
	}
	return &j
}

// loosen lets the columns be NULL that an outer join may have no row for. They are no event times then.
func (j *join) loosen() {
	n := j.width()
	for i := range j.cols {
		if i < n && j.maybeNoLeft() || i >= n && j.maybeNoRight() {
			j.cols[i].nullable, j.cols[i].role = true, role{}
		}
	}
}

func (j *join) maybeNoLeft() bool  { return j.kind == plan.Right || j.kind == plan.Full }
func (j *join) maybeNoRight() bool { return j.kind == plan.Left || j.kind == plan.Full }

// givesRight tells whether the right columns are part of the output.
func (j *join) givesRight() bool { return givesRight(j.kind) }

func givesRight(k plan.JoinKind) bool { return k != plan.Semi && k != plan.Anti && k != plan.Mark }

// width is the number of columns of the left input.
func (j *join) width() int { return len(j.left.columns()) }

// with is the join after a change.
func (j *join) with(change func(*join)) *join {
	changed := *j
	change(&changed)
	return newJoin(changed)
}

// over is the join of other inputs, whose columns are elsewhere: the i-th of the columns of both is now the moved[i]-th.
func (j *join) over(left, right node, moved []int) *join {
	n := j.width()
	return j.with(func(j *join) {
		j.left, j.right, j.on = left, right, move(j.on, moved)
		if a := j.asOf; a != nil && a.time != nil {
			j.asOf = a.moved(moved[n+a.version]-len(left.columns()), move(a.time, moved))
		}
	})
}

func (j *join) columns() []column { return j.cols }
func (j *join) inputs() []node    { return []node{j.left, j.right} }

func (j *join) withInputs(in []node) node {
	return j.with(func(j *join) { j.left, j.right = in[0], in[1] })
}

// exprs are the condition and the time of a temporal join.
func (j *join) exprs() []expr.Expr {
	if j.asOf != nil && j.asOf.time != nil {
		return []expr.Expr{j.on, j.asOf.time}
	}
	return []expr.Expr{j.on}
}

func (j *join) withExprs(xs []expr.Expr) node {
	return j.with(func(j *join) {
		j.on = xs[0]
		if len(xs) > 1 {
			j.asOf = j.asOf.moved(j.asOf.version, xs[1])
		}
	})
}

// prune keeps what the condition needs. A join that only adds columns, and none that are used, is left out.
func (j *join) prune(used []bool) (node, []int) {
	if j.adds() && !slices.Contains(used[j.width():], true) {
		left, moved := j.left.prune(used[:j.width()])
		return left, append(moved, slices.Repeat([]int{-1}, len(used)-j.width())...)
	}
	n, width := j.width(), j.width()+len(j.right.columns())
	need := make([]bool, width)
	for _, x := range j.exprs() {
		mark(need, x)
	}
	if j.asOf != nil && j.asOf.time != nil {
		need[n+j.asOf.version] = true
	}
	for i := range need {
		need[i] = need[i] || (i < n || j.givesRight()) && used[i]
	}
	left, moved := j.left.prune(need[:n])
	right, movedRight := j.right.prune(need[n:])
	for _, m := range movedRight {
		if m >= 0 {
			m += len(left.columns())
		}
		moved = append(moved, m)
	}
	pruned := j.over(left, right, moved)
	switch {
	case j.kind == plan.Mark:
		moved = append(moved[:n], len(left.columns()))
	case !j.givesRight():
		moved = moved[:n]
	}
	return pruned, moved
}

// adds tells whether the join gives each left row once, as it is, with other columns behind it.
func (j *join) adds() bool {
	return j.kind == plan.Mark || j.kind == plan.Left && !j.single && j.onePartner()
}

func (j *join) String() string {
	text := joinWords[j.kind]
	if j.class.word != "" {
		text += " " + j.class.word
	}
	text += " join"
	if j.lateral {
		text = "Lateral " + lowerFirst(text)
	}
	if isTrue(j.on) {
		if j.kind == plan.Inner && j.asOf == nil {
			return "Cross join"
		}
		return text
	}
	return text + " on " + j.conditionText(j.on)
}

var joinWords = map[plan.JoinKind]string{
	plan.Inner: "Inner", plan.Left: "Left", plan.Right: "Right", plan.Full: "Full", plan.Semi: "Semi", plan.Anti: "Anti", plan.Mark: "Mark",
}

func (j *join) lower(l *lowering) (int, error) {
	left, err := l.lower(j.left)
	if err != nil {
		return 0, err
	}
	right, err := l.lower(j.right)
	if err != nil {
		return 0, err
	}
	keys, rest := j.split()
	op := plan.Join{Kind: j.kind, Keys: keys, Single: j.single, TTL: j.ttl, Name: j.conditionText(j.on)}
	op.Rows = [2][]string{typedNames(j.left.columns()), typedNames(j.right.columns())}
	if rest = j.class.beyond(rest); len(rest) > 0 {
		op.Condition = and(rest...)
	}
	l.notYet(j.at, "a join")
	log := j.changelog(l.graph.Vertices[left].Changelog, l.graph.Vertices[right].Changelog)
	return l.meet("join", j.class.operator(j, op), j.cols, log, [2]int{left, right}, keys), nil
}

// changelog is the kind of changes of the output, by those of the inputs.
func (j *join) changelog(left, right plan.Changelog) plan.Changelog {
	settles := j.class.word != "" || j.kind == plan.Inner || j.kind == plan.Semi
	if left == plan.Append && right == plan.Append && settles || j.asOf != nil && left == plan.Append {
		return plan.Append
	}
	return plan.Retract
}
