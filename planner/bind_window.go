package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/exec/window"
	"streamsql/parser"
)

// windowKind is a way to cut time into windows. intervals names what stands behind the time column, in order.
type windowKind struct {
	name      string
	intervals []string
	grouping  bool // may stand in GROUP BY
	offset    bool // takes an OFFSET as its last argument
	months    bool // the size may be months or years
}

var windowKinds = []windowKind{
	{name: "TUMBLE", intervals: []string{"SIZE"}, grouping: true, offset: true, months: true},
	{name: "HOP", intervals: []string{"SLIDE", "SIZE"}, grouping: true, offset: true},
	{name: "CUMULATE", intervals: []string{"STEP", "SIZE"}, offset: true},
	{name: "SESSION", intervals: []string{"GAP"}, grouping: true},
}

func windowKindOf(name string) *windowKind {
	for i, k := range windowKinds {
		if strings.EqualFold(k.name, name) {
			return &windowKinds[i]
		}
	}
	return nil
}

// groupWindow is a window of GROUP BY. Its bounds are the last three columns of the grouping's input.
type groupWindow struct {
	call *parser.Call
	kind *windowKind
	spec *window.Spec
	time int
}

// bindWindow binds GROUP BY TUMBLE(…) and the like, if there is one: the input gets the window's bounds.
func (g *grouping) bindWindow() error {
	for _, element := range g.tree.GroupBy {
		for _, x := range element.Exprs {
			call, ok := x.(*parser.Call)
			if !ok || !isGroupWindow(call) {
				continue
			}
			if g.window != nil {
				return g.at(call).error(fmt.Sprintf("GROUP BY takes one window, and %s is the second", call.Name),
					"group by one of them in a query in brackets, and by the other around it")
			}
			if err := g.addWindow(call); err != nil {
				return err
			}
		}
	}
	return nil
}

func isGroupWindow(c *parser.Call) bool {
	k := windowKindOf(c.Name.Last().Name)
	return k != nil && k.grouping
}

func (g *grouping) addWindow(call *parser.Call) error {
	kind := windowKindOf(call.Name.Last().Name)
	time, spec, err := g.windowArgs(kind, call, g.scope)
	if err != nil {
		return err
	}
	g.window = &groupWindow{call, kind, spec, time}
	assign := windowAssign{input: g.input, spec: spec, time: time, at: g.at(call)}.complete()
	g.input = assign
	grown := *g.scope
	grown.cols = append(slices.Clone(g.scope.cols), assign.cols[len(assign.cols)-3:]...)
	g.scope = &grown
	return nil
}

// bound is a bound of GROUP BY's window as a column of the input.
func (g *grouping) bound(kind roleKind) *expr.Column {
	at := len(g.scope.cols) - 3 + int(kind-windowStart)
	return g.scope.cols[at].ref(at)
}

// windowArgs reads the arguments of a window function of GROUP BY: the time column, then the intervals.
func (b *binder) windowArgs(kind *windowKind, call *parser.Call, s *scope) (time int, spec *window.Spec, err error) {
	most := 1 + len(kind.intervals)
	if kind.offset {
		most++
	}
	if n := len(call.Args); n < 1+len(kind.intervals) || n > most {
		return 0, nil, b.at(call).error(fmt.Sprintf("%s takes a time column and %s", call.Name, kind.wants()),
			fmt.Sprintf("write %s(ts, %s)", call.Name, strings.ToLower(strings.Join(kind.intervals, ", "))))
	}
	ref, ok := call.Args[0].X.(*parser.ColumnRef)
	if !ok {
		return 0, nil, b.errorf(call.Args[0], "the first argument of %s must be a time column", call.Name)
	}
	if time, err = b.plainColumn(s, ref); err != nil {
		return 0, nil, err
	}
	if err = b.checkTime(s, time, ref, call.Name.Last().Name); err != nil {
		return 0, nil, err
	}
	spec, err = b.windowSpec(kind, s.cols[time], call.Args[1:])
	return time, spec, err
}

// wants says in words which intervals the kind takes.
func (k *windowKind) wants() string {
	text := strings.ToLower(strings.Join(k.intervals, " and "))
	if len(k.intervals) == 1 {
		return "the " + text + " of the windows"
	}
	return "the " + text + " of the windows, two intervals"
}

// windowSpec binds the intervals, in the order of the kind's names; one more is the offset. Windows over instants follow the
// clock of the session's time zone.
func (b *binder) windowSpec(kind *windowKind, time column, args []parser.Arg) (*window.Spec, error) {
	spec := &window.Spec{Kind: kind.name}
	if t, ok := time.typ.(*arrow.TimestampType); ok && t.TimeZone != "" {
		spec.Location = b.settings.Expr.TimeZone
	}
	for i, a := range args {
		name := "OFFSET"
		if i < len(kind.intervals) {
			name = kind.intervals[i]
		}
		ms, months, err := b.windowInterval(kind, name, a)
		if err != nil {
			return nil, err
		}
		switch name {
		case "SIZE", "GAP":
			spec.Size, spec.Months = ms, months
		case "SLIDE", "STEP":
			spec.Slide = ms
		case "OFFSET":
			spec.Offset = ms
		}
	}
	if kind.name == "CUMULATE" && spec.Size%spec.Slide != 0 {
		return nil, b.errorf(args[1], "the size of CUMULATE must be a multiple of its step, %s", expr.NewDayTime(spec.Slide))
	}
	return spec, nil
}

// windowInterval binds a constant interval: so many milliseconds, or months.
func (b *binder) windowInterval(kind *windowKind, name string, a parser.Arg) (ms int64, months int32, err error) {
	x, err := b.scalar(&scope{clause: kind.name}, a.X)
	if err != nil {
		return 0, 0, err
	}
	what := "the " + strings.ToLower(name) + " of " + kind.name
	l, ok := x.(*expr.Literal)
	if !ok || l.V == nil {
		return 0, 0, b.errorf(a.X, "%s must be a constant interval, such as INTERVAL '10' MINUTE", what)
	}
	switch v := l.V.(type) {
	case arrow.Duration:
		ms = int64(v)
	case arrow.MonthInterval:
		months = int32(v)
		if !kind.months || name != "SIZE" {
			return 0, 0, b.errorf(a.X, "%s cannot be months or years, whose length varies", what)
		}
	default:
		return 0, 0, b.errorf(a.X, "%s must be an interval, such as INTERVAL '10' MINUTE, got %s", what, expr.TypeName(l.T))
	}
	if ms <= 0 && months <= 0 && name != "OFFSET" {
		return 0, 0, b.errorf(a.X, "%s must be longer than nothing", what)
	}
	return ms, months, nil
}

// checkTime makes sure that rows can be put into windows by a column, and says what to declare if not.
func (b *binder) checkTime(s *scope, i int, at parser.Node, function string) error {
	c := s.cols[i]
	if c.role.isAnyTime() {
		return nil
	}
	hint := ""
	for _, j := range s.visible {
		if s.cols[j].role.isTime() {
			hint = "the event time here is '" + s.cols[j].name + "'"
			break
		}
	}
	if c.typ.ID() != arrow.TIMESTAMP {
		return b.at(at).error(fmt.Sprintf("%s takes an event time, and '%s' is %s", function, c.name, expr.TypeName(c.typ)), hint)
	}
	if hint == "" {
		hint = timeHint(s.owner(i), c)
	}
	return b.at(at).error(fmt.Sprintf("%s takes an event time, and '%s' is an ordinary column", function, c.name), hint)
}

// timeHint tells how to make an event time of the column.
func timeHint(t scopeTable, c column) string {
	if t.source == nil {
		return "an event time is a column with a WATERMARK, passed on as it is"
	}
	if !arrow.TypeEqual(c.typ, expr.Timestamp(3)) && !arrow.TypeEqual(c.typ, expr.TimestampLTZ(3)) {
		return fmt.Sprintf("declare it as TIMESTAMP(3) and add WATERMARK FOR %s AS %s - INTERVAL '5' SECOND to CREATE TABLE %s", c.name, c.name, t.source.Name)
	}
	return fmt.Sprintf("add WATERMARK FOR %s AS %s - INTERVAL '5' SECOND to CREATE TABLE %s", c.name, c.name, t.source.Name)
}

// windowFunction takes TUMBLE_START apart into its kind and the bound it means; the kind alone means the window itself.
func windowFunction(name string) (kind *windowKind, bound string, ok bool) {
	word, bound, _ := strings.Cut(name, "_")
	kind = windowKindOf(word)
	if kind == nil || !kind.grouping || !slices.Contains([]string{"", "START", "END", "ROWTIME", "PROCTIME"}, bound) {
		return nil, "", false
	}
	return kind, bound, true
}

// bindWindowFunction binds TUMBLE_START(…) and the like, where GROUP BY has the window.
func (e exprs) bindWindowFunction(x *parser.Call, kind *windowKind, bound string) (expr.Expr, error) {
	g := e.group
	switch {
	case bound == "":
		return nil, e.at(x).error(fmt.Sprintf("%s(…) stands in GROUP BY, by itself", kind.name),
			fmt.Sprintf("a window's bounds are %s_START(…) and %s_END(…)", kind.name, kind.name))
	case g == nil || g.window == nil || g.window.kind != kind:
		return nil, e.errorf(x, "%s needs GROUP BY %s(…) with the same arguments", x.Name, kind.name)
	}
	time, spec, err := e.windowArgs(kind, x, e.scope)
	if err != nil {
		return nil, err
	}
	if time != g.window.time || *spec != *g.window.spec {
		want := windowText(g.window.spec, g.scope.cols[g.window.time].name)
		return nil, e.at(x).error(fmt.Sprintf("%s has other arguments than the window of GROUP BY", x.Name), "GROUP BY has "+want)
	}
	switch bound {
	case "START":
		return g.bound(windowStart), nil
	case "END":
		return g.bound(windowEnd), nil
	}
	if bound == "PROCTIME" {
		return e.call("PROCTIME", x, nil)
	}
	at := g.addKey(g.bound(windowTime))
	for i, set := range g.sets {
		g.sets[i] = together(set, []int{at})
	}
	return g.bound(windowTime), nil
}

// keySession forms the windows of GROUP BY SESSION(…) within the values of the other keys.
func (g *grouping) keySession() error {
	if g.window == nil || g.window.kind.name != "SESSION" {
		return nil
	}
	if g.sets != nil {
		return g.errorf(g.window.call, "SESSION windows are formed for each value of the other keys, so they cannot stand beside GROUPING SETS")
	}
	old := g.input.(*windowAssign)
	n := len(old.input.columns())
	side := keySide{node: old.input}
	assign := *old
	for _, k := range g.keys {
		if c, ok := k.(*expr.Column); ok && c.Index >= n { // a bound of the window itself
			continue
		}
		side.add(k)
		assign.keys = append(assign.keys, side.ref(k).(*expr.Column).Index)
	}
	assign.input = side.project()
	wide := len(assign.input.columns())
	kept := firstN(n)
	for i := range 3 {
		kept = append(kept, wide+i)
	}
	g.input = choose(assign.complete(), kept)
	return nil
}
