package repl

import (
	"fmt"
	"strings"
	"time"

	"streamsql/job"
)

// statusLine tells in one line how a job or query is doing. Without a status it is empty.
func statusLine(status *job.Status) string {
	if status == nil {
		return ""
	}
	parts := []string{counted(status.RowsIn, "row") + " in"}
	if seconds := elapsed(status).Seconds(); seconds >= 1 {
		parts = append(parts, count(int64(float64(status.RowsIn)/seconds))+" rows/s")
	}
	if status.Checkpoint != 0 {
		parts = append(parts, fmt.Sprintf("checkpoint %d", status.Checkpoint))
	}
	if w, ok := clockText(status.Watermark); ok {
		parts = append(parts, "watermark "+w)
	}
	if status.Late > 0 {
		parts = append(parts, count(status.Late)+" late")
	}
	if status.BadRecords > 0 {
		parts = append(parts, count(status.BadRecords)+" bad")
	}
	if status.State != job.Running {
		parts = append(parts, strings.ToLower(string(status.State)))
	}
	return strings.Join(parts, " · ")
}

// leftOut tells how many records a query has skipped, "" if none.
func leftOut(status *job.Status) string {
	switch {
	case status == nil || status.BadRecords == 0:
		return ""
	case status.BadRecords == 1:
		return "1 bad record was skipped"
	}
	return counted(status.BadRecords, "bad record") + " were skipped"
}

// elapsed is how long a job has run, or is running.
func elapsed(status *job.Status) time.Duration {
	if status.Ended.IsZero() {
		return time.Since(status.Started)
	}
	return status.Ended.Sub(status.Started)
}

// count writes a number with separators, as in 1,234,567.
func count(n int64) string {
	digits := fmt.Sprint(max(n, 0))
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// counted is so many of a thing.
func counted(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return count(n) + " " + thing + "s"
}

// clockText is a watermark as text; ok is false while there is none and after the end of the input.
func clockText(ms int64) (s string, ok bool) {
	t := time.UnixMilli(ms).UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		return "", false
	}
	return t.Format("2006-01-02 15:04:05"), true
}
