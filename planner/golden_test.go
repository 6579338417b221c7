package planner

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/catalog"
	_ "streamsql/connector/file"
	_ "streamsql/connector/format/csv"
	_ "streamsql/connector/format/json"
	_ "streamsql/connector/format/parquet"
	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

var rewriteGolden = flag.Bool("rewrite", false, "write what came out into the files of testdata")

// TestGolden runs the files of testdata. A file is a list of cases:
//
//	command options
//	statements
//	----
//	what must come out, up to an empty line
//
// Commands are ddl, show (of SHOW CREATE), the details of EXPLAIN in lower case, bound (the logical plan before any rule) and result (what the reader of
// the result is told). Options are final, single, parallelism=n, lateness=d, early=d, late=d, idle=d. An error is written as its Detail. All cases
// of a file share a catalog.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.test")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".test"), func(t *testing.T) { runGolden(t, file) })
	}
}

func runGolden(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	objects := catalog.New(nil)
	var out []string
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		head, want, isCase := strings.Cut(block+"\n", "----\n")
		if !isCase {
			out = append(out, block) // a comment
			continue
		}
		command, sql, _ := strings.Cut(head, "\n")
		got := run(objects, command, strings.TrimSpace(sql))
		if got != want && !*rewriteGolden {
			t.Errorf("%s\n%s\ngot:\n%s\nwant:\n%s", command, sql, got, want)
		}
		out = append(out, strings.TrimSuffix(head+"----\n"+got, "\n"))
	}
	if *rewriteGolden {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run returns what one case gives.
func run(objects *catalog.Catalog, command, sql string) string {
	words := strings.Fields(command)
	p := New(objects, settingsOf(words[1:]))
	text, err := p.runCommand(words[0], sql)
	if err == nil {
		return text
	}
	var placed *parser.Error
	if errors.As(err, &placed) {
		return placed.Detail() + "\n"
	}
	return "error without a place: " + err.Error() + "\n"
}

func settingsOf(options []string) Settings {
	s := Settings{Parallelism: 4, Dir: "testdata/files"}
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		duration, _ := time.ParseDuration(value)
		switch key {
		case "final":
			s.FinalResult = true
		case "single":
			s.SinglePhase = true
		case "lateness":
			s.Lateness = duration
		case "early":
			s.EarlyFire = &duration
		case "late":
			s.LateFire = &duration
		case "idle":
			s.IdleTimeout = duration
		default:
			panic("unknown option " + o)
		}
	}
	return s
}

func (p *Planner) runCommand(command, sql string) (string, error) {
	stmts, err := parser.Parse("", sql)
	if err != nil {
		return "", err
	}
	script := catalog.Script{Text: sql}
	if command == "ddl" {
		for _, s := range stmts {
			if err := p.define(s, script); err != nil {
				return "", err
			}
		}
		return "ok\n", nil
	}
	switch command {
	case "show":
		return p.drawDefinition(stmts[0].(*parser.ShowCreate))
	case "bound":
		return p.drawBound(stmts[0], script)
	case "result":
		return p.drawResult(stmts[0].(*parser.QueryStmt), script)
	}
	return p.Explain(stmts[0], script, parser.ExplainDetail(strings.ToUpper(command)))
}

// define runs a statement that makes an object.
func (p *Planner) define(s parser.Stmt, script catalog.Script) error {
	var o catalog.Object
	var err error
	conflict := catalog.Refuse
	switch s := s.(type) {
	case *parser.CreateTable:
		if s.As != nil {
			o, _, err = p.CreateTableAs(s, script)
		} else {
			o, err = p.CreateTable(s, script)
		}
	case *parser.AlterTable:
		old, changed, err := p.AlterTable(s, script)
		if err != nil {
			return err
		}
		return p.catalog.Alter(old, changed)
	case *parser.CreateView:
		o, err = p.CreateView(s, script)
		if s.OrReplace {
			conflict = catalog.Replace
		}
	case *parser.CreateFunction:
		o, err = p.CreateFunction(s, script)
	case *parser.Drop:
		return p.catalog.Drop(s.Kind, s.Name.Last().Name)
	default:
		return fmt.Errorf("%T defines nothing", s)
	}
	if err != nil {
		return err
	}
	return p.catalog.Create(o, conflict)
}

// drawDefinition writes the statement that makes an object, and the columns of a table.
func (p *Planner) drawDefinition(s *parser.ShowCreate) (string, error) {
	o, err := p.catalog.Get(s.Kind, s.Name.Last().Name)
	if err != nil {
		return "", err
	}
	text := parser.Format(o.Definition()) + ";\n"
	t, ok := o.(*catalog.Table)
	if !ok {
		return text, nil
	}
	for _, c := range t.Columns {
		text += fmt.Sprintf("%s %s", c.Name, expr.TypeName(c.Type))
		if !c.Nullable {
			text += " NOT NULL"
		}
		if c.Computed != nil {
			text += " AS " + c.Computed.String()
		}
		if c.Default != nil {
			text += " DEFAULT " + c.Default.String()
		}
		text += "\n"
	}
	return text, nil
}

// drawBound draws a query's logical plan before any rule.
func (p *Planner) drawBound(s parser.Stmt, script catalog.Script) (string, error) {
	bound, err := p.newBinder(script).bindQuery(s.(*parser.QueryStmt).Query)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	drawNode(&b, bound.root, 0)
	return b.String(), nil
}

// drawResult writes what the reader of a result is told.
func (p *Planner) drawResult(s *parser.QueryStmt, script catalog.Script) (string, error) {
	planned, err := p.PlanQuery(s.Query, script)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, f := range planned.Schema.Fields() {
		null := " NOT NULL"
		if f.Nullable {
			null = ""
		}
		fmt.Fprintf(&b, "%d %s %s%s\n", i, f.Name, expr.TypeName(f.Type), null)
	}
	fmt.Fprintf(&b, "%s, bounded: %v", planned.Changelog, planned.Bounded)
	if planned.Key != nil {
		fmt.Fprintf(&b, ", key: %v", planned.Key)
	}
	if planned.Sort != nil {
		fmt.Fprintf(&b, ", sort: %+v", *planned.Sort)
	}
	return b.String() + "\n" + signatures(planned.Graph), nil
}

func signatures(g *plan.Graph) string {
	var b strings.Builder
	for _, v := range g.Vertices {
		if s := plan.Signature(v.Op); s != "" {
			fmt.Fprintf(&b, "%s: %s\n", v.ID, strings.ReplaceAll(s, "\n", "; "))
		}
	}
	return b.String()
}
