package session

import (
	"fmt"
	"os"
	"path/filepath"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/exec"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// errorsSuffix makes the name of the table of a table's undecodable records.
const errorsSuffix = "$errors"

// addErrorTable adds t$errors for a table t whose on.error is dead-letter. Jobs that read t put its undecodable records there, in
// files in the data directory.
func (s *Session) addErrorTable(o catalog.Object) error {
	table, ok := o.(*catalog.Table)
	if !ok || table.OnError != connector.DeadLetter {
		return nil
	}
	errors, err := s.errorTable(table.Name)
	if err != nil {
		return err
	}
	return s.objects.Create(errors, catalog.Keep)
}

// errorTable describes the table of the undecodable records of a table.
func (s *Session) errorTable(table string) (catalog.Object, error) {
	dir, err := filepath.Abs(filepath.Join(s.engine.dir, "errors", table))
	if err != nil {
		return nil, err
	}
	columns := ""
	for _, f := range exec.DeadLetterSchema.Fields() {
		columns += fmt.Sprintf("`%s` %s, ", f.Name, expr.TypeName(f.Type))
	}
	name := parser.Ident{Name: table + errorsSuffix, Quoted: true}
	return s.parseObject(fmt.Sprintf("CREATE TEMPORARY TABLE %s (%s) WITH ('connector' = 'filesystem', 'path' = %s, 'format' = 'json')",
		name, columns[:len(columns)-2], quote(dir)))
}

// errorSinks returns the sinks of a job's undecodable records.
func (s *Session) errorSinks(job string) func(connector.Table) (connector.Sink, error) {
	return func(t connector.Table) (connector.Sink, error) {
		o, err := s.errorTable(t.Name)
		if err != nil {
			return nil, err
		}
		table := o.(*catalog.Table).Physical
		if err := os.MkdirAll(table.Options["path"], 0o755); err != nil {
			return nil, err
		}
		return connector.NewSink(connector.SinkSpec{Table: table, Schema: exec.DeadLetterSchema, Job: job})
	}
}
