package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// bindPartition binds PARTITION (dt = '…', …): columns that get the same value in all rows. A column without a value gets it from the
// query, as if it were not named.
func (ins *insert) bindPartition() error {
	ins.static = map[int]expr.Expr{}
	for _, p := range ins.tree.Partition {
		i, err := ins.target(p.Column)
		if err != nil {
			return err
		}
		if !ins.isPartition(i) {
			return ins.errorf(p.Column, "'%s' is no partition column of '%s'", p.Column.Name, ins.table.Name)
		}
		if p.X == nil {
			continue
		}
		if ins.static[i], err = ins.partitionValue(p, i); err != nil {
			return err
		}
	}
	return nil
}

func (ins *insert) isPartition(physical int) bool {
	return slices.ContainsFunc(ins.table.PartitionedBy, func(c int) bool { return ins.table.Columns[c].Physical == physical })
}

// partitionValue is a constant of the column's type.
func (ins *insert) partitionValue(p parser.PartitionValue, physical int) (expr.Expr, error) {
	x, err := ins.scalar(&scope{clause: "PARTITION"}, p.X)
	if err != nil {
		return nil, err
	}
	f := ins.table.Physical.Schema.Field(physical)
	if x, err = ins.coerce(x, f.Type); err != nil {
		return nil, ins.errorf(p.X, "column '%s' of '%s' takes %s: %s", f.Name, ins.table.Name, expr.TypeName(f.Type), err)
	}
	return x, nil
}
