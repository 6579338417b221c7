package job

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"streamsql/checkpoint"
	"streamsql/plan"
)

// describePlan is what a manifest keeps of the plan, to compare it with the one that is to go on.
func describePlan(g *plan.Graph, parallelism map[string]int) checkpoint.Plan {
	p := checkpoint.Plan{Operators: operators(g)}
	hash := sha256.New()
	for _, v := range g.Vertices {
		p.Vertices = append(p.Vertices, checkpoint.PlanVertex{Vertex: v.ID, Parallelism: parallelism[v.ID]})
		fmt.Fprintf(hash, "%s\n%s\n%v\n%s\n", v.ID, plan.Signature(v.Op), v.Inputs, v.Schema)
	}
	p.Fingerprint = hex.EncodeToString(hash.Sum(nil)[:8])
	return p
}

// operators lists the operators of a plan that keep state.
func operators(g *plan.Graph) []checkpoint.PlanOperator {
	var list []checkpoint.PlanOperator
	for _, v := range g.Vertices {
		if s := plan.Signature(v.Op); s != "" {
			list = append(list, checkpoint.PlanOperator{
				Operator: v.ID, Vertex: v.ID, Signature: s, Description: strings.ReplaceAll(s, "\n", ", "),
			})
		}
	}
	return list
}
