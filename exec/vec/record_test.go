package vec_test

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
)

func TestRecordRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(vec.NewPool(0, nil))
		types := rapid.SliceOfN(rapid.SampledFrom(vectest.All), 0, 4).Draw(t, "types")
		fields := make([]arrow.Field, len(types))
		for i, dt := range types {
			fields[i] = arrow.Field{Name: string(rune('a' + i)), Type: dt, Nullable: true}
		}
		meta := arrow.MetadataFrom(map[string]string{"kind": "rows"})
		n := rapid.IntRange(0, 30).Draw(t, "rows")
		cols := vectest.Columns(t, mem, types, n)
		rec := array.NewRecord(arrow.NewSchema(fields, &meta), cols, int64(n))
		data, err := vec.EncodeRecord(rec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := vec.DecodeRecord(mem, data)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Schema().Equal(rec.Schema()) || !got.Schema().Metadata().Equal(meta) || got.NumRows() != rec.NumRows() {
			t.Fatalf("got %v, want %v", got, rec)
		}
		for i, c := range cols {
			requireEqual(t, got.Column(i), c)
			c.Release()
		}
		got.Release()
		rec.Release()
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
		}
	})
}

func TestDecodeRecordRefusesCorruption(t *testing.T) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues([]string{"a", "bc"}, []bool{true, false})
	schema := arrow.NewSchema([]arrow.Field{{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	data, err := vec.EncodeRecord(array.NewRecord(schema, []arrow.Array{b.NewArray()}, 2))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		if _, err := vec.DecodeRecord(memory.DefaultAllocator, data[:i]); err == nil {
			t.Fatalf("accepted when cut to %d bytes", i)
		}
		data[i] ^= 4
		if _, err := vec.DecodeRecord(memory.DefaultAllocator, data); err == nil {
			t.Fatalf("accepted with byte %d changed", i)
		}
		data[i] ^= 4
	}
	for _, stream := range [][]byte{nil, []byte("no stream")} {
		sum := crc32.Checksum(stream, crc32.MakeTable(crc32.Castagnoli))
		if _, err := vec.DecodeRecord(memory.DefaultAllocator, binary.LittleEndian.AppendUint32(stream, sum)); err == nil {
			t.Fatalf("accepted %q", stream)
		}
	}
}
