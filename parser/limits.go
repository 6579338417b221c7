package parser

// maxLevels is how many levels the tree of a statement may have.
const maxLevels = 10000

// checkLevels reports a statement whose tree is too deep. A statement of fewer words cannot have one.
func (p *parser) checkLevels(lo int, s Stmt) {
	if deepest(s) > maxLevels {
		p.failSpan(lo, p.end, "the statement is nested too deeply, its tree may have at most 10000 levels")
	}
}

// deepest is the number of levels of a tree.
func deepest(n Node) int {
	depth, most := 0, 0
	walk(n, func(Node) bool {
		depth++
		most = max(most, depth)
		return true
	}, func() { depth-- })
	return most
}
