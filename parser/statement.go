package parser

// statement reads the whole statement by its first word.
func (p *parser) statement() Stmt {
	if p.checkTokens(); p.err != nil {
		return nil
	}
	if p.pairBrackets(); p.err != nil {
		return nil
	}
	lo := p.pos
	s := p.dispatch()
	p.finish()
	if p.err == nil && p.end > maxLevels {
		p.checkLevels(lo, s)
	}
	if p.err == nil {
		return s
	}
	if p.open && p.mayGoOn() {
		p.err.Incomplete = true
	}
	return nil
}

// mayGoOn tells whether the error is about the last words of the statement and these are the beginning
// of something longer.
func (p *parser) mayGoOn() bool {
	last := len(p.toks) - 2
	return p.cutAt > 0 && p.errTok >= p.cutAt || p.errTok == last && p.toks[last].kind == tokWord && p.toks[last].word != ""
}

// maxWords is how many words a statement may have.
const maxWords = 131072

// checkTokens reports a statement that is too long, and the first token that cannot be read. Values of
// SET may start with digits.
func (p *parser) checkTokens() {
	if p.end > maxWords {
		p.failAt(maxWords, "the statement is too long, it may have at most 131072 words")
		return
	}
	for i, t := range p.toks[:p.end] {
		if t.kind == tokBad && !(t.word == msgDigitName && p.is("SET")) {
			p.badToken(i, t)
			return
		}
	}
}

// badToken reports a token that cannot be read.
func (p *parser) badToken(i int, t token) {
	p.failAt(i, t.word)
	switch t.word {
	case msgOpenString, msgOpenName, msgOpenComment:
		p.err.Incomplete = true
		p.err.Span.Hi = p.err.Span.Lo + 1
	}
	if t.word == msgOpenString {
		p.noteLongString(i)
	}
}

// noteLongString points at the first string before the token i that runs over the end of its line,
// because a missing quote shifts all that follow.
func (p *parser) noteLongString(i int) {
	for j, t := range p.toks[:i] {
		if t.kind == tokString && hasNewline(p.text(t)) {
			p.note(j, "this one runs over the end of its line; is its quote missing?")
			p.err.Notes[0].Span.Hi = p.err.Notes[0].Span.Lo + 1
			return
		}
	}
}

// hasNewline tells whether a text has several lines.
func hasNewline(s string) bool {
	for i := range s {
		if s[i] == '\n' {
			return true
		}
	}
	return false
}

// dispatch reads a statement by its first word.
func (p *parser) dispatch() Stmt {
	if p.startsQuery() {
		return p.queryStmt()
	}
	if s, ok := p.dataStmt(); ok {
		return s
	}
	if s, ok := p.jobStmt(); ok {
		return s
	}
	p.noStatement()
	return nil
}

// queryStmt reads a query as a statement.
func (p *parser) queryStmt() Stmt {
	lo := p.pos
	s := &QueryStmt{Query: p.query()}
	s.Span = p.spanFrom(lo)
	return s
}

// dataStmt reads statements about tables, views, functions and settings. It returns false if the first
// word starts none.
func (p *parser) dataStmt() (Stmt, bool) {
	switch p.tok(0).word {
	case "INSERT":
		return p.insert(), true
	case "EXECUTE":
		return p.statementSet(p.pos, "EXECUTE STATEMENT SET BEGIN"), true
	case "BEGIN":
		return p.statementSet(p.pos, "BEGIN STATEMENT SET ;"), true
	case "CREATE":
		return p.create(), true
	case "DROP":
		return p.drop(), true
	case "ALTER":
		return p.alter(), true
	case "EXPLAIN":
		return p.explainStmt(), true
	case "DESCRIBE", "DESC":
		return p.describeStmt(), true
	case "SHOW":
		return p.show(), true
	case "SET":
		return p.set(), true
	case "RESET":
		return p.reset(), true
	case "USE":
		return p.use(), true
	}
	return nil, false
}

// jobStmt reads statements about jobs and savepoints. It returns false if the first word starts none.
func (p *parser) jobStmt() (Stmt, bool) {
	switch p.tok(0).word {
	case "PAUSE":
		return p.pauseJob(), true
	case "RESUME":
		return p.resumeJob(), true
	case "CANCEL":
		return p.cancelJob(), true
	case "STOP":
		return p.stopJob(), true
	case "CHECKPOINT":
		return p.checkpointJob(), true
	case "VERIFY":
		return p.verifySavepoint(), true
	case "RESTORE":
		return p.restore(), true
	}
	return nil, false
}

// noStatement reports a first word that starts no statement.
func (p *parser) noStatement() {
	switch word := p.tok(0).word; word {
	case "UPDATE", "DELETE", "MERGE", "TRUNCATE":
		p.failAt(p.pos, word+" is not supported, tables change by INSERT INTO alone",
			"a source with a changelog format brings updates and deletions")
	default:
		p.unexpected()
		p.err.Expected = []string{"a statement such as SELECT, INSERT, CREATE or EXPLAIN"}
	}
}
