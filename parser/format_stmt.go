package parser

import "strconv"

// stmt writes a statement.
func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *QueryStmt:
		p.query(s.Query)
	case *Insert:
		p.insert(s)
	case *StatementSet:
		p.statementSet(s)
	case *CreateTable:
		p.createTable(s)
	case *CreateView:
		p.createView(s)
	case *CreateMaterializedView:
		p.createMaterializedView(s)
	case *CreateFunction:
		p.createFunction(s)
	case *Drop:
		p.put("DROP ")
		p.when(s.Temporary, "TEMPORARY ")
		p.put(string(s.Kind), " ")
		p.when(s.IfExists, "IF EXISTS ")
		p.name(s.Name)
	case *AlterTable:
		p.alterTable(s)
	case *Explain:
		p.explain(s)
	default:
		p.command(s)
	}
}

// command writes statements that show and set things.
func (p *printer) command(s Stmt) {
	switch s := s.(type) {
	case *ExplainAnalyze:
		p.put("EXPLAIN ANALYZE JOB ")
		p.label(s.Job)
		p.emitInterval(" FOR ", s.For)
	case *Describe:
		p.describe(s)
	case *Show:
		p.show(s)
	case *ShowCreate:
		p.put("SHOW CREATE ", string(s.Kind), " ")
		p.name(s.Name)
	case *Set:
		p.put("SET")
		if s.Key != nil {
			p.put(" ", quoteString(s.Key.Value), " = ", quoteString(s.Value.Value))
		}
	case *Reset:
		p.put("RESET")
		p.text(" ", s.Key)
	case *Use:
		p.put("USE ")
		p.when(s.Catalog, "CATALOG ")
		p.name(s.Name)
	default:
		p.job(s)
	}
}

// job writes statements about jobs and savepoints.
func (p *printer) job(s Stmt) {
	switch s := s.(type) {
	case *PauseJob:
		p.put("PAUSE JOB ")
		p.label(s.Job)
	case *ResumeJob:
		p.put("RESUME JOB ")
		p.label(s.Job)
	case *CancelJob:
		p.put("CANCEL JOB ")
		p.label(s.Job)
	case *CheckpointJob:
		p.put("CHECKPOINT JOB ")
		p.label(s.Job)
	case *AlterJob:
		p.put("ALTER JOB ")
		p.label(s.Job)
		p.put(" SET ")
		p.properties(s.Set)
	case *StopJob:
		p.stopJob(s)
	default:
		p.savepoint(s)
	}
}

// savepoint writes statements about savepoints.
func (p *printer) savepoint(s Stmt) {
	switch s := s.(type) {
	case *CreateSavepoint:
		p.put("CREATE SAVEPOINT")
		p.text(" ", s.Name)
		p.put(" FOR JOB ")
		p.label(s.Job)
		p.text(" TO ", s.Dir)
	case *DropSavepoint:
		p.text("DROP SAVEPOINT ", &s.Savepoint)
	case *DescribeSavepoint:
		p.text("DESCRIBE SAVEPOINT ", &s.Savepoint)
	case *VerifySavepoint:
		p.text("VERIFY SAVEPOINT ", &s.Savepoint)
	case *RestoreJob:
		p.restoreJob(s)
	case *RestoreInsert:
		p.text("RESTORE FROM SAVEPOINT ", &s.Savepoint)
		if s.With != nil {
			p.put(" WITH ")
			p.properties(s.With)
		}
		p.put(" ")
		p.stmt(s.Stmt)
	}
}

// text writes words and a string, if there is one.
func (p *printer) text(words string, t *Text) {
	if t != nil {
		p.put(words, quoteString(t.Value))
	}
}

// insert writes INSERT.
func (p *printer) insert(s *Insert) {
	p.put("INSERT ")
	if s.Overwrite {
		p.put("OVERWRITE ")
	} else {
		p.put("INTO ")
	}
	p.name(s.Table)
	if len(s.Hints) > 0 {
		p.put(" ")
		p.hints(s.Hints)
	}
	if s.Partition != nil {
		p.put(" PARTITION ")
		p.brackets(func() { commaList(p, s.Partition, p.partitionValue) })
	}
	if s.Columns != nil {
		p.put(" ")
		p.idents(s.Columns)
	}
	p.put(" ")
	p.query(s.Query)
}

// partitionValue writes column = x.
func (p *printer) partitionValue(v PartitionValue) {
	p.ident(v.Column)
	if v.X != nil {
		p.put(" = ")
		p.expr(v.X, levelAny)
	}
}

// statementSet writes a statement set, one INSERT a line.
func (p *printer) statementSet(s *StatementSet) {
	p.put("EXECUTE STATEMENT SET BEGIN\n")
	for _, i := range s.Inserts {
		p.put("  ")
		p.insert(i)
		p.put(";\n")
	}
	p.put("END")
}

// explain writes EXPLAIN (details) statement.
func (p *printer) explain(s *Explain) {
	p.put("EXPLAIN ")
	if s.Details != nil {
		p.brackets(func() { commaList(p, s.Details, func(d ExplainDetail) { p.put(string(d)) }) })
		p.put(" ")
	}
	p.stmt(s.Stmt)
}

// describe writes DESCRIBE. Names that read as its words are quoted.
func (p *printer) describe(s *Describe) {
	p.put("DESCRIBE ")
	if s.Kind == ObjectFunction {
		p.put("FUNCTION ")
	}
	p.when(s.Extended, "EXTENDED ")
	if s.Path != nil {
		p.tableRef(s.Path)
		return
	}
	p.name(s.Name)
}

// show writes SHOW.
func (p *printer) show(s *Show) {
	p.put("SHOW ", string(s.Kind))
	if s.Job != nil {
		p.put(" FOR JOB ")
		p.label(*s.Job)
	}
	p.when(s.Not, " NOT")
	p.text(" LIKE ", s.Like)
}

// stopJob writes STOP JOB.
func (p *printer) stopJob(s *StopJob) {
	p.put("STOP JOB ")
	p.label(s.Job)
	if s.Savepoint {
		p.put(" WITH SAVEPOINT")
		p.text(" ", s.Name)
	}
	p.when(s.Drain, " WITH DRAIN")
}

// restoreJob writes RESTORE JOB.
func (p *printer) restoreJob(s *RestoreJob) {
	p.put("RESTORE JOB ")
	p.label(s.Job)
	p.put(" FROM ", string(s.From.Kind))
	switch s.From.Kind {
	case FromSavepoint:
		p.put(" ", quoteString(s.From.Savepoint.Value))
	case FromCheckpoint:
		p.put(" ", strconv.FormatInt(s.From.Checkpoint, 10))
	}
	if s.As != nil {
		p.put(" AS ")
		p.label(*s.As)
	}
	if s.With != nil {
		p.put(" WITH ")
		p.properties(s.With)
	}
	p.when(s.DryRun, " DRY RUN")
}
