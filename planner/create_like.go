package planner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/parser"
)

// likeFeatures are what LIKE can take from a table beside its physical columns.
var likeFeatures = []string{"CONSTRAINTS", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS", "WATERMARKS"}

// merging is a table definition while it takes over another.
type merging struct {
	*binder
	tree    *parser.CreateTable
	source  *parser.CreateTable
	settled []parser.Property // the options of the source
	modes   map[string]string // by feature: INCLUDING, EXCLUDING or OVERWRITING
	whole   parser.CreateTable
}

// like is the definition with what it takes from the table it is LIKE.
func (b *binder) like(tree *parser.CreateTable) (*parser.CreateTable, error) {
	source, err := b.likeSource(tree.Like)
	if err != nil {
		return nil, err
	}
	m := &merging{binder: b, tree: tree, source: source.DDL, settled: optionsOf(source), modes: likeModes(tree.Like.Options), whole: *tree}
	m.whole.Like, m.whole.Columns, m.whole.With = nil, nil, nil
	for _, step := range []func() error{m.columns, m.constraints, m.watermark, m.partitions, m.options} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return &m.whole, nil
}

func (b *binder) likeSource(like *parser.LikeTable) (*catalog.Table, error) {
	name, err := b.objectName(like.Table)
	if err != nil {
		return nil, err
	}
	o, err := b.catalog.Relation(name)
	if err != nil {
		return nil, b.missing(like.Table, err)
	}
	t, ok := o.(*catalog.Table)
	if !ok {
		return nil, b.at(like.Table).error("'"+o.ObjectName()+"' is a view; a table can be LIKE a table only", "CREATE TABLE … AS SELECT makes a table of a query")
	}
	return t, nil
}

// likeModes are the modes of all features: everything is taken over, and options can be changed, if nothing else is said.
func likeModes(options []parser.LikeOption) map[string]string {
	modes := map[string]string{}
	for _, f := range likeFeatures {
		modes[f] = "INCLUDING"
	}
	modes["OPTIONS"] = "OVERWRITING"
	for _, o := range options {
		if o.Feature != "ALL" {
			continue
		}
		for _, f := range likeFeatures {
			modes[f] = o.Mode
		}
	}
	for _, o := range options {
		if o.Feature != "ALL" {
			modes[o.Feature] = o.Mode
		}
	}
	return modes
}

// columns takes the physical columns, and the computed and metadata columns as their features say.
func (m *merging) columns() error {
	for _, c := range m.source.Columns {
		feature := ""
		switch {
		case c.Computed != nil:
			feature = "GENERATED"
		case c.Metadata != nil:
			feature = "METADATA"
		}
		if feature != "" && m.modes[feature] == "EXCLUDING" {
			continue
		}
		own := slices.IndexFunc(m.tree.Columns, func(o parser.Column) bool { return o.Name.Name == c.Name.Name })
		if own >= 0 && m.modes[feature] == "OVERWRITING" {
			continue
		}
		if own >= 0 {
			return m.errorf(m.tree.Columns[own].Name, "column '%s' is in '%s' already", c.Name.Name, m.source.Name)
		}
		m.whole.Columns = append(m.whole.Columns, c)
	}
	m.whole.Columns = append(m.whole.Columns, m.tree.Columns...)
	return nil
}

// takes tells whether a feature is taken from the source: it is not if the table has its own and may have it.
func (m *merging) takes(feature string, own bool, at parser.Node, what string) (bool, error) {
	switch mode := m.modes[feature]; {
	case mode == "EXCLUDING":
		return false, nil
	case own && mode == "INCLUDING":
		return false, m.at(at).error(fmt.Sprintf("'%s' has %s already", m.source.Name, what), "write LIKE "+m.source.Name.String()+" (EXCLUDING "+feature+") to leave that out")
	}
	return !own, nil
}

func (m *merging) constraints() error {
	own := m.tree.PrimaryKey
	if m.source.PrimaryKey == nil && len(m.source.Unique) == 0 {
		return nil
	}
	take, err := m.takes("CONSTRAINTS", own != nil, own, "a primary key")
	if take {
		m.whole.PrimaryKey = m.source.PrimaryKey
		m.whole.Unique = slices.Concat(m.source.Unique, m.tree.Unique)
	}
	return err
}

func (m *merging) watermark() error {
	if m.source.Watermark == nil {
		return nil
	}
	take, err := m.takes("WATERMARKS", m.tree.Watermark != nil, m.tree.Watermark, "a watermark")
	if take {
		m.whole.Watermark = m.source.Watermark
	}
	return err
}

func (m *merging) partitions() error {
	if len(m.source.PartitionedBy) == 0 {
		return nil
	}
	take, err := m.takes("PARTITIONS", len(m.tree.PartitionedBy) > 0, m.tree.Name, "partitions")
	if take {
		m.whole.PartitionedBy = m.source.PartitionedBy
	}
	return err
}

func (m *merging) options() error {
	if m.modes["OPTIONS"] == "EXCLUDING" {
		m.whole.With = m.tree.With
		return nil
	}
	if m.modes["OPTIONS"] == "INCLUDING" {
		for _, p := range m.tree.With {
			if slices.ContainsFunc(m.settled, func(o parser.Property) bool { return sameKey(o, p) }) {
				return m.at(p.Key).error(fmt.Sprintf("'%s' has the option '%s' already", m.source.Name, p.Key.Value), "write OVERWRITING OPTIONS to change it")
			}
		}
	}
	m.whole.With = withChanges(m.settled, m.tree.With, nil)
	return nil
}

func sameKey(a, b parser.Property) bool { return strings.EqualFold(a.Key.Value, b.Key.Value) }

// withChanges are options after some are set and some taken away.
func withChanges(options, set []parser.Property, reset []parser.Text) []parser.Property {
	var changed []parser.Property
	for _, o := range options {
		taken := slices.ContainsFunc(set, func(p parser.Property) bool { return sameKey(o, p) }) ||
			slices.ContainsFunc(reset, func(k parser.Text) bool { return strings.EqualFold(k.Value, o.Key.Value) })
		if !taken {
			changed = append(changed, o)
		}
	}
	return append(changed, set...)
}

// excluded tells of the options that LIKE has left out, if the definition lacks some.
func (b *binder) excluded(tree *parser.CreateTable, err error) error {
	var placed *parser.Error
	without := func(o parser.LikeOption) bool {
		return o.Mode == "EXCLUDING" && (o.Feature == "ALL" || o.Feature == "OPTIONS")
	}
	if errors.As(err, &placed) && slices.ContainsFunc(tree.Like.Options, without) {
		placed.Hints = append(placed.Hints, "INCLUDING OPTIONS takes those of '"+tree.Like.Table.Last().Name+"'")
	}
	return err
}
