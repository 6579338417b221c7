package plan

// Chained tells whether a vertex runs in the task of its one input: its operator is called directly with what that one emits.
func (g *Graph) Chained(i int) bool {
	v := g.Vertices[i]
	if len(v.Inputs) != 1 {
		return false
	}
	in := v.Inputs[0]
	return in.Exchange.Kind == Forward && g.Vertices[in.From].Parallelism == v.Parallelism
}

// Outputs lists the vertices that read from a vertex.
func (g *Graph) Outputs(i int) []int {
	var outputs []int
	for j, v := range g.Vertices {
		for _, in := range v.Inputs {
			if in.From == i {
				outputs = append(outputs, j)
				break
			}
		}
	}
	return outputs
}
