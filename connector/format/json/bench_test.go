package json

import (
	"bufio"
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector/format"
	"streamsql/exec/vec"
)

var benchFields = []arrow.Field{
	col("id", arrow.PrimitiveTypes.Int64),
	col("user", arrow.BinaryTypes.String),
	col("price", arrow.PrimitiveTypes.Float64),
	col("ok", arrow.FixedWidthTypes.Boolean),
	col("ts", &arrow.TimestampType{Unit: arrow.Millisecond}),
}

func benchLine(i int) string {
	return fmt.Sprintf(`{"id":%d,"user":"user_%d","price":%d.%02d,"ok":%t,"ts":"2024-03-%02d %02d:%02d:%02d.%03d"}`+"\n",
		1000000+i*37, i*7919%100000, i%500, i%100, i%3 == 0, 1+i%28, i%24, i%60, i*7%60, i%1000)
}

// wideLine has ten fields around the five of benchFields.
func wideLine(i int) string {
	return fmt.Sprintf(`{"id":%d,"session":"%032x","user":"user_%d","agent":"Mozilla/5.0 (X11; Linux x86_64)","price":%d.%02d,"score":%d,"ok":%t,"page":"/products/%d","ts":"2024-03-%02d %02d:%02d:%02d.%03d","n":null}`+"\n",
		1000000+i*37, i*i, i*7919%100000, i%500, i%100, i, i%3 == 0, i%977, 1+i%28, i%24, i%60, i*7%60, i%1000)
}

func benchData(line func(int) string) []byte {
	const rows = 4096
	var b bytes.Buffer
	for i := range rows {
		b.WriteString(line(i))
	}
	return append(b.Bytes(), make([]byte, format.Padding)...)[:b.Len()]
}

func BenchmarkDecode(b *testing.B) {
	pool := vec.NewPool(0, nil)
	for _, c := range []struct {
		name    string
		line    func(int) string
		columns []int
	}{
		{"5of5", benchLine, []int{0, 1, 2, 3, 4}},
		{"2of5", benchLine, []int{0, 4}},
		{"5of10", wideLine, []int{0, 1, 2, 3, 4}},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := benchData(c.line)
			d, err := newTestInput(b, "json", pool, benchFields, c.columns).NewDecoder(nil)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				chunk := d.Decode(data, 4096)
				rows += chunk.Batch.Rows
				chunk.Batch.Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
		})
	}
}

// BenchmarkEncodingJSON is the yardstick: the standard library into a struct of the five fields.
func BenchmarkEncodingJSON(b *testing.B) {
	data := benchData(benchLine)
	b.SetBytes(int64(len(data)))
	rows := 0
	for b.Loop() {
		for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); rows++ {
			var row struct {
				ID    int64
				User  string
				Price float64
				OK    bool
				TS    string
			}
			if err := stdjson.Unmarshal(s.Bytes(), &row); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}

func BenchmarkEncode(b *testing.B) {
	pool := vec.NewPool(0, nil)
	data := benchData(benchLine)
	d, err := newTestInput(b, "json", pool, benchFields, []int{0, 1, 2, 3, 4}).NewDecoder(nil)
	if err != nil {
		b.Fatal(err)
	}
	batch := d.Decode(data, 4096).Batch
	defer batch.Release()
	f, _ := format.Lookup("json")
	out, err := f.NewOutput(format.OutputSpec{Schema: arrow.NewSchema(benchFields, nil)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var dst []byte
	rows := 0
	for b.Loop() {
		dst = out.Append(dst[:0], batch)
		rows += batch.Rows
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}
