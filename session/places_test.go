package session

import (
	"strings"
	"testing"
)

// TestOneWriterOfAFile: while a job writes to a single file no other does, whichever table and session it comes from.
func TestOneWriterOfAFile(t *testing.T) {
	b := newBench(t)
	tables := `
		CREATE TABLE n (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100');
		CREATE TABLE o (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out.json', 'format' = 'json');
		CREATE TABLE same (n BIGINT) WITH ('connector' = 'filesystem', 'path' = './out.json', 'format' = 'json');`
	b.run(tables + "INSERT INTO o SELECT n FROM n;")
	for _, sql := range []string{"INSERT INTO o SELECT n FROM n", "INSERT INTO same VALUES (1)"} {
		if err := b.fail(sql); !strings.Contains(err, "out.json is being written by job 'o'") {
			t.Error(err)
		}
	}
	other := b.engine.NewSession(b.options())
	defer other.Close()
	if _, err := run(other, tables+"SET 'pipeline.name' = 'x'; INSERT INTO o SELECT n FROM n"); err == nil || !strings.Contains(err.Error(), "by job 'o'") {
		t.Error(err)
	}
	b.run("CANCEL JOB o")
	b.run("INSERT INTO same VALUES (1)")
}
