package crash

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// daily is a window per airport and day over real flights, which come up to a day late.
const daily = `
SET 'pipeline.name' = 'daily';
SET 'execution.checkpointing.interval' = '50 ms';
CREATE TABLE flights (
  ` + "`year` INT, `month` INT, `day`" + ` INT, dep_time INT, sched_dep_time INT, dep_delay INT, arr_time INT, sched_arr_time INT,
  arr_delay INT, carrier STRING, flight INT, tailnum STRING, origin STRING, dest STRING, air_time INT, distance INT,
  ` + "`hour` INT, `minute`" + ` INT, time_hour TIMESTAMP(3),
  WATERMARK FOR time_hour AS time_hour - INTERVAL '24' HOUR
) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv', 'csv.header' = 'true', 'csv.null-literal' = 'NA',
  'scan.rows-per-second' = '%d');
CREATE TABLE daily (origin STRING, window_start TIMESTAMP(3), window_end TIMESTAMP(3), flights BIGINT, worst INT, dep_delay DOUBLE)
WITH ('connector' = 'filesystem', 'path' = 'out/', 'format' = 'csv');
INSERT INTO daily
SELECT origin, window_start, window_end, COUNT(*), MAX(dep_delay), AVG(dep_delay)
FROM TABLE(TUMBLE(TABLE flights, DESCRIPTOR(time_hour), INTERVAL '1' DAY)) GROUP BY origin, window_start, window_end;
`

// TestFlights compares the answer with DuckDB's at every parallelism, and that of a job killed at random moments.
func TestFlights(t *testing.T) {
	input, err := filepath.Abs("../data/flights.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	want := records(t, "../data/daily.csv")[1:]
	for _, parallelism := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("parallelism=%d", parallelism), func(t *testing.T) {
			w := flights(t, input, 10_000_000)
			w.finish(parallelism)
			w.sameRecords(want)
		})
	}
	t.Run("killed", func(t *testing.T) {
		w := flights(t, input, 100_000)
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 1))
		for range 8 {
			cmd, stderr := w.start(t.Context(), []int{1, 2, 4}[random.IntN(3)])
			time.Sleep(time.Duration(100+random.IntN(250)) * time.Millisecond)
			_ = cmd.Process.Kill()
			if !w.killed(cmd, stderr) {
				t.Fatal("the program ended before it was killed")
			}
		}
		w.finish(2)
		w.sameRecords(want)
	})
}

func flights(t *testing.T, input string, rate int) world {
	w := world{t, t.TempDir()}
	if err := os.WriteFile(filepath.Join(w.dir, "crash.sql"), fmt.Appendf(nil, daily, input, rate), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// sameRecords compares the visible output with wanted records, in any order, doubles to 1e-9.
func (w world) sameRecords(want [][]string) {
	w.t.Helper()
	var got [][]string
	files, err := filepath.Glob(filepath.Join(w.dir, "out", "part-*"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range files {
		got = append(got, records(w.t, f)...)
	}
	slices.SortFunc(got, slices.Compare)
	want = slices.Clone(want)
	slices.SortFunc(want, slices.Compare)
	if len(got) != len(want) {
		w.t.Fatalf("%d records instead of %d", len(got), len(want))
	}
	for i, record := range want {
		if !slices.EqualFunc(record, got[i], sameField) {
			w.t.Errorf("got  %s\nwant %s", strings.Join(got[i], ","), strings.Join(record, ","))
		}
	}
}

func sameField(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
}

func records(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}
