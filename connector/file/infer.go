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
	"streamsql/connector/internal/convert"
)

// sampleBytes is how much of a file is looked at to find out its columns.
const sampleBytes = 1 << 20

// infer finds out the columns of the first file that has any.
func infer(t connector.Table, o *connector.Options) (connector.Table, error) {
	f, err := format.Lookup(o.Text(format.Key))
	if err != nil {
		return t, err
	}
	s := newFileSet(connector.SourceSpec{Table: t}, o)
	paths, err := s.list()
	if err != nil {
		return t, err
	}
	for _, path := range paths {
		found, err := s.inferFile(path, f, o)
		if err != nil {
			return t, err
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

// inferFile finds out the columns of a file.
func (s *fileSet) inferFile(path string, f *format.Format, o *connector.Options) (found format.Inferred, err error) {
	switch {
	case f.Open != nil:
		return s.inferColumnar(path, f)
	case f.Infer == nil:
		return found, fmt.Errorf("the columns of files of format '%s' cannot be found out; CREATE TABLE declares them", f.Name)
	}
	sample, err := readSample(s.full(path))
	if err != nil {
		return found, err
	}
	if found, err = f.Infer(sample, o); err != nil {
		return found, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// inferColumnar takes the columns of a file that knows them.
func (s *fileSet) inferColumnar(path string, f *format.Format) (found format.Inferred, err error) {
	in, err := s.openColumnar(path, f)
	if err != nil {
		return found, err
	}
	defer in.close()
	for _, c := range in.Schema().Fields() {
		t, ok := convert.Type(c.Type)
		if !ok {
			return found, fmt.Errorf("%s: no type of SQL can hold column '%s' of type %s; CREATE TABLE declares the others", path, c.Name, c.Type)
		}
		found.Fields = append(found.Fields, arrow.Field{Name: c.Name, Type: t, Nullable: true})
	}
	return found, nil
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
	if err := checkEncoding(data); err != nil {
		return format.Sample{}, fmt.Errorf("%s: %w", full, err)
	}
	whole := len(data) < sampleBytes
	return format.Sample{Data: []byte(strings.TrimPrefix(string(data), string(byteOrderMark))), Whole: whole}, nil
}
