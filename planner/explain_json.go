package planner

import (
	"encoding/json"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// The form of EXPLAIN (JSON).
type (
	jsonPlan struct {
		Vertices []jsonVertex `json:"vertices"`
		Bounded  bool         `json:"bounded"`
	}
	jsonVertex struct {
		ID          string       `json:"id"`
		Operator    string       `json:"operator"`
		Description string       `json:"description"`
		Parallelism int          `json:"parallelism,omitempty"`
		Changelog   string       `json:"changelog"`
		State       string       `json:"state,omitempty"`
		Inputs      []jsonInput  `json:"inputs"`
		Columns     []jsonColumn `json:"columns"`
	}
	jsonInput struct {
		From     string   `json:"from"`
		Exchange string   `json:"exchange"`
		Keys     []string `json:"keys,omitempty"`
		Chained  bool     `json:"chained"`
	}
	jsonColumn struct {
		Name     string `json:"name"`
		Type     string `json:"type"`
		Nullable bool   `json:"nullable"`
	}
)

// drawJSON writes the physical plan for programs to read.
func drawJSON(_ *Planner, planned *Planned) (string, error) {
	picture := jsonPlan{Bounded: planned.Bounded}
	for i, v := range planned.Graph.Vertices {
		picture.Vertices = append(picture.Vertices, jsonVertex{
			ID: v.ID, Operator: plan.Kind(v.Op), Description: vertexText(v), Parallelism: v.Parallelism,
			Changelog: v.Changelog.String(), State: stateText(v, planned.Bounded),
			Inputs: jsonInputs(planned.Graph, i), Columns: jsonColumns(v),
		})
	}
	text, err := json.MarshalIndent(picture, "", "  ")
	return string(text) + "\n", err
}

func jsonInputs(g *plan.Graph, i int) []jsonInput {
	inputs := []jsonInput{}
	for _, in := range g.Vertices[i].Inputs {
		from := g.Vertices[in.From]
		edge := jsonInput{From: from.ID, Exchange: in.Exchange.Kind.String(), Chained: g.Chained(i)}
		if in.Exchange.Kind == plan.Hash && len(in.Exchange.Keys) == 0 {
			edge.Exchange = "single"
		}
		for _, k := range in.Exchange.Keys {
			edge.Keys = append(edge.Keys, from.Schema.Field(k).Name)
		}
		inputs = append(inputs, edge)
	}
	return inputs
}

func jsonColumns(v *plan.Vertex) []jsonColumn {
	cols := []jsonColumn{}
	for _, f := range v.Schema.Fields() {
		cols = append(cols, jsonColumn{f.Name, expr.TypeName(f.Type), f.Nullable})
	}
	return cols
}
