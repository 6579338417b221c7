package session

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"streamsql/checkpoint"
	"streamsql/parser"
)

func init() {
	register(runDescribeSavepoint, Command{
		"DESCRIBE SAVEPOINT 'name' | 'dir'",
		"show what is in a savepoint: its statement, how far the sources were, the operators' state",
	})
}

func runDescribeSavepoint(_ context.Context, s *Session, st statement, d *parser.DescribeSavepoint) (*Result, error) {
	m, dir, err := s.openSavepoint(st, d.Savepoint)
	if err != nil {
		return nil, err
	}
	g := s.newGrid(textField("section"), textField("name"), textField("detail"), numberField("rows"), numberField("bytes"))
	about := func(name, detail string) { g.add("savepoint", name, detail, nil, nil) }
	about("job", m.Job)
	about("directory", dir)
	about("checkpoint", fmt.Sprint(m.ID))
	about("created", m.Created.In(g.zone).Format("2006-01-02 15:04:05.000"))
	about("engine", m.Engine)
	about("plan", m.Plan.Fingerprint)
	for i, line := range strings.Split(strings.TrimSpace(m.SQL), "\n") {
		g.add("sql", fmt.Sprint(i+1), line, nil, nil)
	}
	describeOperators(g, m)
	describeSplits(g, m)
	return g.result(), nil
}

// describeOperators lists the operators with the size of their state.
func describeOperators(g *grid, m *checkpoint.Manifest) {
	type size struct{ rows, bytes int }
	sizes := map[string]size{}
	counted := map[string]bool{} // chunks that several tasks have a share of
	for _, t := range m.Tasks {
		for _, o := range t.Operators {
			at := sizes[o.Operator]
			for _, c := range o.Chunks {
				if !counted[c.Key] {
					counted[c.Key] = true
					at.rows += c.Rows
					at.bytes += c.Bytes
				}
			}
			at.bytes += len(o.Blob)
			sizes[o.Operator] = at
		}
	}
	tasks := map[string]int{}
	for _, v := range m.Plan.Vertices {
		tasks[v.Vertex] = v.Parallelism
	}
	for _, o := range m.Plan.Operators {
		detail := fmt.Sprintf("%s (in %d tasks)", o.Description, tasks[o.Vertex])
		g.add("operator", o.Operator, detail, sizes[o.Operator].rows, sizes[o.Operator].bytes)
	}
}

// describeSplits lists how far the sources had been read.
func describeSplits(g *grid, m *checkpoint.Manifest) {
	for _, t := range m.Tasks {
		for _, o := range t.Operators {
			for _, split := range o.Splits {
				g.add("position", o.Operator+" "+split.Split, positionText(split), nil, nil)
			}
		}
	}
}

// positionText shows a position, whose bytes mean something to its source only: as numbers if it consists of unsigned varints, as
// those of the built-in sources do, else in hexadecimal.
func positionText(s checkpoint.SplitState) string {
	switch {
	case s.Done:
		return "read to its end"
	case s.Position == nil:
		return "not begun"
	}
	var numbers []string
	for rest := s.Position; len(rest) > 0; {
		n, size := binary.Uvarint(rest)
		if size <= 0 {
			return hex.EncodeToString(s.Position)
		}
		numbers = append(numbers, fmt.Sprint(n))
		rest = rest[size:]
	}
	return "at " + strings.Join(numbers, ", ")
}
