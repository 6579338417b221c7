package file

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"streamsql/connector"
)

// piece is a stretch of a file: the records whose first byte lies in it.
type piece struct {
	path       string
	start, end int64 // offsets in the unpacked bytes; end is math.MaxInt64 for the rest of the file
}

// split is the piece as the engine keeps it.
func (p piece) split() connector.Split {
	id := p.path
	if p.end != math.MaxInt64 {
		id = fmt.Sprintf("%s@%d", p.path, p.start)
	}
	data := binary.AppendUvarint(nil, uint64(p.start))
	data = binary.AppendUvarint(data, uint64(p.end))
	return connector.Split{ID: id, Data: append(data, p.path...)}
}

func parsePiece(data []byte) (piece, error) {
	start, n := binary.Uvarint(data)
	end, m := binary.Uvarint(data[max(n, 0):])
	if n <= 0 || m <= 0 {
		return piece{}, errors.New("the description of a split is damaged")
	}
	return piece{string(data[n+m:]), int64(start), int64(end)}, nil
}

// place is a position: before the record at an offset of the unpacked bytes, with its line counted from 0 at the start of the piece.
type place struct {
	offset int64
	line   int64
}

func (p place) position() connector.Position {
	b := make(connector.Position, 0, 12)
	b = binary.AppendUvarint(b, uint64(p.offset))
	return binary.AppendUvarint(b, uint64(p.line))
}

func parsePlace(b []byte) (place, error) {
	offset, n := binary.Uvarint(b)
	line, m := binary.Uvarint(b[max(n, 0):])
	if n <= 0 || m <= 0 || n+m != len(b) {
		return place{}, errors.New("the position is damaged")
	}
	return place{int64(offset), int64(line)}, nil
}

// beginning is the piece of a split and where reading it begins: at a position, or at its start if that is nil.
func beginning(split connector.Split, pos connector.Position) (p piece, at place, err error) {
	if p, err = parsePiece(split.Data); err != nil {
		return p, at, err
	}
	if pos == nil {
		return p, place{offset: p.start}, nil
	}
	if at, err = parsePlace(pos); err != nil {
		return p, at, fmt.Errorf("split %s: %w", split.ID, err)
	}
	return p, at, nil
}
