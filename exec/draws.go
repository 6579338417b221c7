package exec

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"streamsql/checkpoint"
	"streamsql/exec/expr"
)

// draws is how many rows the programs of a subtask with random functions have seen. It is kept with the subtask's state, so that
// what is worked on again after a restore draws the numbers it has drawn before, and what comes after it none of them.
type draws struct {
	subtask     int
	parallelism int
	seed        uint64
	restored    []checkpoint.OperatorState
	programs    []drawing
}

// drawing is a program or predicate with random functions.
type drawing interface {
	Drawn() uint64
	Resume(drawn uint64)
}

// drawsName is the name under which a vertex's draws are kept.
func drawsName(vertex string) string { return vertex + "-random" }

// newDraws gives each subtask of each vertex numbers of its own.
func newDraws(seed uint64, vertex string, subtask, parallelism int, restored []checkpoint.OperatorState) draws {
	h := fnv.New64a()
	_, _ = io.WriteString(h, vertex+"/"+strconv.Itoa(subtask))
	return draws{subtask: subtask, parallelism: parallelism, seed: seed ^ h.Sum64(), restored: restored}
}

// settings are those of the next program of the subtask.
func (d *draws) settings(s expr.Settings) expr.Settings {
	s.Seed = d.seed + uint64(len(d.programs))
	return s
}

// add makes the program that was compiled with settings go on from the restored state, if it draws numbers.
func (d *draws) add(p drawing, exprs ...expr.Expr) {
	if !slices.ContainsFunc(exprs, func(e expr.Expr) bool { return !expr.IsDeterministic(e) }) {
		return
	}
	p.Resume(d.from(len(d.programs)))
	d.programs = append(d.programs, p)
}

// state is what a snapshot keeps: the subtask, the parallelism, and the rows of each program.
func (d *draws) state(vertex string) checkpoint.OperatorState {
	blob := binary.LittleEndian.AppendUint64(nil, uint64(d.subtask))
	blob = binary.LittleEndian.AppendUint64(blob, uint64(d.parallelism))
	for _, p := range d.programs {
		blob = binary.LittleEndian.AppendUint64(blob, p.Drawn())
	}
	return checkpoint.OperatorState{Operator: drawsName(vertex), Blob: blob}
}

// from is where a program goes on: where the same subtask was or, if it is one of more or fewer than before, behind all of them.
func (d *draws) from(program int) uint64 {
	var furthest uint64
	for _, s := range d.restored {
		words := make([]uint64, len(s.Blob)/8)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(s.Blob[8*i:])
		}
		if program+2 >= len(words) {
			continue
		}
		subtask, parallelism, drawn := words[0], words[1], words[2+program]
		if subtask == uint64(d.subtask) && parallelism == uint64(d.parallelism) {
			return drawn
		}
		furthest = max(furthest, drawn)
	}
	return furthest
}
