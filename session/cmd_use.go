package session

import (
	"context"
	"fmt"
	"strings"

	"streamsql/catalog"
	"streamsql/parser"
)

func init() {
	register(runUse, Command{"USE [CATALOG] name", "choose the catalog or database; there is one of each, " + catalog.DefaultCatalog + " and " + catalog.DefaultDatabase})
}

// runUse checks that a script uses the one catalog and its one database.
func runUse(_ context.Context, _ *Session, st statement, use *parser.Use) (*Result, error) {
	kinds, known := []string{"catalog", "database"}, []string{catalog.DefaultCatalog, catalog.DefaultDatabase}
	if use.Catalog {
		kinds, known = kinds[:1], known[:1]
	}
	parts := use.Name.Parts
	if len(parts) > len(known) {
		return nil, st.errorAt(use.Name.At(), fmt.Sprintf("'%s' is no name of a %s", use.Name, kinds[len(kinds)-1]))
	}
	kinds, known = kinds[len(kinds)-len(parts):], known[len(known)-len(parts):]
	for i, p := range parts {
		if !strings.EqualFold(p.Name, known[i]) {
			return nil, st.errorAt(p.At(), fmt.Sprintf("unknown %s '%s'; the only one is %s", kinds[i], p.Name, known[i]))
		}
	}
	return confirmation("%s is used", use.Name), nil
}
