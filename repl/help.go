package repl

import (
	"fmt"
	"strings"

	"streamsql/session"
)

// help lists the statements.
func help() string {
	var b strings.Builder
	for _, c := range session.Commands() {
		fmt.Fprintf(&b, "%s\n    %s\n", c.Synopsis, c.Doc)
	}
	b.WriteString("help\n    show this list\nquit, exit\n    leave; jobs take a last checkpoint and stop\n")
	return b.String()
}
