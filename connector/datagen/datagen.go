// Package datagen implements the connector datagen: a source of made-up rows.
//
// The value of a field depends on the seed, the field and the number of the row alone. So rows are the same at every start, at any
// parallelism and from any position on; only fields of the kind now are not.
package datagen

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"streamsql/connector"
	"streamsql/connector/internal/column"
	"streamsql/connector/internal/pace"
)

const (
	rateKey   = "rows-per-second"
	rowsKey   = "number-of-rows"
	seedKey   = "seed"
	splitsKey = "scan.splits"
	timeKey   = "start.time"
)

// defaultRate is Flink's.
const defaultRate = 10000

// endless is the number of rows of a table that does not end.
const endless = math.MaxUint64

func init() {
	connector.Register(&connector.Connector{
		Name: "datagen",
		Doc:  "made-up rows, the same ones for the same seed",
		Options: append([]connector.Option{
			{Key: rateKey, Type: connector.Positive, Doc: "rows a second of all splits together; by default 10000, or as many as can be if number-of-rows is given"},
			{Key: rowsKey, Type: connector.Count, Doc: "how many rows there are; by default no end, or that of the shortest sequence"},
			{Key: seedKey, Type: connector.Count, Default: "0", Doc: "chooses the random values"},
			{Key: splitsKey, Type: connector.Positive, Default: "1", Doc: "pieces that can be read in parallel; of n, the first has rows 0, n, 2n, …"},
			{Key: timeKey, Type: connector.Text, Default: "2024-01-01 00:00:00", Doc: "where the sequences of timestamps start"},
		}, fieldOptions...),
		NewSource: newSource,
	})
}

// source implements connector.Source.
type source struct {
	spec   connector.SourceSpec
	fields []field // of the wanted columns
	limit  uint64  // number of rows
	rate   float64 // of one split, 0 for no limit
	splits uint64
}

func newSource(spec connector.SourceSpec, o *connector.Options) (connector.Source, error) {
	s := &source{spec: spec, limit: endless, splits: uint64(o.Count(splitsKey))}
	if o.Has(rowsKey) {
		s.limit = uint64(o.Count(rowsKey))
	}
	fields := make([]field, spec.Table.Schema.NumFields())
	for i := range fields {
		f, limit, err := newField(spec.Table, i, o)
		if err != nil {
			return nil, err
		}
		fields[i] = f
		s.limit = min(s.limit, limit)
	}
	for _, c := range spec.Columns {
		s.fields = append(s.fields, fields[c])
	}
	switch {
	case o.Has(rateKey):
		s.rate = float64(o.Count(rateKey)) / float64(s.splits)
	case !o.Has(rowsKey):
		s.rate = defaultRate / float64(s.splits)
	}
	return s, nil
}

// Bounded implements connector.Source.
func (s *source) Bounded() bool { return s.limit != endless }

// Replayable implements connector.Source.
func (s *source) Replayable() bool { return true }

// Changelog implements connector.Source.
func (s *source) Changelog() bool { return false }

// Splits implements connector.Source.
func (s *source) Splits(context.Context) ([]connector.Split, error) {
	splits := make([]connector.Split, s.splits)
	for i := range splits {
		splits[i] = connector.Split{ID: strconv.Itoa(i), Data: binary.AppendUvarint(nil, uint64(i))}
	}
	return splits, nil
}

// Open implements connector.Source. A position is the number of the next row.
func (s *source) Open(_ context.Context, split connector.Split, pos connector.Position) (connector.Reader, error) {
	if pos == nil {
		pos = split.Data
	}
	next, n := binary.Uvarint(pos)
	if n != len(pos) || n <= 0 {
		return nil, errors.New("the position of a datagen split is damaged")
	}
	limiter := pace.New(s.rate)
	r := &reader{source: s, next: next, limiter: limiter, rows: limiter.Rows(s.spec.Rows)}
	for _, f := range s.fields {
		c, _ := column.New(f.column, s.spec.Table.Zone)
		c.Grow(r.rows)
		r.cols = append(r.cols, c)
	}
	return r, nil
}

// place names a row.
func (s *source) place(number uint64) string {
	return fmt.Sprintf("%s row %d", s.spec.Table.Name, number+1)
}
