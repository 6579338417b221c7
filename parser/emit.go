package parser

// emitClause reads what stands behind EMIT.
func (p *parser) emitClause() *Emit {
	lo := p.pos - 1
	e := &Emit{}
	switch {
	case p.accept("CHANGES"):
		e.Mode = EmitChanges
	case p.accept("FINAL"):
		e.Mode = EmitFinal
	case p.accept("ON WINDOW CLOSE"):
		e.Mode = EmitOnWindowClose
	case p.accept("PERIODIC"):
		e.Mode, e.Every = EmitPeriodic, p.duration()
	case p.accept("AFTER WATERMARK"):
		e.Mode = EmitAfterWatermark
		p.emitOptions(e)
	default:
		p.unexpected()
	}
	e.Span = p.spanFrom(lo)
	return e
}

// emitOptions reads what may follow AFTER WATERMARK, each at most once and in any order.
func (p *parser) emitOptions(e *Emit) {
	for p.err == nil {
		switch {
		case e.Delay == nil && p.accept("WITH DELAY"):
			e.Delay = p.duration()
		case e.Early == nil && p.accept("EARLY EVERY"):
			e.Early = p.triggers()
		case e.Late == nil && p.accept("LATE EVERY"):
			e.Late = p.triggers()
		case e.Lateness == nil && p.accept("ALLOWED LATENESS"):
			e.Lateness = p.duration()
		case e.LatePolicy == "" && p.acceptLatePolicy(e):
		case e.Accumulation == "" && p.acceptAccumulation(e):
		default:
			return
		}
	}
}

// acceptLatePolicy reads LATE DROP, LATE FIRE or LATE SIDE.
func (p *parser) acceptLatePolicy(e *Emit) bool {
	for _, policy := range []LatePolicy{LateDrop, LateFire, LateSide} {
		if p.accept("LATE " + string(policy)) {
			e.LatePolicy = policy
			return true
		}
	}
	return false
}

// acceptAccumulation reads DISCARDING, ACCUMULATING or RETRACTING.
func (p *parser) acceptAccumulation(e *Emit) bool {
	for _, a := range []Accumulation{Discarding, Accumulating, Retracting} {
		if p.accept(string(a)) {
			e.Accumulation = a
			return true
		}
	}
	return false
}

// triggers reads intervals and numbers of rows joined by OR.
func (p *parser) triggers() []Trigger {
	var list []Trigger
	for p.err == nil {
		lo := p.pos
		var t Trigger
		if p.tok(0).kind == tokNumber && (p.isAt(1, "ROWS") || p.isAt(1, "ROW")) {
			t.Rows = p.integer(1)
			p.pos++
		} else {
			t.Interval = p.duration()
		}
		t.Span = p.spanFrom(lo)
		list = append(list, t)
		if !p.accept("OR") {
			break
		}
		p.accept("EVERY")
	}
	return list
}

// duration reads an interval, with or without the word INTERVAL.
func (p *parser) duration() *Interval {
	if p.is("INTERVAL") {
		return p.interval()
	}
	if t := p.tok(0); t.kind == tokNumber || t.kind == tokString {
		return p.quantity(p.pos)
	}
	p.wantWord(p.pos, "an interval such as INTERVAL '1' MINUTE")
	p.unexpected()
	return nil
}
