package vec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// EncodeRecord returns rec with its schema and the schema's metadata: an Arrow IPC stream, followed by its CRC-32C in four
// little-endian bytes, which readers of the stream alone ignore. A sliced record costs no more than its rows.
func EncodeRecord(rec arrow.Record) ([]byte, error) {
	cols := make([]arrow.Array, rec.NumCols())
	for i, c := range rec.Columns() {
		cols[i] = encodable(c)
	}
	dense := array.NewRecord(rec.Schema(), cols, rec.NumRows())
	defer dense.Release()
	for _, c := range cols {
		c.Release()
	}
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, ipc.WithSchema(rec.Schema()))
	if err := w.Write(dense); err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	return binary.LittleEndian.AppendUint32(buf.Bytes(), crc32.Checksum(buf.Bytes(), castagnoli)), nil
}

// encodable returns arr or an equal array that Arrow's writer accepts: it fails on an empty slice of strings, at any depth.
func encodable(arr arrow.Array) arrow.Array {
	if _, nested := arr.DataType().(arrow.NestedType); nested || arr.Len() == 0 {
		return gather(memory.DefaultAllocator, arr.DataType(), []part{{arr, nil}})
	}
	arr.Retain()
	return arr
}

// DecodeRecord is the inverse of EncodeRecord; it fails if a byte has changed. The record is the caller's to release and shares
// nothing with data.
func DecodeRecord(mem memory.Allocator, data []byte) (rec arrow.Record, err error) {
	n := len(data) - 4
	if n < 0 {
		return nil, fmt.Errorf("decode record: %d bytes are no record", len(data))
	}
	if got, want := crc32.Checksum(data[:n], castagnoli), binary.LittleEndian.Uint32(data[n:]); got != want {
		return nil, fmt.Errorf("decode record: corrupted: checksum is %08x, stored as %08x", got, want)
	}
	defer func() {
		if r := recover(); r != nil { // Arrow's reader panics on streams that no writer makes
			rec, err = nil, fmt.Errorf("decode record: malformed stream: %v", r)
		}
	}()
	r, err := ipc.NewReader(bytes.NewReader(data[:n]), ipc.WithAllocator(mem))
	if err != nil {
		return nil, fmt.Errorf("decode record: %w", err)
	}
	defer r.Release()
	for r.Next() {
		if rec != nil {
			rec.Release()
			return nil, errors.New("decode record: more than one record in the stream")
		}
		rec = r.Record()
		rec.Retain()
	}
	if rec == nil && r.Err() == nil {
		return nil, errors.New("decode record: no record in the stream")
	}
	if r.Err() != nil {
		if rec != nil {
			rec.Release()
		}
		return nil, fmt.Errorf("decode record: %w", r.Err())
	}
	return rec, nil
}
