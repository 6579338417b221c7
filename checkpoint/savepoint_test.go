package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/internal/chunk"
	"streamsql/internal/dirty"
	"streamsql/internal/failpoint"
)

// group is the state of one key in the tests: the key is a nullable text and a number.
type group struct {
	text  string
	null  bool
	n     int64
	count float64
	flag  bool
	list  []int64 // nil: NULL
}

func (g group) key() string { return fmt.Sprintf("%q %v %d", g.text, g.null, g.n) }

func (g group) String() string {
	return fmt.Sprintf("%s: %v %v %v", g.key(), g.count, g.flag, g.list)
}

// hash spreads the numbers over the key groups; every other number collides with the one before it.
func (g group) hash() uint64 { return uint64(g.n/2) * 0x9e3779b97f4a7c15 }

var (
	groupKeys   = []arrow.DataType{arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64}
	groupStates = []arrow.DataType{
		arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Boolean, arrow.ListOf(arrow.PrimitiveTypes.Int64),
	}
)

// encodeGroups makes the data of a chunk.
func encodeGroups(groups []group, kind chunk.Kind) []byte {
	states := groupStates
	if kind == chunk.Tombstones {
		states = nil
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, chunk.Schema(kind, groupKeys, states))
	defer b.Release()
	for _, g := range groups {
		b.Field(0).(*array.Uint64Builder).Append(g.hash())
		if text := b.Field(1).(*array.StringBuilder); g.null {
			text.AppendNull()
		} else {
			text.Append(g.text)
		}
		b.Field(2).(*array.Int64Builder).Append(g.n)
		if kind == chunk.Tombstones {
			continue
		}
		b.Field(3).(*array.Float64Builder).Append(g.count)
		b.Field(4).(*array.BooleanBuilder).Append(g.flag)
		list := b.Field(5).(*array.ListBuilder)
		if list.Append(g.list != nil); g.list != nil {
			list.ValueBuilder().(*array.Int64Builder).AppendValues(g.list, nil)
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, ipc.WithSchema(rec.Schema()))
	if err := errors.Join(w.Write(rec), w.Close()); err != nil {
		panic(err)
	}
	return binary.LittleEndian.AppendUint32(buf.Bytes(), checksum(buf.Bytes()))
}

// decodeGroups is the inverse for live rows.
func decodeGroups(rec arrow.Record) []group {
	groups := make([]group, rec.NumRows())
	for i := range groups {
		g := &groups[i]
		text := rec.Column(1).(*array.String)
		if g.null = text.IsNull(i); !g.null {
			g.text = text.Value(i)
		}
		g.n = rec.Column(2).(*array.Int64).Value(i)
		g.count = rec.Column(3).(*array.Float64).Value(i)
		g.flag = rec.Column(4).(*array.Boolean).Value(i)
		if list := rec.Column(5).(*array.List); list.IsValid(i) {
			lo, hi := list.ValueOffsets(i)
			g.list = append([]int64{}, list.ListValues().(*array.Int64).Int64Values()[lo:hi]...)
		}
	}
	return groups
}

// memoryChunks is a chunk store in memory.
type memoryChunks map[string][]byte

func (m memoryChunks) Read(c Chunk) ([]byte, error) {
	return m[c.Key], verify(c, m[c.Key])
}

func (m memoryChunks) Verify(c Chunk) error { return verify(c, m[c.Key]) }

func (m memoryChunks) put(id ID, keyGroups [2]int, rows int, data []byte) Chunk {
	key := fmt.Sprintf("c/%d", len(m))
	m[key] = data
	return Chunk{key, id, keyGroups, rows, len(data), crc32.ChecksumIEEE(data)}
}

// restored reads the groups of an operator in [lo, hi) from the references of all tasks.
func restored(t failer, m *Manifest, r ChunkReader, lo, hi int) []string {
	t.Helper()
	var all []string
	for _, task := range m.Tasks {
		for _, o := range task.Operators {
			for _, c := range o.Chunks {
				c, ok := c.Narrow(lo, hi)
				if !ok {
					continue
				}
				rec := must[arrow.Record](t)(decodeChunk(memory.DefaultAllocator, must[[]byte](t)(r.Read(c))))
				for i, g := range decodeGroups(rec) {
					group := chunk.KeyGroup(g.hash())
					if group != chunk.KeyGroup(rec.Column(0).(*array.Uint64).Value(i)) {
						t.Errorf("row of %v has another hash", g)
					}
					if c.KeyGroups[0] <= group && group < c.KeyGroups[1] {
						all = append(all, g.String())
					}
				}
				rec.Release()
			}
		}
	}
	return all
}

// keyedJob is a model of the keyed state of an operator over checkpoints and rescalings.
type keyedJob struct {
	chunks memoryChunks
	tasks  [][]Chunk // chains
	groups map[string]group
	id     ID
}

func (j *keyedJob) owned(task int) [2]int {
	return [2]int{task * chunk.KeyGroups / len(j.tasks), (task + 1) * chunk.KeyGroups / len(j.tasks)}
}

// checkpoint writes some changed and some deleted groups of every task.
func (j *keyedJob) checkpoint(t *rapid.T) {
	j.id++
	for task := range j.tasks {
		owned := j.owned(task)
		var changed, deleted []group
		for i := range int64(60) { // two keys of each number; one in three times they are NULL and ""
			n := i / 2
			g := group{n: n, null: i%6 == 0, flag: rapid.Bool().Draw(t, "flag")}
			if n%3 != 0 {
				g.text = strings.Repeat("x", int(i%2))
			}
			if k := chunk.KeyGroup(g.hash()); k < owned[0] || k >= owned[1] {
				continue
			}
			change := rapid.SampledFrom([]string{"", "", "delete", "put", "delete and put"}).Draw(t, "change")
			if strings.HasPrefix(change, "delete") {
				deleted = append(deleted, g)
				delete(j.groups, g.key())
			}
			if strings.HasSuffix(change, "put") {
				g.count = float64(j.id)
				if g.flag {
					g.list = []int64{n, int64(j.id)}
				}
				changed = append(changed, g)
				j.groups[g.key()] = g
			}
		}
		if rapid.Bool().Draw(t, "shuffle") {
			changed = rapid.Permutation(changed).Draw(t, "rows")
		}
		tombstonesLast := rapid.Bool().Draw(t, "tombstones last")
		if !tombstonesLast {
			j.put(task, owned, deleted, chunk.Tombstones)
		}
		j.put(task, owned, changed, chunk.Rows)
		if tombstonesLast {
			j.put(task, owned, deleted, chunk.Tombstones)
		}
	}
}

func (j *keyedJob) put(task int, owned [2]int, groups []group, kind chunk.Kind) {
	if len(groups) > 0 {
		j.tasks[task] = append(j.tasks[task], j.chunks.put(j.id, owned, len(groups), encodeGroups(groups, kind)))
	}
}

// roll rewrites all groups of a task, after which its older chunks are dead.
func (j *keyedJob) roll(task int) {
	j.id++
	owned := j.owned(task)
	var all []group
	for _, g := range j.groups {
		if k := chunk.KeyGroup(g.hash()); owned[0] <= k && k < owned[1] {
			all = append(all, g)
		}
	}
	j.tasks[task] = nil
	j.put(task, owned, all, chunk.Rows)
}

// rescale gives the chunks to n tasks, each narrowed to what the task owns.
func (j *keyedJob) rescale(n int) {
	old := j.tasks
	j.tasks = make([][]Chunk, n)
	for task := range n {
		owned := j.owned(task)
		for _, chain := range old {
			for _, c := range chain {
				if c, ok := c.Narrow(owned[0], owned[1]); ok {
					j.tasks[task] = append(j.tasks[task], c)
				}
			}
		}
	}
}

func (j *keyedJob) manifest() *Manifest {
	m := oddEven()
	m.Tasks = m.Tasks[:2] // the sources
	for i, chain := range j.tasks {
		m.Tasks = append(m.Tasks, TaskState{Task: TaskID{"sum", i}, Operators: []OperatorState{{Operator: "sum/1 é", Chunks: chain}}})
	}
	return m
}

// live lists the groups in [lo, hi).
func (j *keyedJob) live(lo, hi int) []string {
	var all []string
	for _, g := range j.groups {
		if k := chunk.KeyGroup(g.hash()); lo <= k && k < hi {
			all = append(all, g.String())
		}
	}
	return all
}

func sameSet(a, b []string) bool {
	count := func(s []string) map[string]int {
		m := make(map[string]int)
		for _, x := range s {
			m[x]++
		}
		return m
	}
	return maps.Equal(count(a), count(b))
}

func TestSavepointHoldsTheLiveRows(t *testing.T) {
	base := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		j := &keyedJob{chunks: memoryChunks{}, groups: map[string]group{}}
		j.rescale(rapid.IntRange(1, 4).Draw(t, "tasks"))
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				j.roll(rapid.IntRange(0, len(j.tasks)-1).Draw(t, "task"))
			case 1:
				j.rescale(rapid.IntRange(1, 4).Draw(t, "tasks"))
			default:
				j.checkpoint(t)
			}
		}
		runs++
		dir := filepath.Join(base, fmt.Sprint(runs))
		check(t, WriteSavepoint(dir, j.manifest(), j.chunks))
		m := must[*Manifest](t)(VerifySavepoint(dir))
		_, r, err := OpenSavepoint(dir)
		check(t, err)
		cut := rapid.IntRange(0, chunk.KeyGroups).Draw(t, "cut")
		for _, span := range [][2]int{{0, chunk.KeyGroups}, {0, cut}, {cut, chunk.KeyGroups}} {
			got, want := restored(t, m, r, span[0], span[1]), j.live(span[0], span[1])
			if !sameSet(got, want) {
				t.Fatalf("key groups %v: restored\n%s\nexpected\n%s", span, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	})
}

func TestMergeReleasesWhatItTakes(t *testing.T) {
	j := &keyedJob{chunks: memoryChunks{}, groups: map[string]group{}}
	j.rescale(1)
	j.write(12_000, 1, 10)
	j.write(12_000, 3, chunk.KeyGroups)
	spoilt := j.chunks.put(j.id, [2]int{100, 101}, 1, []byte("no chunk"))
	for name, chain := range map[string][]Chunk{"whole": j.tasks[0], "spoilt": append(slices.Clone(j.tasks[0]), spoilt)} {
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		records := 0
		err := mergeChain(mem, chain, j.chunks, func(arrow.Record, [2]int) error {
			records++
			return nil
		})
		if (err == nil) != (name == "whole") || records == 0 {
			t.Errorf("%s: %d records, %v", name, records, err)
		}
		mem.AssertSize(t, 0)
	}
}

// savepoint writes a savepoint of two tasks with thousands of groups, in chunks of ten key groups and wide ones before and
// after them, and returns its directory and the model.
func savepoint(t *testing.T) (string, *keyedJob) {
	t.Helper()
	j := &keyedJob{chunks: memoryChunks{}, groups: map[string]group{}}
	j.rescale(2)
	j.write(12_000, 3, chunk.KeyGroups)
	j.write(12_000, 1, 10)
	j.write(12_000, 7, chunk.KeyGroups)
	dir := filepath.Join(t.TempDir(), "sp")
	check(t, WriteSavepoint(dir, j.manifest(), j.chunks))
	return dir, j
}

// write changes every step-th of n groups, in chunks of a number of key groups.
func (j *keyedJob) write(n, step int64, width int) {
	j.id++
	for task := range j.tasks {
		owned := j.owned(task)
		for lo := owned[0]; lo < owned[1]; lo += width {
			span := [2]int{lo, min(lo+width, owned[1])}
			var changed []group
			for i := int64(0); i < n; i += step {
				g := group{n: i, text: fmt.Sprint("key ", i), count: float64(i) * float64(j.id)}
				if k := chunk.KeyGroup(g.hash()); span[0] <= k && k < span[1] {
					changed = append(changed, g)
					j.groups[g.key()] = g
				}
			}
			j.put(task, span, changed, chunk.Rows)
		}
	}
}

func TestSavepointCanBeMoved(t *testing.T) {
	dir, j := savepoint(t)
	moved := filepath.Join(t.TempDir(), "else", "where")
	check(t, os.MkdirAll(filepath.Dir(moved), 0o755))
	check(t, os.Rename(dir, moved))
	m, r, err := OpenSavepoint(moved)
	check(t, err)
	if got := restored(t, m, r, 0, chunk.KeyGroups); !sameSet(got, j.live(0, chunk.KeyGroups)) {
		t.Errorf("restored %d groups of %d, or others", len(got), len(j.groups))
	}
	want := j.manifest()
	if m.SQL != want.SQL || m.ID != want.ID || !m.Created.Equal(want.Created) || !reflect.DeepEqual(m.Tasks[:2], want.Tasks[:2]) {
		t.Errorf("the manifest has changed: %+v", m)
	}
	entries := must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(dir)))
	if len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestSavepointReadsOnlyWhatItNeeds spoils everything above a key group, which a task below it does not notice.
func TestSavepointReadsOnlyWhatItNeeds(t *testing.T) {
	dir, j := savepoint(t)
	m, r, err := OpenSavepoint(dir)
	check(t, err)
	read := 0
	counting := readerFunc(func(c Chunk) ([]byte, error) {
		read += c.Rows
		return r.Read(c)
	})
	got := restored(t, m, counting, 0, 32)
	if !sameSet(got, j.live(0, 32)) {
		t.Errorf("restored %d groups", len(got))
	}
	if read > len(got)+2*minMergedRows {
		t.Errorf("%d rows read for %d", read, len(got))
	}
}

type readerFunc func(Chunk) ([]byte, error)

func (f readerFunc) Read(c Chunk) ([]byte, error) { return f(c) }

func (f readerFunc) Verify(c Chunk) error {
	_, err := f(c)
	return err
}

// TestSavepointIsReadByArrow reads a state file the way another program does.
func TestSavepointIsReadByArrow(t *testing.T) {
	dir, j := savepoint(t)
	f := must[*os.File](t)(os.Open(filepath.Join(dir, "state", "sum%2f1%20%c3%a9.arrow")))
	defer f.Close()
	r := must[*ipc.FileReader](t)(ipc.NewFileReader(f))
	defer r.Close()
	var all []string
	last := uint64(0)
	for i := range r.NumRecords() {
		rec := must[arrow.Record](t)(r.Record(i))
		for i, g := range decodeGroups(rec) {
			hash := rec.Column(0).(*array.Uint64).Value(i)
			if hash < last {
				t.Fatal("rows are not in the order of their hash")
			}
			last = hash
			all = append(all, g.String())
		}
	}
	if !sameSet(all, j.live(0, chunk.KeyGroups)) {
		t.Errorf("read %d groups of %d, or others", len(all), len(j.groups))
	}
}

func TestDamagedSavepoints(t *testing.T) {
	state := filepath.Join("state", "sum%2f1%20%c3%a9.arrow")
	edit := func(name string, f func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			data := must[[]byte](t)(os.ReadFile(path))
			check(t, os.WriteFile(path, f(data), 0o644))
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { check(t, os.RemoveAll(filepath.Join(dir, name))) }
	}
	description := func(f func(*savepointFile)) func(*testing.T, string) {
		return edit(savepointName, func(data []byte) []byte {
			var d savepointFile
			if err := json.Unmarshal(data, &d); err != nil {
				panic(err)
			}
			f(&d)
			data, _ = json.Marshal(d)
			return data
		})
	}
	whole, _ := savepoint(t)
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		is    error
		says  []string
	}{
		{"no directory", remove(""), os.ErrNotExist, nil},
		{"no description", remove(savepointName), ErrNotSavepoint, []string{savepointName}},
		{"not JSON", edit(savepointName, func(b []byte) []byte { return b[:len(b)/2] }), ErrDamaged, []string{savepointName}},
		{"another file", edit(savepointName, func([]byte) []byte { return []byte(`{"name": "x"}`) }), ErrNotSavepoint, []string{savepointName}},
		{"a newer format", description(func(d *savepointFile) { d.Format++ }), ErrNotSavepoint, []string{"newer engine", "format 2"}},
		{"an edited manifest", edit(savepointName, func(b []byte) []byte {
			return bytes.Replace(b, []byte("parity, SUM"), []byte("parity, MAX"), 1)
		}), ErrDamaged, []string{savepointName, "checksum"}},
		{"no state file", remove(state), ErrDamaged, []string{state}},
		{"a short state file", edit(state, func(b []byte) []byte { return b[:len(b)/2] }), ErrDamaged, []string{state, "ends at"}},
		{"an empty state file", edit(state, func([]byte) []byte { return nil }), ErrDamaged, []string{state, "no Arrow file"}},
		{"a flipped byte", edit(state, func(b []byte) []byte {
			b[len(b)/2] ^= 1
			return b
		}), ErrDamaged, []string{state, "checksum"}},
		{"a flipped byte of the schema", edit(state, func(b []byte) []byte {
			b[40] ^= 1
			return b
		}), ErrDamaged, []string{state}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "sp")
			check(t, os.CopyFS(dir, os.DirFS(whole)))
			c.spoil(t, dir)
			_, err := VerifySavepoint(dir)
			if !errors.Is(err, c.is) {
				t.Fatalf("got %v", err)
			}
			for _, want := range append(c.says, dir) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

func TestSavepointOfDamagedState(t *testing.T) {
	j := &keyedJob{chunks: memoryChunks{}, groups: map[string]group{"": {}}}
	j.rescale(1)
	j.roll(0)
	good := j.tasks[0][0]
	for name, c := range map[string]Chunk{
		"flipped byte":    {good.Key, 1, good.KeyGroups, 1, good.Bytes, good.CRC + 1},
		"missing":         {"c/none", 1, good.KeyGroups, 1, good.Bytes, good.CRC},
		"no Arrow at all": j.chunks.put(1, [2]int{0, chunk.KeyGroups}, 1, []byte("nothing of the kind")),
	} {
		j.tasks[0] = []Chunk{c}
		dir := filepath.Join(t.TempDir(), "sp")
		err := WriteSavepoint(dir, j.manifest(), j.chunks)
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.Key) {
			t.Errorf("%s: %v", name, err)
		}
		if entries := must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(dir))); len(entries) != 0 {
			t.Errorf("%s: left behind %v", name, entries)
		}
	}
}

func TestSavepointIsNotOverwritten(t *testing.T) {
	dir, j := savepoint(t)
	if err := WriteSavepoint(dir, j.manifest(), j.chunks); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("got %v", err)
	}
	must[*Manifest](t)(VerifySavepoint(dir))
}

func TestInterruptedSavepointLeavesNothing(t *testing.T) {
	disarm := must[func()](t)(failpoint.Arm(failpoint.SavepointBeforeRename + "=error"))
	defer disarm()
	dir := filepath.Join(t.TempDir(), "sp")
	j := &keyedJob{chunks: memoryChunks{}}
	if err := WriteSavepoint(dir, j.manifest(), j.chunks); !errors.Is(err, failpoint.ErrInjected) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the savepoint is there: %v", err)
	}
	disarm()
	check(t, os.MkdirAll(filepath.Join(dir+".incomplete", "state"), 0o755)) // as a kill leaves it
	check(t, WriteSavepoint(dir, j.manifest(), j.chunks))
	must[*Manifest](t)(VerifySavepoint(dir))
}

func TestSavepointChunkNamesStayInside(t *testing.T) {
	dir, _ := savepoint(t)
	for _, key := range []string{"../sp/state/x.arrow@8", "/etc/passwd@8", "state/x.arrow", "state/x.arrow@x", ""} {
		if _, err := (stateFileReader{dir}).Read(Chunk{Key: key}); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "names no chunk") {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// TestMergeOfNestedKeys: the newest row of a key counts also where the key is an ARRAY, with NULL and NaN in it.
func TestMergeOfNestedKeys(t *testing.T) {
	chunks := memoryChunks{}
	list := arrow.ListOf(arrow.PrimitiveTypes.Float64)
	put := func(id ID, state int64) Chunk {
		b := array.NewRecordBuilder(memory.DefaultAllocator, chunk.Schema(chunk.Rows, []arrow.DataType{list}, []arrow.DataType{arrow.PrimitiveTypes.Int64}))
		b.Field(0).(*array.Uint64Builder).AppendValues([]uint64{1, 1, 1, 1}, nil)
		if err := b.Field(1).UnmarshalJSON([]byte(`[["NaN", null], ["+Inf"], [], [0.1]]`)); err != nil {
			t.Fatal(err)
		}
		b.Field(2).(*array.Int64Builder).AppendValues([]int64{state, state, state, state}, nil)
		var buf bytes.Buffer
		w := ipc.NewWriter(&buf, ipc.WithSchema(b.Schema()))
		if err := errors.Join(w.Write(b.NewRecord()), w.Close()); err != nil {
			t.Fatal(err)
		}
		return chunks.put(id, [2]int{0, 1}, 4, binary.LittleEndian.AppendUint32(buf.Bytes(), checksum(buf.Bytes())))
	}
	var states []int64
	err := mergeChain(memory.DefaultAllocator, []Chunk{put(1, 10), put(2, 20)}, chunks, func(rec arrow.Record, _ [2]int) error {
		states = append(states, rec.Column(2).(*array.Int64).Int64Values()...)
		return nil
	})
	if want := []int64{20, 20, 20, 20}; err != nil || !slices.Equal(states, want) {
		t.Errorf("the merged states are %v, %v, want %v", states, err, want)
	}
}
