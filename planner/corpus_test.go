package planner

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/parser"
)

// The connectors that the corpus names take any option.
func init() {
	for _, name := range []string{"any", "kafka", "nexmark", "blackhole"} {
		connector.Register(&connector.Connector{
			Name:     name,
			Metadata: testMetadata,
			More:     anyOptions,
			NewSource: func(spec connector.SourceSpec, _ *connector.Options) (connector.Source, error) {
				return corpusSource{bounded: spec.Table.Options["bounded"] == "true"}, nil
			},
			NewSink: func(connector.SinkSpec, *connector.Options) (connector.Sink, error) { return corpusSink{}, nil },
		})
	}
}

func anyOptions(t connector.Table) ([]connector.Option, error) {
	var options []connector.Option
	for key := range t.Options {
		if key != connector.Key {
			options = append(options, connector.Option{Key: key})
		}
	}
	return options, nil
}

type corpusSource struct {
	fakeSource
	bounded bool
}

func (s corpusSource) Bounded() bool    { return s.bounded }
func (s corpusSource) Replayable() bool { return true }
func (s corpusSource) Changelog() bool  { return false }
func (s corpusSource) Upsert() bool     { return false }

type corpusSink struct{ fakeSink }

func (corpusSink) Changelog() bool     { return true }
func (corpusSink) Upsert() bool        { return false }
func (corpusSink) MaxParallelism() int { return 0 }

// unbound are the statements that parse and mean nothing, with what is said of them.
var unbound = map[string]string{
	"q6":                 "'rownum' is a name of the select list, which WHERE comes before",
	"cast-row":           "JSON_VALUE(x, '$.name') takes a value out of JSON text",
	"cast-array":         "JSON_QUERY(x, '$' RETURNING ARRAY<STRING>) reads JSON text",
	"fn-left-right":      "argument 1 of CONVERT_TZ must be a STRING, got INT", // a number in the same statement
	"op-prec":            "AND takes a BOOLEAN, got INT",                       // a number in the same statement
	"acc-field":          "unknown database 'db'",
	"id-alias-keyword":   "column 'a' is neither in GROUP BY nor inside an aggregate",
	"join-lateral-table": "CROSS JOIN UNNEST(SPLIT(…)) AS t (x) makes rows of it",
	"grp-rollup-inside":  "ROLLUP stands for several groupings and has no value",
	"ddl-pk-inline":      "write UNIQUE (id) NOT ENFORCED",
	"ddl-like":           "INCLUDING OPTIONS takes those of 't1'",
	"ddl-function":       "a function is created by an SQL expression, not by a class",
	"multi-file":         "option 'connector' is missing",
}

// corpusCase is a statement of the corpus that should parse.
type corpusCase struct{ name, group, sql string }

var corpusHead = regexp.MustCompile(`(?m)^=== (.*)\n`)

// sections divides a text at its lines === head.
func sections(t testing.TB, file string) (heads, bodies []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := corpusHead.FindAllStringSubmatchIndex(string(text), -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		heads, bodies = append(heads, string(text[m[2]:m[3]])), append(bodies, string(text[m[1]:end]))
	}
	return heads, bodies
}

func corpus(t testing.TB) []corpusCase {
	var cases []corpusCase
	heads, bodies := sections(t, "../parser/testdata/statements.txt")
	for i, head := range heads {
		parts := strings.Split(head, " | ")
		if !strings.HasPrefix(parts[2], "err:") {
			cases = append(cases, corpusCase{parts[0], parts[1], bodies[i]})
		}
	}
	return cases
}

// TestCorpus: every query and definition of the corpus has a plan, or is refused for a reason.
func TestCorpus(t *testing.T) {
	heads, bodies := sections(t, "testdata/corpus.sql")
	planned := 0
	for _, c := range corpus(t) {
		t.Run(c.name, func(t *testing.T) {
			objects := catalog.New(nil)
			p := New(objects, Settings{})
			for i, head := range heads {
				words := strings.Fields(head)
				if slices.Contains(words, c.group) && !strings.HasPrefix(c.name, "nx-") || slices.Contains(words, c.name) {
					p.prepareCorpus(t, bodies[i])
				}
			}
			n, err := p.planCorpus(c.sql)
			planned += n
			want, refused := unbound[c.name]
			switch {
			case refused && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("error %v, want %s", err, want)
			case !refused && err != nil:
				t.Errorf("%s\n%s", detail(err), c.sql)
			}
		})
	}
	if planned < 130 {
		t.Errorf("only %d statements had something to plan", planned)
	}
}

func detail(err error) string {
	var placed *parser.Error
	if errors.As(err, &placed) {
		return placed.Detail()
	}
	return err.Error()
}

// prepareCorpus creates objects, in the place of those of the same name.
func (p *Planner) prepareCorpus(t *testing.T, sql string) {
	stmts, err := parser.Parse("", sql)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stmts {
		p.makeRoom(s)
		if err := p.define(s, catalog.Script{Text: sql}); err != nil {
			t.Fatal(detail(err))
		}
	}
}

// makeRoom drops an object of the name that is to be created.
func (p *Planner) makeRoom(s parser.Stmt) {
	switch s := s.(type) {
	case *parser.CreateTable:
		_ = p.catalog.Drop(parser.ObjectTable, s.Name.Last().Name)
	case *parser.CreateView:
		_ = p.catalog.Drop(parser.ObjectView, s.Name.Last().Name)
	case *parser.CreateFunction:
		_ = p.catalog.Drop(parser.ObjectFunction, s.Name.Last().Name)
	}
}

// planCorpus plans statements and returns how many of them had a plan or made an object.
func (p *Planner) planCorpus(sql string) (planned int, err error) {
	stmts, err := parser.Parse("", sql)
	if err != nil {
		return 0, err
	}
	script := catalog.Script{Text: sql}
	for _, s := range stmts {
		if x, ok := s.(*parser.Explain); ok {
			s = x.Stmt
		}
		switch s := s.(type) {
		case *parser.QueryStmt, *parser.Insert, *parser.StatementSet:
			if err := p.createSinks(s, script); err != nil {
				return planned, err
			}
			_, err = p.Explain(s, script, parser.ExplainLogical, parser.ExplainPhysical, parser.ExplainChangelog, parser.ExplainState,
				parser.ExplainGuarantee, parser.ExplainAdvice, parser.ExplainJSON)
		case *parser.CreateTable, *parser.CreateView, *parser.CreateFunction, *parser.AlterTable:
			p.makeRoom(s)
			if err = p.define(s, script); err == nil {
				err = p.defineAgain(s)
			}
		default:
			continue
		}
		if err != nil {
			return planned, err
		}
		planned++
	}
	return planned, nil
}

// createSinks creates the tables that the statement writes to and that are not there, with the columns of what is written.
func (p *Planner) createSinks(s parser.Stmt, script catalog.Script) error {
	var inserts []*parser.Insert
	switch s := s.(type) {
	case *parser.Insert:
		inserts = append(inserts, s)
	case *parser.StatementSet:
		inserts = s.Inserts
	}
	for _, ins := range inserts {
		if _, err := p.catalog.Relation(ins.Table.Last().Name); err == nil {
			continue
		}
		text := func(s string) parser.Text { return parser.Text{Value: s} }
		tree := &parser.CreateTable{Name: ins.Table, As: ins.Query, With: []parser.Property{{Key: text("connector"), Value: text("any")}}}
		t, _, err := p.CreateTableAs(tree, script)
		if err != nil {
			return err
		}
		for i, c := range ins.Columns {
			t.Columns[i].Name = c.Name
		}
		if err := p.catalog.Create(t, catalog.Refuse); err != nil {
			return err
		}
	}
	return nil
}

// defineAgain makes an object from the statement that SHOW CREATE shows, which must show the same again.
func (p *Planner) defineAgain(s parser.Stmt) error {
	kind, name := parser.ObjectKind(""), ""
	switch s := s.(type) {
	case *parser.CreateTable:
		kind, name = parser.ObjectTable, s.Name.Last().Name
	case *parser.CreateView:
		kind, name = parser.ObjectView, s.Name.Last().Name
	case *parser.CreateFunction:
		kind, name = parser.ObjectFunction, s.Name.Last().Name
	default:
		return nil
	}
	o, err := p.catalog.Get(kind, name)
	if err != nil {
		return err
	}
	shown := parser.Format(o.Definition())
	stmts, err := parser.Parse("", shown)
	if err != nil {
		return err
	}
	p.makeRoom(stmts[0])
	if err := p.define(stmts[0], catalog.Script{Text: shown}); err != nil {
		return err
	}
	if o, err = p.catalog.Get(kind, name); err != nil {
		return err
	}
	if again := parser.Format(o.Definition()); again != shown {
		return fmt.Errorf("what is shown\n%s\nmakes what shows\n%s", shown, again)
	}
	return nil
}
