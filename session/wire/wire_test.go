package wire

import (
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
	"streamsql/parser"
)

func TestBatchRoundTrip(t *testing.T) {
	alloc := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer alloc.AssertSize(t, 0)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	n := array.NewInt64Builder(alloc)
	defer n.Release()
	n.AppendValues([]int64{1, 2, 9007199254740993}, []bool{true, false, true})
	s := array.NewStringBuilder(alloc)
	defer s.Release()
	s.AppendValues([]string{"a", "", "中文"}, nil)
	sent := vec.NewBatch(3, []arrow.Array{n.NewArray(), s.NewArray()}).Select([]uint32{0, 2})
	sent.Kinds = []vec.Kind{vec.Insert, vec.UpdateBefore, vec.Delete}
	defer sent.Release()

	near, far := net.Pipe()
	server, client := NewServer(near), NewClient(far)
	defer server.Close()
	defer client.Close()
	go func() {
		head, err := EncodeSchema(schema)
		if err != nil {
			t.Error(err)
		}
		m, err := EncodeBatch(schema, sent)
		if err != nil {
			t.Error(err)
		}
		_ = server.Send(Answer{Result: &Result{Schema: head}})
		_ = server.Send(Answer{Batch: m})
		server.Close()
	}()

	answer, err := client.Receive()
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeSchema(answer.Result.Schema)
	if err != nil || !got.Equal(schema) {
		t.Fatalf("schema %v, %v", got, err)
	}
	answer, err = client.Receive()
	if err != nil {
		t.Fatal(err)
	}
	b, err := DecodeBatch(answer.Batch, alloc)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	if !reflect.DeepEqual(b.Sel, sent.Sel) || !reflect.DeepEqual(b.Kinds, sent.Kinds) || b.Rows != 3 {
		t.Errorf("got %v %v %d", b.Sel, b.Kinds, b.Rows)
	}
	for i := range b.Cols {
		if !array.Equal(b.Cols[i], sent.Cols[i]) {
			t.Errorf("column %d is %v", i, b.Cols[i])
		}
	}
	if _, err := client.Receive(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
}

func TestErrorRoundTrip(t *testing.T) {
	const src = "SELECT 1;\nSELECT x"
	at := parser.ErrorAt("q.sql", src, parser.Span{Lo: 17, Hi: 18}, "unknown column 'x'", "did you mean y?")
	got := EncodeError(fmt.Errorf("planning: %w", at), src).Decode(src)
	var place *parser.Error
	if !errors.As(got, &place) || place.Detail() != at.Detail() {
		t.Errorf("got %#v", got)
	}
	if got := EncodeError(at, "another text").Decode("another text"); !errors.As(got, &place) || place.Detail() != at.Detail() {
		t.Errorf("about another text: %#v", got)
	}
	if got := EncodeError(errors.New("disk full"), src).Decode(src); got.Error() != "disk full" {
		t.Errorf("got %v", got)
	}
	if got := EncodeError(nil, src).Decode(src); got != nil {
		t.Errorf("nil became %v", got)
	}
}
