package agg

import (
	"errors"
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func init() {
	Register(Function{
		Name: "APPROX_COUNT_DISTINCT", Aliases: []string{"APPROX_DISTINCT"},
		Signature: "APPROX_COUNT_DISTINCT(value)",
		Doc: "About how many different values there are that are not NULL: exactly up to 1024, and usually within 1 % above that, in 16 KiB " +
			"at most. Rows cannot be taken back, so the input must have no updates.",
		Example: "SELECT APPROX_COUNT_DISTINCT(x) FROM (VALUES ('a'), ('b'), ('a'), (NULL)) AS t (x)", ExampleResult: "2",
		Idempotent: true,
		Resolve:    resolveApproxCountDistinct,
	})
}

func resolveApproxCountDistinct(args []arrow.DataType, opt Options) (Call, error) {
	const name = "APPROX_COUNT_DISTINCT"
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	if opt.Retract {
		return Call{}, errors.New(name + " cannot take rows back, which updates of its input and moving frames need; COUNT(DISTINCT …) can")
	}
	if _, err := state.New(state.Config{Keys: args}); err != nil {
		return Call{}, &ArgumentError{Msg: name + ": " + err.Error()}
	}
	return Call{
		Args: args, Result: bigint, Mergeable: true, StateTypes: []arrow.DataType{arrow.ListOf(bigint), arrow.BinaryTypes.Binary},
		New: func(mem memory.Allocator) Accumulator { return &distinctSketches{mem: mem} },
	}, nil
}

// distinctSketches keeps the hashes of a group's values or, when there are too many, a sketch of them. What is kept depends on the
// values alone, not on their order nor on how they were merged, and so does the estimate. A row holds the number of the group's
// sketch. The state columns are a list of the hashes and the sketch, of which one is there.
type distinctSketches struct {
	mem memory.Allocator
	selection
	hashes   []uint64
	sketches slots[distinctSketch]
	bytes    int64
}

// distinctSketch is the hashes of different values, ascending, or a sketch of them.
type distinctSketch struct {
	hashes []uint64
	sketch *registers
}

// exactHashes is up to how many hashes are kept.
const exactHashes = 1024

func (s *distinctSketch) add(hash uint64) {
	if s.sketch != nil {
		s.sketch.add(hash)
		return
	}
	at, found := slices.BinarySearch(s.hashes, hash)
	if found {
		return
	}
	if len(s.hashes) < exactHashes {
		s.hashes = slices.Insert(s.hashes, at, hash)
		return
	}
	s.condense()
	s.sketch.add(hash)
}

// condense makes a sketch of the hashes.
func (s *distinctSketch) condense() {
	s.sketch = newRegisters()
	for _, h := range s.hashes {
		s.sketch.add(h)
	}
	s.hashes = nil
}

func (s *distinctSketch) count() int64 {
	if s.sketch != nil {
		return s.sketch.estimate()
	}
	return int64(len(s.hashes))
}

// size is about the memory it holds.
func (s *distinctSketch) size() int64 {
	n := int64(unsafe.Sizeof(*s)) + 8*int64(cap(s.hashes))
	if s.sketch != nil {
		n += int64(unsafe.Sizeof(*s.sketch))
	}
	return n
}

func (a *distinctSketches) Width() int { return 8 }

// of is the sketch of a group, nil if it has none.
func (a *distinctSketches) of(rows state.Rows, group uint32) *distinctSketch {
	if slot := *state.At[uint32](rows, group); slot != 0 {
		return a.sketches.get(slot)
	}
	return nil
}

// change calls f with the sketch of a group, a new one if it has none.
func (a *distinctSketches) change(rows state.Rows, group uint32, f func(s *distinctSketch) error) error {
	s := a.of(rows, group)
	if s == nil {
		s = &distinctSketch{}
		*state.At[uint32](rows, group) = a.sketches.add(s)
		a.bytes += s.size()
	}
	a.bytes -= s.size()
	err := f(s)
	a.bytes += s.size()
	return err
}

func (a *distinctSketches) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	if len(groups) == 0 {
		return nil
	}
	a.hashes = vec.Hash(in.Args, in.Rows, sel, a.hashes)
	for i, g := range groups {
		if s := a.of(rows, g); s != nil && s.sketch != nil {
			s.sketch.add(a.hashes[i])
			continue
		}
		_ = a.change(rows, g, func(s *distinctSketch) error {
			s.add(a.hashes[i])
			return nil
		})
	}
	return nil
}

func (a *distinctSketches) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	lists := columns[0].(*array.List)
	hashes := elements(lists)
	defer hashes.Release()
	values, at := vec.Values[int64](hashes), 0
	offsets, data := vec.Texts(columns[1])
	for i, g := range groups {
		from, to := lists.ValueOffsets(i)
		own := values[at : at+int(to-from)]
		at += len(own)
		if len(own) == 0 && columns[1].IsNull(i) {
			continue
		}
		err := a.change(rows, g, func(s *distinctSketch) error {
			for _, h := range own {
				s.add(uint64(h))
			}
			if columns[1].IsNull(i) {
				return nil
			}
			return s.merge(data[offsets[i]:offsets[i+1]])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// merge puts a sketch, given by its ranks, into it.
func (s *distinctSketch) merge(ranks []byte) error {
	if s.sketch == nil {
		s.condense()
	}
	return s.sketch.merge(ranks)
}

func (a *distinctSketches) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	offsets := make([]int32, 1, len(groups)+1)
	var hashes []int64
	sketches := vec.NewStrings(a.mem, len(groups), 0)
	for _, g := range groups {
		s := a.of(rows, g)
		if s != nil {
			for _, h := range s.hashes {
				hashes = append(hashes, int64(h))
			}
		}
		offsets = append(offsets, int32(len(hashes)))
		if s == nil || s.sketch == nil {
			sketches.AppendNull()
			continue
		}
		sketches.AppendBytes(s.sketch.ranks[:])
	}
	return []arrow.Array{
		list(a.mem, offsets, buildFixed(a.mem, bigint, hashes, nil)),
		sketches.Array(arrow.BinaryTypes.Binary),
	}, nil
}

func (a *distinctSketches) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	buf, counts := vec.NewFixed[int64](a.mem, len(groups))
	for i, g := range groups {
		counts[i] = 0
		if s := a.of(rows, g); s != nil {
			counts[i] = s.count()
		}
	}
	return vec.MakeArray(bigint, len(groups), 0, nil, buf), nil
}

func (a *distinctSketches) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		if s := a.of(rows, g); s != nil {
			a.bytes -= s.size()
			a.sketches.remove(*state.At[uint32](rows, g))
		}
	}
}

func (a *distinctSketches) Bytes() int64 { return a.bytes }
