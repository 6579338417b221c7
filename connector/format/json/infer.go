package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/guess"
)

// infer finds out the fields of objects. Those that some objects lack are NULL there.
func infer(s format.Sample, _ *connector.Options) (format.Inferred, error) {
	data := s.Data
	if !s.Whole {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var fields []arrow.Field
	for n := 1; ; n++ {
		if !d.More() { // nothing but blanks are left
			return format.Inferred{Fields: guess.SettleFields(fields)}, nil
		}
		t, err := inferValue(d)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return format.Inferred{}, fmt.Errorf("record %d: %w", n, err)
		}
		row, ok := t.(*arrow.StructType)
		switch _, isList := t.(*arrow.ListType); {
		case isList && n == 1:
			return format.Inferred{}, errors.New("the file is one JSON array; a table has an object in each line, as `jq -c '.[]'` writes them")
		case !ok:
			return format.Inferred{}, fmt.Errorf("record %d is no JSON object", n)
		}
		fields = guess.MergeFields(fields, row.Fields())
	}
}

// inferValue reads a value and returns its type.
func inferValue(d *json.Decoder) (arrow.DataType, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			return inferArray(d)
		}
		return inferObject(d)
	case bool:
		return arrow.FixedWidthTypes.Boolean, nil
	case json.Number:
		return guess.Number([]byte(v)), nil
	case string:
		return guess.Time([]byte(v)), nil
	}
	return guess.Null(), nil
}

func inferArray(d *json.Decoder) (arrow.DataType, error) {
	elem := guess.Null()
	for d.More() {
		t, err := inferValue(d)
		if err != nil {
			return nil, err
		}
		elem = guess.Merge(elem, t)
	}
	_, err := d.Token()
	return arrow.ListOf(elem), err
}

func inferObject(d *json.Decoder) (arrow.DataType, error) {
	var fields []arrow.Field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		t, err := inferValue(d)
		if err != nil {
			return nil, err
		}
		fields = guess.MergeFields(fields, []arrow.Field{{Name: name.(string), Type: t, Nullable: true}})
	}
	_, err := d.Token()
	return arrow.StructOf(fields...), err
}
