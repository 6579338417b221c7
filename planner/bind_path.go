package planner

import "streamsql/parser"

func (b *binder) bindPath(*parser.PathTable) (node, *scope, error) { return nil, nil, nil }
