package oracle

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// input is a drawn table: its statement, its files, and what it holds.
type input struct {
	create string
	files  []string // in the directory events
	ending string
	table  relation
}

var eventColumns = scope{{"n", integer}, {"i", integer}, {"d", double}, {"s", text}, {"b", boolean}, {"u", timestamp}, {"ts", timestamp}}

const eventTypes = "n BIGINT, i INT, d DOUBLE, s STRING, b BOOLEAN, u TIMESTAMP(3), ts TIMESTAMP(3)"

// drawInput draws up to three files of rows, with event time or, if not, perhaps with rows that are taken back.
func drawInput(t *rapid.T) input {
	in := input{table: relation{from: "events", scope: eventColumns, time: -1}}
	timed := rapid.Bool().Draw(t, "timed")
	in.ending = rapid.SampledFrom([]string{"json", "csv"}).Draw(t, "format")
	format := in.ending
	options := ""
	if format == "csv" {
		options = ", 'csv.header' = 'true'"
	}
	declared := eventTypes
	if timed {
		delay := rapid.IntRange(0, 2).Draw(t, "delay")
		declared += fmt.Sprintf(", WATERMARK FOR ts AS ts - INTERVAL '%d' SECOND", delay)
		options += ", 'on.error' = 'skip'" // of rows whose event time is NULL
		in.table.time = len(eventColumns) - 1
		for range rapid.IntRange(1, 3).Draw(t, "files") {
			in.addTimed(t, time.Duration(delay)*time.Second)
		}
	} else {
		taken := format == "json" && rapid.Bool().Draw(t, "changelog")
		if taken {
			format = "changelog-json"
		}
		for range rapid.IntRange(1, 3).Draw(t, "files") {
			in.addPlain(t, taken)
		}
	}
	in.create = fmt.Sprintf("CREATE TABLE events (%s) WITH ('connector' = 'filesystem', 'path' = 'events', 'format' = '%s'%s);\n",
		declared, format, options)
	return in
}

func drawRow(t *rapid.T) row {
	r := make(row, len(eventColumns))
	for i, c := range eventColumns {
		r[i] = drawValue(t, c.kind)
	}
	return r
}

// addTimed adds a file of a table with event time. Its watermark is its own.
func (in *input) addTimed(t *rapid.T, delay time.Duration) {
	var watermark time.Time
	var lines []string
	for range rapid.IntRange(0, 12).Draw(t, "rows") {
		r := drawRow(t)
		lines = append(lines, in.line(r, ""))
		ts, ok := r[in.table.time].(time.Time)
		if !ok {
			continue
		}
		in.table.rows = append(in.table.rows, event{r, watermark})
		if w := ts.Add(-delay); watermark.IsZero() || w.After(watermark) {
			watermark = w
		}
	}
	in.addFile(lines)
}

// addPlain adds a file of a table without event time. Rows may be taken back later in the file.
func (in *input) addPlain(t *rapid.T, takeBack bool) {
	var lines []string
	var present []event
	for range rapid.IntRange(0, 12).Draw(t, "rows") {
		if takeBack && len(present) > 0 && rapid.Bool().Draw(t, "take back") {
			i := rapid.IntRange(0, len(present)-1).Draw(t, "which")
			lines = append(lines, in.line(present[i].row, "-D"))
			present = append(present[:i:i], present[i+1:]...)
			continue
		}
		r := drawRow(t)
		present = append(present, event{row: r})
		lines = append(lines, in.line(r, "+I"))
	}
	in.table.rows = append(in.table.rows, present...)
	in.addFile(lines)
}

func (in *input) addFile(lines []string) {
	content := strings.Join(lines, "")
	if in.ending == "csv" {
		content = strings.Join(names(eventColumns), ",") + "\n" + content
	}
	in.files = append(in.files, content)
}

func names(s scope) (out []string) {
	for _, c := range s {
		out = append(out, c.name)
	}
	return out
}

// line writes a row in the input's format.
func (in *input) line(r row, op string) string {
	if in.ending == "csv" {
		cells := make([]string, len(r))
		for i, v := range r {
			cells[i] = csvField(v)
		}
		return strings.Join(cells, ",") + "\n"
	}
	object := map[string]any{}
	for i, v := range r {
		if ts, ok := v.(time.Time); ok {
			v = ts.Format(timeLayout)
		}
		object[eventColumns[i].name] = v
	}
	if op != "" {
		object["_op"] = op
	}
	out, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(out) + "\n"
}

func csvField(v value) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
	case time.Time:
		return v.Format(timeLayout)
	}
	return fmt.Sprint(v)
}

// write puts the files into a directory.
func (in *input) write(dir string) error {
	events := filepath.Join(dir, "events")
	if err := os.Mkdir(events, 0o700); err != nil {
		return err
	}
	for i, content := range in.files {
		name := filepath.Join(events, fmt.Sprintf("%d.%s", i, in.ending))
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}
