package expr

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// benchBatch is 4096 rows: a, b, c BIGINT, x, y DOUBLE, s STRING, d DECIMAL(10, 2), n BIGINT with NULLs.
func benchBatch() (vec.Batch, []*Column) {
	mem := memory.DefaultAllocator
	const rows = vec.DefaultRows
	var ints [4]*array.Int64Builder
	for i := range ints {
		ints[i] = array.NewInt64Builder(mem)
	}
	x, y, s := array.NewFloat64Builder(mem), array.NewFloat64Builder(mem), array.NewStringBuilder(mem)
	for i := range rows {
		ints[0].Append(int64(i * 7919 % 1000))
		ints[1].Append(int64(i * 104729 % 1000))
		ints[2].Append(int64(i * 1299709 % 3000))
		if i%5 == 0 {
			ints[3].AppendNull()
		} else {
			ints[3].Append(int64(i % 7))
		}
		x.Append(float64(i) * 0.5)
		y.Append(float64(i%100) + 0.25)
		s.Append([]string{"alpha", "beta", "gamma-delta", "epsilon zeta"}[i%4])
	}
	d, err := NewCast(&Column{0, "a", BigInt, true}, Decimal(10, 2), false, Settings{})
	if err != nil {
		panic(err)
	}
	cols := []arrow.Array{ints[0].NewArray(), ints[1].NewArray(), ints[2].NewArray(), x.NewArray(), y.NewArray(), s.NewArray(), nil, ints[3].NewArray()}
	p, err := Compile(mem, []Expr{d}, Settings{})
	if err != nil {
		panic(err)
	}
	out, err := p.Eval(vec.NewBatch(rows, cols))
	if err != nil {
		panic(err)
	}
	cols[6] = out[0]
	var columns []*Column
	for i, name := range []string{"a", "b", "c", "x", "y", "s", "d", "n"} {
		columns = append(columns, &Column{i, name, cols[i].DataType(), true})
	}
	return vec.NewBatch(rows, cols), columns
}

var benchExpressions = []string{
	"a + b", "a * 2 + b", "a + b + c + n", "a / 3", "x * y + 1", "a * 2 + b > c", "s = 'beta'", "s LIKE '%gam%'", "s LIKE 'a%'",
	"a IN (1, 5, 77)", "CASE WHEN b = 0 THEN 0 ELSE a / b END", "CASE WHEN a > 500 THEN 'big' ELSE 'small' END", "COALESCE(n, a)",
	"d + d", "d * 2", "d / 3", "UPPER(s)", "CAST(a AS STRING)", "CAST(a AS DOUBLE)", "a > 100 AND b < 900 OR c = 7", "SUBSTRING(s, 2, 3)",
	"FLOOR(TO_TIMESTAMP_LTZ(a, 3) TO MINUTE)", "YEAR(TO_TIMESTAMP_LTZ(a, 3))", "GREATEST(a, b, c)",
}

func BenchmarkEval(b *testing.B) {
	batch, columns := benchBatch()
	mem := vec.NewPool(0, nil)
	for _, sql := range benchExpressions {
		b.Run(sql, func(b *testing.B) {
			p, err := Compile(mem, []Expr{mustBind(b, sql, columns...)}, Settings{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				out, err := p.Eval(batch)
				if err != nil {
					b.Fatal(err)
				}
				out[0].Release()
			}
			perRow(b, batch)
		})
	}
}

// BenchmarkFilter is the time of finding the rows of a*2+b > c.
func BenchmarkFilter(b *testing.B) {
	batch, columns := benchBatch()
	p, err := NewPredicate(vec.NewPool(0, nil), mustBind(b, "a * 2 + b > c", columns...), Settings{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Select(batch); err != nil {
			b.Fatal(err)
		}
	}
	perRow(b, batch)
}

func perRow(b *testing.B, batch vec.Batch) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(batch.Rows), "ns/row")
}
