package recovery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"streamsql/session"
)

// drawing is a job whose rows are chosen and filled at random.
const drawing = `
SET 'pipeline.name' = 'draws';
SET 'execution.checkpointing.interval' = '5 ms';
%s
CREATE TABLE events (id BIGINT, k STRING)
WITH ('connector' = 'filesystem', 'path' = 'events.ndjson', 'format' = 'json', 'scan.rows-per-second' = '%d');
CREATE TABLE drawn (id BIGINT, u STRING, r DOUBLE, s DOUBLE, t BIGINT)
WITH ('connector' = 'filesystem', 'path' = 'drawn.ndjson', 'format' = 'json');
INSERT INTO drawn SELECT id, UUID(), RAND(), RAND(7), RAND_INTEGER(1000000) FROM events WHERE RAND() < 0.9;
`

// TestReplayDrawsTheSameNumbers breaks a job off and goes on from the same checkpoint twice: the rows that are worked on again are
// filled as they were, and no number of before comes again.
func TestReplayDrawsTheSameNumbers(t *testing.T) {
	w := newWorld(t)
	w.session(func(s *session.Session) { w.startUntil(s, fmt.Sprintf(drawing, "", 1000), 5) })
	twin := &world{t: t, dir: t.TempDir()}
	twin.data = filepath.Join(twin.dir, "data")
	if err := os.CopyFS(twin.dir, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	var outputs [2][]byte
	for i, w := range []*world{w, twin} {
		status := w.finish(fmt.Sprintf(drawing, "SET 'exec.batch.rows' = '"+[]string{"1", "4096"}[i]+"';", 1_000_000))
		if status.RowsIn == 0 || status.RowsIn == events {
			t.Fatalf("%d rows were read after the restore", status.RowsIn)
		}
		out, err := os.ReadFile(filepath.Join(w.dir, "drawn.ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		outputs[i] = out
	}
	if !bytes.Equal(outputs[0], outputs[1]) {
		t.Errorf("the same checkpoint goes on as\n%s\nand as\n%s", outputs[0], outputs[1])
	}
	seen := map[any]bool{}
	for line := range bytes.Lines(outputs[0]) {
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		for _, column := range []string{"u", "r", "s"} {
			if v := row[column]; seen[v] {
				t.Errorf("%s = %v comes twice", column, v)
			} else {
				seen[v] = true
			}
		}
	}
	if n := len(seen) / 3; n < events*3/4 || n == events {
		t.Errorf("%d of %d rows were drawn", n, events)
	}
}
