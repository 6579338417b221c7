package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
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

func benchData() []byte {
	var b bytes.Buffer
	for i := range 4096 {
		fmt.Fprintf(&b, "%d,user_%d,%d.%02d,%t,2024-03-%02d %02d:%02d:%02d.%03d\n",
			1000000+i*37, i*7919%100000, i%500, i%100, i%3 == 0, 1+i%28, i%24, i%60, i*7%60, i%1000)
	}
	return append(b.Bytes(), make([]byte, format.Padding)...)[:b.Len()]
}

func BenchmarkDecode(b *testing.B) {
	pool := vec.NewPool(0, nil)
	data := benchData()
	d, err := newTestInput(b, pool, benchFields, []int{0, 1, 2, 3, 4}, nil).NewDecoder(nil)
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
}

// BenchmarkEncodingCSV is the yardstick: the standard library into strings alone.
func BenchmarkEncodingCSV(b *testing.B) {
	data := benchData()
	b.SetBytes(int64(len(data)))
	rows := 0
	for b.Loop() {
		r := stdcsv.NewReader(bytes.NewReader(data))
		r.ReuseRecord = true
		for ; ; rows++ {
			if _, err := r.Read(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}
