package planner

import (
	"maps"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/internal/suggest"
	"streamsql/internal/text"
	"streamsql/parser"
)

// hinted is a table with the options of the hint OPTIONS in the place of its own.
func (b *binder) hinted(t *catalog.Table, hints []parser.Hint) (*catalog.Table, error) {
	for _, h := range hints {
		if h.Name != "OPTIONS" {
			return nil, b.at(h).error("unknown hint "+h.Name+" behind a table", "the hint of a table is OPTIONS('key' = 'value', …)")
		}
		changed := *t
		changed.Physical.Options = maps.Clone(t.Physical.Options)
		for _, p := range h.Properties {
			changed.Physical.Options[strings.ToLower(p.Key.Value)] = p.Value.Value
		}
		if err := connector.Check(changed.Physical); err != nil {
			return nil, b.optionError(h.Properties, parser.Name{Span: h.Span}, err)
		}
		var err error
		if changed.OnError, err = connector.OnError(changed.Physical.Options); err != nil {
			return nil, b.optionError(h.Properties, parser.Name{Span: h.Span}, err)
		}
		t = &changed
	}
	return t, nil
}

// queryHints are the hints behind SELECT. Those that choose between ways to join the same rows are known and change nothing here.
var queryHints = []string{"STATE_TTL", "BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP", "LOOKUP", "MULTI_JOIN"}

// stateTTL is how long the hint STATE_TTL keeps state, by the name of the table or view it is of, in lower case.
type stateTTL map[string]int64

// bindHints binds the hints behind SELECT.
func (b *binder) bindHints(hints []parser.Hint) (stateTTL, error) {
	ttl := stateTTL{}
	for _, h := range hints {
		if !slices.Contains(queryHints, h.Name) {
			return nil, b.at(h).error("unknown hint "+h.Name, suggest.Hint(h.Name, queryHints))
		}
		if h.Name != "STATE_TTL" {
			continue
		}
		if err := b.bindTTL(h, ttl); err != nil {
			return nil, err
		}
	}
	return ttl, nil
}

func (b *binder) bindTTL(h parser.Hint, ttl stateTTL) error {
	if len(h.Properties) == 0 {
		return b.at(h).error("STATE_TTL takes tables with times", "write STATE_TTL('orders' = '1d', 'shipments' = '12h')")
	}
	for _, p := range h.Properties {
		d, err := text.ParseDuration(p.Value.Value)
		if err != nil {
			return b.errorf(p.Value, "STATE_TTL: %s", err)
		}
		ttl[strings.ToLower(p.Key.Value)] = d.Milliseconds()
	}
	return nil
}

// apply gives the joins of FROM the times of their inputs, whose columns begin at a position.
func (t stateTTL) apply(n node, names *scope, start int) node {
	if len(t) == 0 {
		return n
	}
	switch n := n.(type) {
	case *project, *filter:
		return n.withInputs([]node{t.apply(n.inputs()[0], names, start)})
	case *join:
		middle := start + n.width()
		end := middle + len(n.right.columns())
		return n.with(func(j *join) {
			j.left, j.right = t.apply(j.left, names, start), t.apply(j.right, names, middle)
			j.ttl = [2]int64{t.of(names, start, middle), t.of(names, middle, end)}
		})
	}
	return n
}

// of is the longest time of the tables whose columns lie between two positions.
func (t stateTTL) of(names *scope, lo, hi int) int64 {
	var longest int64
	for _, table := range names.tables {
		if table.lo >= lo && table.hi <= hi {
			longest = max(longest, t[strings.ToLower(table.name)])
		}
	}
	return longest
}
