package checkpoint

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// A state file of a savepoint is an Arrow IPC file. Each of its records, put between the file's schema and an end mark, is an
// Arrow IPC stream, that is, a chunk: the file is read record by record without Arrow's footer, and the checksum of a chunk is
// that of bytes which lie in the file as they are.

// fileMagic begins an Arrow IPC file; it is padded to eight bytes.
const fileMagic = "ARROW1\x00\x00"

// endOfStream ends an Arrow IPC stream.
var endOfStream = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

// chunkOverhead is what a chunk has besides schema and record: the end of the stream and its checksum.
const chunkOverhead = 8 + 4

// assembleChunk puts a schema and a record together.
func assembleChunk(schema, record []byte) []byte {
	chunk := make([]byte, 0, len(schema)+len(record)+chunkOverhead)
	chunk = append(chunk, schema...)
	chunk = append(chunk, record...)
	chunk = append(chunk, endOfStream...)
	return binary.LittleEndian.AppendUint32(chunk, checksum(chunk))
}

// stateFileWriter writes a state file.
type stateFileWriter struct {
	name   string // relative to the savepoint
	file   *os.File
	out    tee
	arrow  *ipc.FileWriter
	schema []byte
}

// tee is what Arrow writes to: it counts and keeps a copy of what was written for the current record.
type tee struct {
	buf   *bufio.Writer
	pos   int64
	bytes bytes.Buffer
}

// Write implements io.Writer.
func (t *tee) Write(p []byte) (int, error) {
	t.bytes.Write(p)
	n, err := t.buf.Write(p)
	t.pos += int64(n)
	return n, err
}

// Seek tells the position, which is all that Arrow wants of it.
func (t *tee) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("a state file is only written from the start to the end")
	}
	return t.pos, nil
}

func createStateFile(dir, name string, schema *arrow.Schema) (*stateFileWriter, error) {
	file, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(name)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	w := &stateFileWriter{name: name, file: file}
	w.out.buf = bufio.NewWriterSize(file, 256<<10)
	if w.arrow, err = ipc.NewFileWriter(&w.out, ipc.WithSchema(schema)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return w, nil
}

// write appends a record and returns the reference to it.
func (w *stateFileWriter) write(rec arrow.Record, id ID, groups [2]int) (Chunk, error) {
	w.out.bytes.Reset()
	if err := w.arrow.Write(rec); err != nil {
		return Chunk{}, fmt.Errorf("%s: %w", w.name, err)
	}
	record := w.out.bytes.Bytes()
	if w.schema == nil { // the first record comes with the file's head
		head := len(fileMagic)
		n, err := messageLength(record[head:])
		if err != nil {
			return Chunk{}, fmt.Errorf("%s: %w", w.name, err)
		}
		w.schema = bytes.Clone(record[head : head+n])
		record = record[head+n:]
	}
	data := assembleChunk(w.schema, record)
	return Chunk{
		Key: fmt.Sprintf("%s@%d", w.name, w.out.pos-int64(len(record))), Checkpoint: id, KeyGroups: groups,
		Rows: int(rec.NumRows()), Bytes: len(data), CRC: crc32.ChecksumIEEE(data),
	}, nil
}

// close completes the file and makes it durable.
func (w *stateFileWriter) close() error {
	err := w.arrow.Close()
	if err == nil {
		err = w.out.buf.Flush()
	}
	if err == nil {
		err = w.file.Sync()
	}
	return errors.Join(err, w.file.Close())
}

// messageLength is the length of the Arrow message without a body that data begins with.
func messageLength(data []byte) (int, error) {
	if len(data) < 8 || !bytes.Equal(data[:4], endOfStream[:4]) {
		return 0, errors.New("no Arrow message where one should be")
	}
	n := binary.LittleEndian.Uint32(data[4:])
	if n > 1<<24 {
		return 0, fmt.Errorf("an Arrow schema of %d bytes", n)
	}
	return 8 + int(n), nil
}

// stateFileReader reads chunks from the state files of a savepoint.
type stateFileReader struct{ dir string }

// Read implements ChunkReader.
func (r stateFileReader) Read(c Chunk) ([]byte, error) {
	name, at, ok := strings.Cut(c.Key, "@")
	offset, err := strconv.ParseInt(at, 10, 64)
	if !ok || err != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("%w: %q names no chunk of a savepoint", ErrDamaged, c.Key)
	}
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	data, err := readChunkAt(path, offset, c.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, path, err)
	}
	if err := verify(c, data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// Verify implements ChunkReader.
func (r stateFileReader) Verify(c Chunk) error {
	_, err := r.Read(c)
	return err
}

// readChunkAt assembles the chunk of size bytes whose record lies at offset.
func readChunkAt(path string, offset int64, size int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	schema, err := readSchema(f)
	if err != nil {
		return nil, err
	}
	n := size - len(schema) - chunkOverhead
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if n < 0 || offset < 0 || offset+int64(n) > info.Size() {
		return nil, fmt.Errorf("the file ends at %d, before the record at %d does", info.Size(), offset)
	}
	record := make([]byte, n)
	if _, err := f.ReadAt(record, offset); err != nil {
		return nil, err
	}
	return assembleChunk(schema, record), nil
}

// readSchema reads the schema's message at the head of a state file.
func readSchema(f *os.File) ([]byte, error) {
	head := make([]byte, len(fileMagic)+8)
	if _, err := f.ReadAt(head, 0); err != nil || string(head[:len(fileMagic)]) != fileMagic {
		return nil, errors.New("it is no Arrow file")
	}
	n, err := messageLength(head[len(fileMagic):])
	if err != nil {
		return nil, err
	}
	schema := make([]byte, n)
	_, err = f.ReadAt(schema, int64(len(fileMagic)))
	return schema, err
}
