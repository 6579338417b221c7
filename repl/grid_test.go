package repl

import (
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

var wordsSchema = arrow.NewSchema([]arrow.Field{
	{Name: "Word", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
}, nil)

// wordsBatch is a batch of words and their lengths; the empty one is NULL.
func wordsBatch(words ...string) vec.Batch {
	s, n := array.NewStringBuilder(memory.DefaultAllocator), array.NewInt64Builder(memory.DefaultAllocator)
	for _, w := range words {
		if w == "" {
			s.AppendNull()
			n.AppendNull()
			continue
		}
		s.Append(w)
		n.Append(int64(len(w)))
	}
	return vec.NewBatch(len(words), []arrow.Array{s.NewArray(), n.NewArray()})
}

func drawWords(limit int, words ...string) string {
	g := newGrid(wordsSchema, time.UTC, limit)
	b := wordsBatch(words...)
	defer b.Release()
	g.add(b)
	return g.String()
}

func TestGrid(t *testing.T) {
	want := `
┌──────┬──────┐
│ Word │    n │
├──────┼──────┤
│ a    │    1 │
│ 中文 │    6 │
│ NULL │ NULL │
│ x\ny │    3 │
│ z�b  │    3 │
└──────┴──────┘
`
	if got := "\n" + drawWords(0, "a", "中文", "", "x\ny", "z\x1bb"); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestGridFitsItsLimit(t *testing.T) {
	long := strings.Repeat("long ", 20)
	got := drawWords(30, long, "short", strings.Repeat("中", 40))
	for line := range strings.Lines(got) {
		if n := len([]rune(strings.TrimSpace(line))); n > 30 {
			t.Errorf("a line of %d:\n%s", n, got)
		}
	}
	if !strings.Contains(got, "long long") || !strings.Contains(got, "…") || !strings.Contains(got, "short") {
		t.Errorf("got\n%s", got)
	}
}

func TestRoll(t *testing.T) {
	r := newRoll(wordsSchema, time.UTC)
	var b strings.Builder
	for _, words := range [][]string{{"a", ""}, {"longer"}, {"b"}} {
		batch := wordsBatch(words...)
		if err := r.write(&b, batch); err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
	want := `
 Word │    n
──────┼──────
 a    │    1
 NULL │ NULL
 longer │    6
 b      │    1
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("got\n%s", got)
	}
}
