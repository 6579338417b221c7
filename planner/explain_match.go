package planner

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// patternText writes a pattern as SQL does; inner ones of several parts stand in brackets.
func patternText(m *plan.Match, p *plan.Pattern, inner bool) string {
	switch p.Kind {
	case plan.PatternVariable:
		return m.Variables[p.Variable]
	case plan.PatternStart:
		return "^"
	case plan.PatternEnd:
		return "$"
	case plan.PatternRepeat:
		return patternText(m, p.Elems[0], true) + repeatText(p)
	}
	parts := make([]string, len(p.Elems))
	for i, e := range p.Elems {
		parts[i] = patternText(m, e, true)
	}
	switch p.Kind {
	case plan.PatternExclude:
		return "{- " + strings.Join(parts, " ") + " -}"
	case plan.PatternPermute:
		return "PERMUTE(" + strings.Join(parts, ", ") + ")"
	}
	text := strings.Join(parts, map[plan.PatternKind]string{plan.PatternSequence: " ", plan.PatternAlternative: " | "}[p.Kind])
	if inner && len(parts) > 1 {
		return "(" + text + ")"
	}
	return text
}

func repeatText(p *plan.Pattern) string {
	var text string
	switch {
	case p.Min == 0 && p.Max < 0:
		text = "*"
	case p.Min == 1 && p.Max < 0:
		text = "+"
	case p.Min == 0 && p.Max == 1:
		text = "?"
	case p.Max < 0:
		text = fmt.Sprintf("{%d,}", p.Min)
	case p.Min == p.Max:
		text = fmt.Sprintf("{%d}", p.Min)
	default:
		text = fmt.Sprintf("{%d,%d}", p.Min, p.Max)
	}
	if p.Reluctant {
		text += "?"
	}
	return text
}

// matchState says which rows a match keeps.
func matchState(m *plan.Match, bounded bool) string {
	rows := "the rows of matches that have begun"
	if len(m.PartitionNames) > 0 {
		rows += ", for each (" + strings.Join(m.PartitionNames, ", ") + ")"
	}
	if m.Within > 0 {
		return rows + ", bounded: forgotten when they are older than " + expr.NewDayTime(m.Within).String()
	}
	return rows + ", " + growth(bounded, 0, "WITHIN would bound it")
}
