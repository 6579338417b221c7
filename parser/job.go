package parser

const (
	aJob       = "the name of a job"
	aSavepoint = "the name of a savepoint"
)

// jobAfter reads words and the name of a job.
func (p *parser) jobAfter(words string) Text {
	p.expect(words)
	return p.label(aJob)
}

// pauseJob reads PAUSE JOB.
func (p *parser) pauseJob() Stmt {
	lo := p.pos
	s := &PauseJob{Job: p.jobAfter("PAUSE JOB")}
	s.Span = p.spanFrom(lo)
	return s
}

// resumeJob reads RESUME JOB.
func (p *parser) resumeJob() Stmt {
	lo := p.pos
	s := &ResumeJob{Job: p.jobAfter("RESUME JOB")}
	s.Span = p.spanFrom(lo)
	return s
}

// cancelJob reads CANCEL JOB.
func (p *parser) cancelJob() Stmt {
	lo := p.pos
	s := &CancelJob{Job: p.jobAfter("CANCEL JOB")}
	s.Span = p.spanFrom(lo)
	return s
}

// checkpointJob reads CHECKPOINT JOB.
func (p *parser) checkpointJob() Stmt {
	lo := p.pos
	s := &CheckpointJob{Job: p.jobAfter("CHECKPOINT JOB")}
	s.Span = p.spanFrom(lo)
	return s
}

// stopJob reads STOP JOB j [WITH SAVEPOINT ['name']] [WITH DRAIN].
func (p *parser) stopJob() Stmt {
	lo := p.pos
	s := &StopJob{Job: p.jobAfter("STOP JOB")}
	for p.err == nil {
		switch {
		case !s.Savepoint && p.accept("WITH SAVEPOINT"):
			s.Savepoint = true
			s.Name = p.acceptStr()
		case !s.Drain && p.accept("WITH DRAIN"):
			s.Drain = true
		default:
			s.Span = p.spanFrom(lo)
			return s
		}
	}
	return s
}

// alterJob reads what stands behind ALTER JOB.
func (p *parser) alterJob(lo int) Stmt {
	s := &AlterJob{Job: p.label(aJob)}
	p.expect("SET")
	s.Set = p.someProperties()
	s.Span = p.spanFrom(lo)
	return s
}

// createSavepoint reads SAVEPOINT ['name'] FOR JOB j [TO 'dir'] of a CREATE at token lo.
func (p *parser) createSavepoint(lo int) Stmt {
	p.pos++
	s := &CreateSavepoint{}
	if !p.is("FOR") {
		p.wantWord(p.pos, "FOR")
		name := p.label(aSavepoint)
		s.Name = &name
	}
	s.Job = p.jobAfter("FOR JOB")
	if p.accept("TO") {
		dir := p.str()
		s.Dir = &dir
	}
	s.Span = p.spanFrom(lo)
	return s
}

// verifySavepoint reads VERIFY SAVEPOINT.
func (p *parser) verifySavepoint() Stmt {
	lo := p.pos
	p.expect("VERIFY SAVEPOINT")
	s := &VerifySavepoint{Savepoint: p.label(aSavepoint)}
	s.Span = p.spanFrom(lo)
	return s
}

// restore reads RESTORE JOB and RESTORE FROM SAVEPOINT.
func (p *parser) restore() Stmt {
	lo := p.pos
	p.pos++
	if p.accept("FROM") {
		return p.restoreInsert(lo)
	}
	s := &RestoreJob{Job: p.jobAfter("JOB")}
	p.expect("FROM")
	s.From = p.restorePoint()
	if p.accept("AS") {
		job := p.label(aJob)
		s.As = &job
	}
	if p.accept("WITH") {
		s.With = p.someProperties()
	}
	s.DryRun = p.accept("DRY RUN")
	s.Span = p.spanFrom(lo)
	return s
}

// restorePoint reads SAVEPOINT 'name', CHECKPOINT n or LATEST.
func (p *parser) restorePoint() RestorePoint {
	lo := p.pos
	var r RestorePoint
	switch {
	case p.accept("SAVEPOINT"):
		r.Kind, r.Savepoint = FromSavepoint, p.label(aSavepoint)
	case p.accept("CHECKPOINT"):
		r.Kind, r.Checkpoint = FromCheckpoint, p.integer(0)
	case p.accept("LATEST"):
		r.Kind = FromLatest
	default:
		p.unexpected()
	}
	r.Span = p.spanFrom(lo)
	return r
}

// restoreInsert reads SAVEPOINT 'name' [WITH (…)] and a statement behind RESTORE FROM.
func (p *parser) restoreInsert(lo int) Stmt {
	p.expect("SAVEPOINT")
	s := &RestoreInsert{Savepoint: p.label(aSavepoint)}
	if p.accept("WITH") {
		s.With = p.someProperties()
	}
	switch {
	case p.is("INSERT"):
		s.Stmt = p.insert()
	case p.is("EXECUTE"):
		s.Stmt = p.statementSet(p.pos, "EXECUTE STATEMENT SET BEGIN")
	default:
		p.wantWord(p.pos, "INSERT")
		p.wantWord(p.pos, "EXECUTE STATEMENT SET")
		p.unexpected()
	}
	s.Span = p.spanFrom(lo)
	return s
}
