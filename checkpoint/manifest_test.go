package checkpoint

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "rewrite golden files")

// oddEven is the manifest of the odd and even sums of two sources, blue read up to 3 and yellow up to 4.
func oddEven() *Manifest {
	task := func(vertex string, subtask int, o OperatorState) TaskState {
		return TaskState{
			Task: TaskID{vertex, subtask}, Watermark: 1_700_000_000_000, Operators: []OperatorState{o},
			Timing: Timing{StartDelay: 1, Alignment: 2, Sync: 3, Async: 4, Bytes: 5, Rows: 6},
		}
	}
	chunk := func(subtask string, lo, hi int) []Chunk {
		return []Chunk{{"c/sums/0000000000000002/sum/000" + subtask + "/0000000000000009/0000000000000001", 9, [2]int{lo, hi}, 1, 420, 0xdeadbeef}}
	}
	return &Manifest{
		Job: "sums", ID: 9, Attempt: 2, Created: time.Date(2024, 2, 3, 4, 5, 6, 7_000_000, time.UTC), Engine: "0.1.0",
		SQL: "SELECT parity, SUM(n) FROM numbers GROUP BY parity",
		Plan: Plan{
			Fingerprint: "4f3c",
			Vertices:    []PlanVertex{{"source", 2}, {"sum", 2}, {"sink", 1}},
			Operators:   []PlanOperator{{"sum", "sum", "parity:BIGINT|SUM(BIGINT)", "GROUP BY parity: SUM(n)"}},
		},
		Tasks: []TaskState{
			task("source", 0, OperatorState{Operator: "source", Splits: []SplitState{{"blue", []byte("blue.csv"), []byte{3}, false, 3}}}),
			task("source", 1, OperatorState{Operator: "source", Splits: []SplitState{{"yellow", nil, []byte{4}, true, 4}}}),
			task("sum", 0, OperatorState{Operator: "sum", Signature: "parity:BIGINT|SUM(BIGINT)", Chunks: chunk("0", 0, 64)}),
			task("sum", 1, OperatorState{Operator: "sum", Signature: "parity:BIGINT|SUM(BIGINT)", Chunks: chunk("1", 64, 128)}),
			task("sink", 0, OperatorState{Operator: "sink", Handles: [][]byte{[]byte("part-9")}, Blob: []byte{0}}),
		},
		Final: true, Duration: 250 * time.Millisecond, Bytes: 840,
	}
}

// golden compares got with a file below testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		check(t, os.WriteFile(path, got, 0o644))
	}
	if want := must[[]byte](t)(os.ReadFile(path)); !bytes.Equal(got, want) {
		t.Errorf("%s differs, run with -rewrite to see how; got\n%s", path, got)
	}
}

func TestManifestGolden(t *testing.T) {
	text := must[[]byte](t)(json.MarshalIndent(oddEven(), "", "  "))
	golden(t, "manifest.json", append(text, '\n'))
}

func TestManifestRoundTrip(t *testing.T) {
	large := oddEven()
	for range 1000 {
		large.Tasks[0].Operators[0].Chunks = append(large.Tasks[0].Operators[0].Chunks, oddEven().Tasks[2].Operators[0].Chunks...)
	}
	for _, m := range []*Manifest{{Job: "j"}, oddEven(), large} {
		stored := must[[]byte](t)(encodeManifest(m))
		if got := must[*Manifest](t)(decodeManifest(stored)); !reflect.DeepEqual(got, m) {
			t.Errorf("%+v became %+v", m, got)
		}
	}
	if stored := must[[]byte](t)(encodeManifest(large)); len(stored) > 20_000 {
		t.Errorf("a manifest of 1000 chunks takes %d bytes", len(stored))
	}
}

// TestOldManifestsAreRead reads a stored manifest of every format there has been.
func TestOldManifestsAreRead(t *testing.T) {
	const path = "testdata/manifest.v1"
	if _, err := os.Stat(path); err != nil && *rewrite {
		check(t, os.WriteFile(path, must[[]byte](t)(encodeManifest(oddEven())), 0o644))
	}
	m := must[*Manifest](t)(decodeManifest(must[[]byte](t)(os.ReadFile(path))))
	if !reflect.DeepEqual(m, oddEven()) {
		t.Errorf("got %+v", m)
	}
}

func TestEveryDamageOfAManifestIsFound(t *testing.T) {
	stored := must[[]byte](t)(encodeManifest(oddEven()))
	for i := range stored {
		if _, err := decodeManifest(stored[:i]); err == nil {
			t.Errorf("cut at %d: decoded", i)
		}
		for _, bit := range []byte{1, 0x80} {
			spoilt := bytes.Clone(stored)
			spoilt[i] ^= bit
			if m, err := decodeManifest(spoilt); err == nil && !reflect.DeepEqual(m, oddEven()) {
				t.Errorf("byte %d flipped: decoded to something else", i)
			}
		}
	}
	stored[4] = manifestFormat + 1
	if _, err := decodeManifest(stored); err == nil || !strings.Contains(err.Error(), "newer engine") {
		t.Errorf("a newer format: %v", err)
	}
}

func FuzzDecodeManifest(f *testing.F) {
	stored, err := encodeManifest(oddEven())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stored)
	f.Add([]byte("SQMF\x01\x01\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, stored []byte) {
		m, err := decodeManifest(stored)
		if (m == nil) == (err == nil) {
			t.Errorf("manifest %v, error %v", m, err)
		}
	})
}

func TestNarrow(t *testing.T) {
	c := Chunk{KeyGroups: [2]int{32, 96}}
	for _, s := range []struct {
		lo, hi int
		want   [2]int
		ok     bool
	}{
		{0, 128, [2]int{32, 96}, true},
		{0, 64, [2]int{32, 64}, true},
		{64, 128, [2]int{64, 96}, true},
		{0, 32, [2]int{}, false},
		{96, 128, [2]int{}, false},
	} {
		got, ok := c.Narrow(s.lo, s.hi)
		if ok != s.ok || ok && got.KeyGroups != s.want {
			t.Errorf("to [%d, %d): %v, %v", s.lo, s.hi, got.KeyGroups, ok)
		}
	}
}
