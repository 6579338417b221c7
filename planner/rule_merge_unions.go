package planner

// mergeUnions makes one union of a union over unions.
var mergeUnions = rule{"merge unions", func(_ *Planner, n node) node {
	u, ok := n.(*union)
	if !ok {
		return nil
	}
	var ins []node
	nested := false
	for _, in := range u.ins {
		if below, ok := in.(*union); ok {
			ins = append(ins, below.ins...)
			nested = true
			continue
		}
		ins = append(ins, in)
	}
	if !nested {
		return nil
	}
	return newUnion(ins)
}}
