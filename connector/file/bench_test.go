package file

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/vec"
)

var benchSchema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "user", Type: arrow.BinaryTypes.String},
	{Name: "price", Type: arrow.PrimitiveTypes.Float64},
	{Name: "ok", Type: arrow.FixedWidthTypes.Boolean},
	{Name: "ts", Type: &arrow.TimestampType{Unit: arrow.Millisecond}},
}, nil)

// benchFiles writes a file of 300,000 rows in each form.
func benchFiles(b *testing.B, dir string) (rows int) {
	rows = 300_000
	var json, csv []byte
	for i := range rows {
		ts := fmt.Sprintf("2024-03-%02d %02d:%02d:%02d.%03d", 1+i%28, i%24, i%60, i*7%60, i%1000)
		json = fmt.Appendf(json, `{"id":%d,"user":"user_%d","price":%d.%02d,"ok":%t,"ts":"%s"}`+"\n", 1000000+i*37, i*7919%100000, i%500, i%100, i%3 == 0, ts)
		csv = fmt.Appendf(csv, "%d,user_%d,%d.%02d,%t,%s\n", 1000000+i*37, i*7919%100000, i%500, i%100, i%3 == 0, ts)
	}
	writeFile(b, filepath.Join(dir, "a.json"), json)
	writeFile(b, filepath.Join(dir, "a.csv"), csv)
	writeFile(b, filepath.Join(dir, "a.json.gz"), pack(b, ".gz", json))
	writeFile(b, filepath.Join(dir, "a.json.zst"), pack(b, ".zst", json))
	return rows
}

// BenchmarkRead reads one file as one ordered split. Run it with -cpu 1,2 to see what parallel decoding is worth.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	rows := benchFiles(b, dir)
	for _, c := range []struct{ name, format string }{{"a.json", "json"}, {"a.csv", "csv"}, {"a.json.gz", "json"}, {"a.json.zst", "json"}} {
		b.Run(c.name, func(b *testing.B) {
			s, err := connector.NewSource(connector.SourceSpec{
				Table:   connector.Table{Schema: benchSchema, Dir: dir, Options: map[string]string{"connector": "filesystem", "path": c.name, "format": c.format}},
				Columns: []int{0, 1, 2, 3, 4}, Ordered: true, Rows: vec.DefaultRows, Alloc: vec.NewPool(0, nil),
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			batches := 0
			for b.Loop() {
				batches += readOnce(b, s, rows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			b.ReportMetric(float64(b.N*rows)/float64(batches), "rows/batch")
		})
	}
}

func readOnce(b *testing.B, s connector.Source, rows int) (batches int) {
	splits, err := s.Splits(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	r, err := s.Open(b.Context(), splits[0], nil)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	got := 0
	for {
		f, err := r.Read(b.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || len(f.Bad) > 0 {
			b.Fatal(err, f.Bad)
		}
		got += f.Batch.Rows
		batches++
		f.Batch.Release()
	}
	if got != rows {
		b.Fatalf("%d rows", got)
	}
	return batches
}
