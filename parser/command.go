package parser

import "strings"

// objectKind reads one of some kinds of objects, or returns "".
func (p *parser) objectKind(kinds ...ObjectKind) ObjectKind {
	for _, k := range kinds {
		if p.accept(string(k)) {
			return k
		}
	}
	return ""
}

// drop reads DROP.
func (p *parser) drop() Stmt {
	lo := p.pos
	p.pos++
	if p.accept("SAVEPOINT") {
		s := &DropSavepoint{Savepoint: p.label(aSavepoint)}
		s.Span = p.spanFrom(lo)
		return s
	}
	s := &Drop{Temporary: p.accept("TEMPORARY")}
	if s.Kind = p.objectKind(ObjectTable, ObjectView, ObjectMaterializedView, ObjectFunction); s.Kind == "" {
		p.unexpected()
	}
	s.IfExists = p.accept("IF EXISTS")
	s.Name = p.qualified()
	s.Span = p.spanFrom(lo)
	return s
}

// alter reads ALTER TABLE and ALTER JOB.
func (p *parser) alter() Stmt {
	lo := p.pos
	p.pos++
	if p.accept("JOB") {
		return p.alterJob(lo)
	}
	p.expect("TABLE")
	s := &AlterTable{IfExists: p.accept("IF EXISTS"), Name: p.qualified()}
	switch {
	case p.accept("RENAME TO"):
		name := p.qualified()
		s.RenameTo = &name
	case p.accept("SET"):
		s.Set = p.someProperties()
	case p.accept("RESET"):
		p.list(func() { s.Reset = append(s.Reset, p.propertyKey()) })
	default:
		p.unexpected()
	}
	s.Span = p.spanFrom(lo)
	return s
}

// someProperties reads properties, of which there must be one at least.
func (p *parser) someProperties() []Property {
	at := p.pos
	props := p.properties()
	if p.err == nil && len(props) == 0 {
		p.failSpan(at, p.pos, "no properties given", "write ('key' = 'value')")
	}
	return props
}

// describeStmt reads DESCRIBE.
func (p *parser) describeStmt() Stmt {
	lo := p.pos
	p.pos++
	if p.is("SAVEPOINT") && p.pos+1 < p.end && !p.isAt(1, ".") {
		p.pos++
		s := &DescribeSavepoint{Savepoint: p.label(aSavepoint)}
		s.Span = p.spanFrom(lo)
		return s
	}
	s := &Describe{Kind: ObjectTable}
	switch {
	case p.is("FUNCTION") && p.pos+1 < p.end && !p.isAt(1, "."):
		p.pos++
		s.Kind = ObjectFunction
		s.Extended = p.acceptExtended()
		s.Name = p.functionNameAt()
	default:
		s.Extended = p.acceptExtended()
		p.accept("TABLE")
		if p.tok(0).kind == tokString {
			at := p.pos
			s.Path = &PathTable{Path: p.str(), Hints: p.hints()}
			s.Path.Span = p.spanFrom(at)
		} else {
			s.Name = p.qualified()
		}
	}
	s.Span = p.spanFrom(lo)
	return s
}

// acceptExtended reads EXTENDED unless it is itself the name.
func (p *parser) acceptExtended() bool {
	return p.pos+1 < p.end && !p.isAt(1, ".") && p.accept("EXTENDED")
}

// functionNameAt reads the name of a function, which may be a reserved word such as LEFT.
func (p *parser) functionNameAt() Name {
	t := p.tok(0)
	if t.kind != tokWord || !t.reserved {
		return p.qualified()
	}
	p.pos++
	return p.dotted(p.pos-1, p.identOf(t))
}

// showKinds are the lists of SHOW.
var showKinds = []ShowKind{
	ShowTables, ShowViews, ShowFunctions, ShowConnectors, ShowFormats, ShowJobs, ShowCheckpoints,
	ShowSavepoints, ShowWatermarks, ShowSettings,
}

// show reads SHOW.
func (p *parser) show() Stmt {
	lo := p.pos
	p.pos++
	if p.accept("CREATE") {
		return p.showCreate(lo)
	}
	s := &Show{}
	for _, k := range showKinds {
		if p.accept(string(k)) {
			s.Kind = k
			break
		}
	}
	if s.Kind == "" {
		p.unexpected()
	}
	p.showJob(s)
	s.Not = p.accept("NOT LIKE")
	if s.Not || p.accept("LIKE") {
		pattern := p.str()
		s.Like = &pattern
	}
	s.Span = p.spanFrom(lo)
	return s
}

// showJob reads FOR JOB of the lists that belong to a job.
func (p *parser) showJob(s *Show) {
	switch s.Kind {
	case ShowCheckpoints, ShowWatermarks:
		p.expect("FOR JOB")
	case ShowSavepoints:
		if !p.accept("FOR JOB") {
			return
		}
	default:
		return
	}
	job := p.label(aJob)
	s.Job = &job
}

// showCreate reads what stands behind SHOW CREATE.
func (p *parser) showCreate(lo int) Stmt {
	s := &ShowCreate{Kind: p.objectKind(ObjectTable, ObjectView, ObjectMaterializedView, ObjectFunction)}
	if s.Kind == "" {
		p.unexpected()
	}
	s.Name = p.qualified()
	s.Span = p.spanFrom(lo)
	return s
}

// set reads SET.
func (p *parser) set() Stmt {
	lo := p.pos
	p.pos++
	s := &Set{}
	if !p.done() {
		key := p.settingKey()
		p.expect("=")
		value := p.settingValue()
		s.Key, s.Value = &key, &value
	}
	s.Span = p.spanFrom(lo)
	return s
}

// reset reads RESET.
func (p *parser) reset() Stmt {
	lo := p.pos
	p.pos++
	s := &Reset{}
	if !p.done() {
		key := p.settingKey()
		s.Key = &key
	}
	s.Span = p.spanFrom(lo)
	return s
}

// settingKey reads the key of a setting: a string, or words joined by dots and hyphens.
func (p *parser) settingKey() Text {
	if p.tok(0).kind == tokWord {
		return p.adjacent(func(t token) bool { return t.word != "=" })
	}
	if p.tok(0).kind == tokString {
		return p.str()
	}
	p.wantWord(p.pos, "a key")
	p.unexpected()
	return Text{}
}

// settingValue reads the value of a setting: a string, or a word or number without blanks.
func (p *parser) settingValue() Text {
	t := p.tok(0)
	if t.kind == tokWord || t.kind == tokNumber || t.kind == tokBad || t.word == "-" || t.word == "/" || t.word == "." {
		return p.adjacent(func(t token) bool { return t.kind != tokString && t.kind != tokQuoted })
	}
	if t.kind == tokString {
		return p.str()
	}
	p.wantWord(p.pos, "a value")
	p.unexpected()
	return Text{}
}

// adjacent reads tokens that follow each other without blanks.
func (p *parser) adjacent(good func(token) bool) Text {
	lo := p.pos
	for p.pos++; !p.done() && p.toks[p.pos].lo == p.toks[p.pos-1].hi && good(p.toks[p.pos]); {
		p.pos++
	}
	span := p.spanFrom(lo)
	return Text{span, strings.TrimSpace(span.Slice(p.src))}
}

// use reads USE.
func (p *parser) use() Stmt {
	lo := p.pos
	p.pos++
	s := &Use{}
	if p.pos+1 < p.end && !p.isAt(1, ".") {
		s.Catalog = p.accept("CATALOG")
	}
	s.Name = p.qualified()
	s.Span = p.spanFrom(lo)
	return s
}
