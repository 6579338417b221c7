package expr

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// dirty is an allocator of memory that is not cleared, like a pool's.
type dirty struct{ memory.Allocator }

func (d dirty) Allocate(size int) []byte {
	b := d.Allocator.Allocate(size)
	memory.Set(b, 0xff)
	return b
}

func TestNullInDirtyMemory(t *testing.T) {
	for _, dt := range []arrow.DataType{Boolean, Int, Double, String, Decimal(10, 2), TimestampLTZ(3), arrow.ListOf(Int)} {
		p, err := Compile(dirty{memory.DefaultAllocator}, []Expr{NewNull(dt)}, Settings{})
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
