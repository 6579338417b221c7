package expr

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

func TestNullInDirtyMemory(t *testing.T) {
	for _, dt := range []arrow.DataType{Boolean, Int, Double, String, Decimal(10, 2), TimestampLTZ(3), arrow.ListOf(Int)} {
		p, err := Compile(new(dirty.Allocator), []Expr{NewNull(dt)}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Eval(vec.Batch{Rows: 3})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if out[0].IsValid(i) {
				t.Errorf("row %d of NULL AS %s is %s", i, TypeName(dt), out[0].ValueStr(i))
			}
		}
	}
}
