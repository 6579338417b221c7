package session

import (
	"fmt"
	"strings"

	"streamsql/internal/settings"
	"streamsql/parser"
)

// jobScript is a text that starts the job of an INSERT again: the settings, the objects it needs, and the statement.
func (s *Session) jobScript(st statement) string {
	var b strings.Builder
	for _, key := range settings.All() {
		if value, given := s.settings.Get(key); given && !ofOneStart[key.Key] {
			fmt.Fprintf(&b, "SET %s = %s;\n", quote(key.Key), quote(value))
		}
	}
	for _, o := range s.closure(st.tree) {
		b.WriteString(parser.Format(permanent(o.Definition())) + ";\n")
	}
	b.WriteString(st.text() + ";\n")
	return b.String()
}

// permanent is a definition without the word TEMPORARY, which depends on the session that runs it.
func permanent(definition parser.Stmt) parser.Stmt {
	switch tree := definition.(type) {
	case *parser.CreateTable:
		plain := *tree
		plain.Temporary = false
		return &plain
	case *parser.CreateView:
		plain := *tree
		plain.Temporary = false
		return &plain
	case *parser.CreateFunction:
		plain := *tree
		plain.Temporary = false
		return &plain
	}
	return definition
}

// ofOneStart are the settings that are about one start of a job and not about the job.
var ofOneStart = map[string]bool{
	settings.PipelineName.Key: true, settings.RecoveryPath.Key: true, settings.IgnoreUnclaimed.Key: true,
	settings.IgnoreMissingOutput.Key: true, settings.Fresh.Key: true, settings.DMLSync.Key: true,
}
