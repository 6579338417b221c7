package file

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/format"
)

// sampleBytes is how much of a file is looked at to find out its columns.
const sampleBytes = 1 << 20

// infer finds out the columns of the first file that has any.
func infer(t connector.Table, o *connector.Options) (connector.Table, error) {
	f, err := format.Lookup(o.Text(format.Key))
	if err != nil {
		return t, err
	}
	if f.Infer == nil {
		return t, fmt.Errorf("the columns of files of format '%s' cannot be found out; CREATE TABLE declares them", f.Name)
	}
	s := &source{spec: connector.SourceSpec{Table: t}, path: strings.TrimPrefix(o.Text(pathKey), "file://")}
	files, err := list(t.Dir, s.path)
	if err != nil {
		return t, err
	}
	for _, path := range files {
		sample, err := readSample(s.full(path))
		if err != nil {
			return t, err
		}
		found, err := f.Infer(sample, o)
		if err != nil {
			return t, fmt.Errorf("%s: %w", path, err)
		}
		if len(found.Fields) > 0 {
			t.Options = maps.Clone(t.Options)
			maps.Copy(t.Options, found.Options)
			t.Schema = arrow.NewSchema(found.Fields, nil)
			return t, nil
		}
	}
	return t, fmt.Errorf("%s has no rows that could tell its columns; CREATE TABLE declares them", s.path)
}

// readSample reads the beginning of a file, unpacked and without its byte order mark.
func readSample(full string) (format.Sample, error) {
	s, err := openStream(full, 0)
	if err != nil {
		return format.Sample{}, err
	}
	defer s.Close()
	data, err := io.ReadAll(io.LimitReader(s, sampleBytes))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return format.Sample{}, fmt.Errorf("read %s: %w", full, reason(err))
	}
	whole := len(data) < sampleBytes
	return format.Sample{Data: []byte(strings.TrimPrefix(string(data), string(byteOrderMark))), Whole: whole}, nil
}
