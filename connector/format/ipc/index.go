package ipc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"

	"streamsql/connector/format"
)

// index is where the messages of a file are.
type index struct {
	file         format.File
	head         section   // the schema
	dictionaries []section // in order
	batches      []batch
	end          int64 // of the last message
}

// section is a stretch of the file.
type section struct{ start, end int64 }

// batch is a record batch.
type batch struct {
	section
	rows int64
}

// section reads a stretch.
func (x *index) section(s section) io.Reader {
	return io.NewSectionReader(x.file, s.start, s.end-s.start)
}

// from reads the stream as if it had no record batches before the given one.
func (x *index) from(n int) io.Reader {
	start := x.batches[n].start
	parts := []io.Reader{x.section(x.head)}
	for _, d := range x.dictionaries {
		if d.start < start {
			parts = append(parts, x.section(d))
		}
	}
	return io.MultiReader(append(parts, x.section(section{start, x.end}))...)
}

// trailer is the length of what a file ends with: the length of its index, and the mark.
var trailer = int64(4 + len(ipc.Magic))

var errCut = errors.New("the Arrow file is cut off")

// bounds finds the messages of the file: between the mark and the index, or all of a stream.
func (x *index) bounds() (section, error) {
	size, err := x.file.Seek(0, io.SeekEnd)
	if err != nil {
		return section{}, err
	}
	mark := make([]byte, len(ipc.Magic))
	if _, err := x.file.ReadAt(mark, 0); err != nil || !bytes.Equal(mark, ipc.Magic) {
		return section{0, size}, nil
	}
	const start = 8 // the mark is filled up to that
	last := make([]byte, trailer)
	if size < start+trailer {
		return section{}, errCut
	}
	if _, err := x.file.ReadAt(last, size-trailer); err != nil {
		return section{}, err
	}
	end := size - trailer - int64(binary.LittleEndian.Uint32(last))
	if !bytes.Equal(last[4:], ipc.Magic) || end < start {
		return section{}, errCut
	}
	return section{start, end}, nil
}

// scan reads the heads of all messages.
func (x *index) scan() error {
	in, err := x.bounds()
	if err != nil {
		return err
	}
	at := in.start
	for at < in.end {
		m, err := x.message(at, in.end)
		if err != nil {
			return err
		}
		if m.kind == endOfStream {
			break
		}
		at = m.end
		switch {
		case x.head.end == 0 && m.kind != ipc.MessageSchema:
			return errors.New("not an Arrow file")
		case m.kind == ipc.MessageSchema:
			x.head = m.section
		case m.kind == ipc.MessageDictionaryBatch:
			x.dictionaries = append(x.dictionaries, m.section)
		case m.kind == ipc.MessageRecordBatch:
			x.batches = append(x.batches, batch{m.section, m.rows})
		}
	}
	if x.head.end == 0 {
		return errors.New("not an Arrow file: it is empty")
	}
	x.end = at
	return nil
}

// message is the head of a message.
type message struct {
	section
	kind ipc.MessageType
	rows int64 // of a record batch
}

const (
	// continuation stands before the length of a message, but in files of the oldest writers.
	continuation = 0xFFFFFFFF
	// endOfStream is the kind of the end, a message of no length.
	endOfStream = ipc.MessageNone
	// maxMeta bounds what is believed to be the length of a head.
	maxMeta = 256 << 20
)

// message reads the head of the message at a place.
func (x *index) message(at, end int64) (message, error) {
	word := make([]byte, 4)
	m := message{section: section{start: at}}
	length := uint32(continuation)
	for range 2 {
		if length != continuation {
			break
		}
		if at+4 > end {
			return m, errCut
		}
		if _, err := x.file.ReadAt(word, at); err != nil {
			return m, err
		}
		length = binary.LittleEndian.Uint32(word)
		at += 4
	}
	switch {
	case length == 0:
		return m, nil
	case length > maxMeta || x.head.end == 0 && at+int64(length) > end:
		return m, errors.New("not an Arrow file")
	case at+int64(length) > end:
		return m, errCut
	}
	meta := make([]byte, length)
	if _, err := x.file.ReadAt(meta, at); err != nil {
		return m, err
	}
	body, err := m.parse(meta)
	m.end = at + int64(length) + body
	if err == nil && (body < 0 || m.end > end) {
		err = errCut
	}
	return m, err
}

// The fields of a message and of a record batch, by their places in Arrow's schema of messages.
const (
	headerType  = 6
	header      = 8
	bodyLength  = 10
	batchLength = 4
)

// parse reads the kind and the rows out of the head of a message, and returns the length of its body.
func (m *message) parse(meta []byte) (body int64, err error) {
	defer func() {
		if r := recover(); r != nil { // offsets lead out of the buffer
			err = fmt.Errorf("not an Arrow file, or damaged: %v", r)
		}
	}()
	t := flatbuffers.Table{Bytes: meta, Pos: flatbuffers.GetUOffsetT(meta)}
	m.kind = ipc.MessageType(t.GetByteSlot(headerType, 0))
	if o := flatbuffers.UOffsetT(t.Offset(header)); o != 0 && m.kind == ipc.MessageRecordBatch {
		var h flatbuffers.Table
		t.Union(&h, o)
		m.rows = h.GetInt64Slot(batchLength, 0)
	}
	return t.GetInt64Slot(bodyLength, 0), nil
}
