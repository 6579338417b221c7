package planner

import "streamsql/parser"

func (b *binder) bindMatch(node, *scope, *parser.Match) (node, *scope, error) { return nil, nil, nil }
