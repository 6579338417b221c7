package expr

import (
	"math"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
)

// TestRangeIsTwoComparisons: BETWEEN constants, which is one step, says what >= and <= say together.
func TestRangeIsTwoComparisons(t *testing.T) {
	bounds := map[arrow.DataType][]any{
		TinyInt:  {int8(math.MinInt8), int8(-1), int8(0), int8(1), int8(2), int8(math.MaxInt8)},
		SmallInt: {int16(math.MinInt16), int16(-1), int16(0), int16(1), int16(math.MaxInt16)},
		Int:      {int32(math.MinInt32), int32(-1), int32(0), int32(1), int32(2), int32(math.MaxInt32)},
		BigInt:   {int64(math.MinInt64), int64(-1), int64(0), int64(1), int64(2), int64(math.MaxInt64)},
	}
	types := []arrow.DataType{TinyInt, SmallInt, Int, BigInt}
	rapid.Check(t, func(t *rapid.T) {
		dt := rapid.SampledFrom(types).Draw(t, "type")
		n := rapid.IntRange(0, 200).Draw(t, "rows")
		b := vec.NewBatch(n, []arrow.Array{vectest.Array(t, memory.DefaultAllocator, dt, n)})
		b.Sel = vectest.Selection(t, n)
		x := &Column{0, "x", dt, true}
		lo := NewLiteral(dt, rapid.SampledFrom(bounds[dt]).Draw(t, "lo"))
		hi := NewLiteral(dt, rapid.SampledFrom(bounds[dt]).Draw(t, "hi"))
		call := func(name string, args ...Expr) Expr {
			c, err := NewCall(name, args, Settings{})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		p, err := Compile(memory.DefaultAllocator, []Expr{call("BETWEEN", x, lo, hi), call(">=", x, lo), call("<=", x, hi)}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Eval(b)
		if err != nil {
			t.Fatal(err)
		}
		between, above, below := out[0].(*array.Boolean), out[1].(*array.Boolean), out[2].(*array.Boolean)
		for i := range between.Len() {
			if between.IsNull(i) != above.IsNull(i) || between.IsValid(i) && between.Value(i) != (above.Value(i) && below.Value(i)) {
				t.Fatalf("row %d of %v: %v BETWEEN %v AND %v", i, b.Cols[0], between, lo, hi)
			}
		}
	})
}
