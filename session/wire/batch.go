package wire

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Batch is a batch of rows.
type Batch struct {
	Arrow []byte     `json:"arrow"` // an Arrow IPC stream of one batch
	Sel   []uint32   `json:"sel,omitempty"`
	Kinds []vec.Kind `json:"kinds,omitempty"`
}

// EncodeSchema returns the schema as an Arrow IPC stream without batches.
func EncodeSchema(s *arrow.Schema) ([]byte, error) {
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, ipc.WithSchema(s))
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("encoding a schema: %w", err)
	}
	return buf.Bytes(), nil
}

// DecodeSchema is the inverse of EncodeSchema.
func DecodeSchema(data []byte) (*arrow.Schema, error) {
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decoding a schema: %w", err)
	}
	defer r.Release()
	return r.Schema(), nil
}

// EncodeBatch puts a batch of the schema into a message. It does not consume the batch.
func EncodeBatch(s *arrow.Schema, b vec.Batch) (*Batch, error) {
	record := array.NewRecord(s, b.Cols, int64(b.Rows))
	defer record.Release()
	data, err := vec.EncodeRecord(record)
	if err != nil {
		return nil, err
	}
	return &Batch{Arrow: data, Sel: b.Sel, Kinds: b.Kinds}, nil
}

// DecodeBatch is the inverse of EncodeBatch. The caller owns the batch.
func DecodeBatch(m *Batch, alloc memory.Allocator) (vec.Batch, error) {
	record, err := vec.DecodeRecord(alloc, m.Arrow)
	if err != nil {
		return vec.Batch{}, err
	}
	defer record.Release()
	rows := int(record.NumRows())
	b := vec.Batch{Cols: slices.Clone(record.Columns()), Rows: rows, Sel: m.Sel, Kinds: m.Kinds}
	return b.Retain(), nil
}
