package planner

import (
	"fmt"
	"strings"
)

// Function documents a function that has its meaning from its place in a query, and so is in none of the registries.
type Function struct {
	Name    string
	Kind    string // window, table or grouping
	Syntax  string
	Doc     string // one sentence
	Example string // a query of the table bid
}

// Functions lists these functions.
func Functions() []Function {
	var all []Function
	for i := range windowKinds {
		all = append(all, windowKinds[i].functions()...)
	}
	for _, name := range []string{"GROUPING", "GROUPING_ID"} {
		all = append(all, Function{
			Name: name, Kind: "grouping", Syntax: name + "(key, …)",
			Doc: "A number with a bit for each of the keys, the last key's the lowest, which is 1 in the rows of GROUPING SETS, ROLLUP and CUBE " +
				"that are not grouped by it.",
			Example: "SELECT auction, " + name + "(auction) AS total, SUM(price) AS price FROM bid GROUP BY ROLLUP (auction)",
		})
	}
	return append(all, Function{
		Name: "UNNEST", Kind: "table", Syntax: "UNNEST(array, …) [WITH ORDINALITY] [AS t (column, …)]",
		Doc:     "A table of the elements of arrays, or of the keys and values of a map, one beside the other, and with WITH ORDINALITY their places.",
		Example: "SELECT auction, tag FROM bid CROSS JOIN UNNEST(ARRAY['a', 'b']) AS t (tag)",
	})
}

// windowDocs tells what the windows of each kind are.
var windowDocs = map[string]string{
	"TUMBLE":   "Windows of one size, each of which begins where the one before ends.",
	"HOP":      "Windows of one size that begin at every slide, so that a row is in several of them if the slide is shorter.",
	"CUMULATE": "Windows that begin together and end a step apart, up to the size, where the next ones begin.",
	"SESSION":  "Windows of rows that follow each other with less than the gap between them, for each value of the other keys.",
}

// windowEdges are the functions of a window of GROUP BY, and what they give.
var windowEdges = []struct{ name, doc string }{
	{"START", "The first moment of the window, as a TIMESTAMP."},
	{"END", "The first moment behind the window, as a TIMESTAMP."},
	{"ROWTIME", "The last moment of the window, as an event time by which the results can be put into windows again."},
	{"PROCTIME", "A processing time by which the results can be put into windows again."},
}

// functions lists the window itself and the functions of its bounds.
func (k *windowKind) functions() []Function {
	options := ""
	if k.offset {
		options = " [, offset]"
	}
	intervals, values := strings.ToLower(strings.Join(k.intervals, ", ")), make([]string, len(k.intervals))
	for i := range values {
		values[i] = fmt.Sprintf("INTERVAL '%d' MINUTE", 5*(i+1))
	}
	example := strings.Join(values, ", ")
	partition := ""
	if k.name == "SESSION" {
		partition = " [PARTITION BY column, …]"
	}
	tvf := Function{
		Name: k.name, Kind: "window", Doc: windowDocs[k.name],
		Syntax: "TABLE(" + k.name + "(TABLE t" + partition + ", DESCRIPTOR(time), " + intervals + options + "))",
		Example: "SELECT window_start, window_end, COUNT(*) AS bids FROM TABLE(" + k.name + "(TABLE bid, DESCRIPTOR(ts), " + example +
			")) GROUP BY window_start, window_end",
	}
	if !k.grouping {
		return []Function{tvf}
	}
	call := "(time, " + intervals + options + ")"
	tvf.Syntax += " | GROUP BY " + k.name + call
	all := []Function{tvf}
	for _, b := range windowEdges {
		name := k.name + "_" + b.name
		all = append(all, Function{
			Name: name, Kind: "window", Syntax: name + call, Doc: b.doc,
			Example: "SELECT " + name + "(ts, " + example + ") AS bound, COUNT(*) AS bids FROM bid GROUP BY " + k.name + "(ts, " + example + ")",
		})
	}
	return all
}
