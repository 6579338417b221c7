package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fileFormat is a benchmark of whole processes that read a file and group its rows.
type fileFormat struct {
	name   string
	goal   float64
	header string
	record string // for fmt: id, number of the sensor, time, reading
	with   string // the format's options of a table of ours
	read   string // how DuckDB reads the file, for fmt: its path
}

const fileColumns = "{id: 'BIGINT', sensor: 'VARCHAR', time: 'VARCHAR', reading: 'BIGINT', unit: 'VARCHAR'}"

var fileFormats = []fileFormat{
	{
		name: "json", goal: 1,
		record: `{"id":%d,"sensor":"sensor-%04d","time":"%s","reading":%d,"unit":"celsius"}` + "\n",
		with:   "'format' = 'json'",
		read:   "read_json('%s', format = 'newline_delimited', columns = " + fileColumns + ")",
	},
	{
		name: "csv", goal: 0.7, header: "id,sensor,time,reading,unit\n",
		record: "%d,sensor-%04d,%s,%d,celsius\n",
		with:   "'format' = 'csv', 'csv.header' = 'true'",
		read:   "read_csv('%s', header = true, delim = ',', quote = '\"', escape = '\"', columns = " + fileColumns + ")",
	},
}

func processBenchmarks() []benchmark {
	all := make([]benchmark, len(fileFormats))
	for i, f := range fileFormats {
		all[i] = benchmark{"process-" + f.name, f.run}
	}
	return all
}

const fileQuery = "SELECT sensor, COUNT(*) AS n, CAST(SUM(reading) AS BIGINT) AS total, MAX(reading) AS highest FROM %s GROUP BY sensor"

func (f fileFormat) run(o *options) ([]line, error) {
	binary, err := buildEngine(o.dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(o.dir, "readings."+f.name)
	rows := o.scale(4_000_000, 400_000)
	size, err := f.write(path, rows)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	ours := process{binary, []string{"--quiet", "--format", "csv", "-e", f.table(path) + fmt.Sprintf(fileQuery, "readings")}, "", new([]byte)}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	theirs := process{self, nil, duckdbChild + "=" + fmt.Sprintf(fileQuery, fmt.Sprintf(f.read, path)), new([]byte)}
	c, err := compare(o, ours.run, theirs.run)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(*ours.rows, *theirs.rows) {
		return nil, fmt.Errorf("the results differ: ours\n%s\nDuckDB's\n%s", *ours.rows, *theirs.rows)
	}
	extra := fmt.Sprintf("%s; %d MB", c.describe(rows, "DuckDB"), size>>20)
	what := fmt.Sprintf("%s file → GROUP BY STRING, whole process ÷ DuckDB", strings.ToUpper(f.name))
	return []line{ofMedian(what, atMost(f.goal, ""), c.walls(), extra)}, nil
}

// table is the statement that creates the table of the file.
func (f fileFormat) table(path string) string {
	return fmt.Sprintf("CREATE TABLE readings (id BIGINT, sensor STRING, `time` STRING, reading BIGINT, unit STRING) "+
		"WITH ('connector' = 'filesystem', 'path' = '%s', %s);\n", path, f.with)
}

// write makes the file and returns its size.
func (f fileFormat) write(path string, rows int) (int64, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprint(out, f.header)
	r, at := random(), time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for id := range rows {
		at = at.Add(time.Duration(r.IntN(1000)) * time.Millisecond)
		fmt.Fprintf(out, f.record, id, r.IntN(1000), at.Format("2006-01-02 15:04:05.000"), r.IntN(100_000))
	}
	if err := out.Flush(); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// buildEngine builds the program as it is released.
func buildEngine(dir string) (string, error) {
	binary := filepath.Join(dir, "streamsql")
	cmd := exec.Command("go", "build", "-C", "..", "-trimpath", "-o", binary, "./cmd/streamsql")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the engine (bench runs in its own folder): %w\n%s", err, out)
	}
	return binary, nil
}

// process is a program that prints rows.
type process struct {
	path string
	args []string
	env  string  // one more variable, or ""
	rows *[]byte // takes the lines that the last run has printed, sorted
}

// run runs the process and measures it.
func (p process) run() (sample, error) {
	cmd := exec.Command(p.path, p.args...)
	if p.env != "" {
		cmd.Env = append(os.Environ(), p.env)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", p.path, err, errs.Bytes())
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	slices.SortFunc(lines, bytes.Compare)
	*p.rows = bytes.Join(lines, []byte("\n"))
	state := cmd.ProcessState
	return sample{took, state.UserTime() + state.SystemTime()}, nil
}
