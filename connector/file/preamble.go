package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"streamsql/connector"
	"streamsql/connector/format"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// checkEncoding reports a file that begins with the byte order mark of UTF-16.
func checkEncoding(data []byte) error {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return connector.Permanent(errors.New("the file is written in UTF-16; tables are read in UTF-8, which `iconv -f UTF-16 -t UTF-8` makes of it"))
	}
	return nil
}

// preamble is what a file has before its first record.
type preamble struct {
	header []byte
	size   int64 // of the byte order mark, if there is one, and the header
	empty  bool  // the file has nothing, not even the header its format demands
}

func readPreamble(full string, input format.Input) (preamble, error) {
	s, err := openStream(full, 0)
	if err != nil {
		return preamble{}, err
	}
	defer s.Close()
	var buf bytes.Buffer
	for {
		_, err := io.CopyN(&buf, s, int64(4<<10+buf.Len()))
		atEnd := errors.Is(err, io.EOF)
		if err != nil && !atEnd {
			return preamble{}, fmt.Errorf("read %s: %w", full, reason(err))
		}
		if err := checkEncoding(buf.Bytes()); err != nil {
			return preamble{}, fmt.Errorf("%s: %w", full, err)
		}
		data := bytes.TrimPrefix(buf.Bytes(), byteOrderMark)
		header := input.Header(data)
		if header < 0 && atEnd {
			header = len(data)
		}
		if header >= 0 {
			return preamble{data[:header], int64(buf.Len() - len(data) + header), len(data) == 0}, nil
		}
	}
}
