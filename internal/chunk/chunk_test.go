package chunk

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

func TestShape(t *testing.T) {
	types := []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String}
	for _, keys := range [][]arrow.DataType{nil, types[:1], types} {
		for _, kind := range []Kind{Rows, Tombstones} {
			var states []arrow.DataType
			if kind == Rows {
				states = types
			}
			gotKind, n, err := Shape(Schema(kind, keys, states))
			if gotKind != kind || n != len(keys) || err != nil {
				t.Errorf("%d keys, %s: got %s, %d, %v", len(keys), kind, gotKind, n, err)
			}
		}
	}
	plain := arrow.NewSchema([]arrow.Field{{Name: hashColumn, Type: arrow.PrimitiveTypes.Uint64}}, nil)
	for s, want := range map[*arrow.Schema]string{
		arrow.NewSchema(nil, nil): "the first column is not hash of type uint64",
		plain:                     `streamsql.chunk is "", neither rows nor tombstones`,
	} {
		if _, _, err := Shape(s); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
