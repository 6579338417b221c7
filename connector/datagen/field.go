package datagen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/internal/column"
	"streamsql/internal/text"
)

// Kinds of fields.
const (
	random   = "random"
	sequence = "sequence"
	now      = "now"
)

var fieldOptions = []connector.Option{
	{
		Key: "fields.*.kind", Type: connector.Word, Words: []string{random, sequence, now},
		Doc: "random, sequence or, for timestamps, now, which differs when rows are read again; by default timestamps are sequences and everything else is random",
	},
	{Key: "fields.*.min", Doc: "least random value; by default that of the type, 0 for FLOAT and DOUBLE"},
	{Key: "fields.*.max", Doc: "greatest random value; by default that of the type, 1 for FLOAT and DOUBLE"},
	{Key: "fields.*.start", Doc: "first value of a sequence; by default 0, or start.time"},
	{Key: "fields.*.end", Doc: "last value of a sequence, which ends the table; by default there is none but that of the type"},
	{Key: "fields.*.step", Type: connector.Duration, Default: "1 ms", Doc: "from one row to the next in a sequence of timestamps"},
	{Key: "fields.*.max-past", Type: connector.Duration, Default: "0 ms", Doc: "sets timestamps back at random by at most this, so that they are out of order"},
	{Key: "fields.*.length", Type: connector.Positive, Default: "100", Doc: "bytes of random STRING and BYTES values"},
	{Key: "fields.*.null-rate", Default: "0", Doc: "share of NULLs, from 0 to 1"},
}

// rows are the rows of a batch by their numbers: first, first+stride, ….
type rows struct {
	first, stride uint64
	n             int
}

func (r rows) number(i int) uint64 { return r.first + uint64(i)*r.stride }

// generator writes the values of rows into a column.
type generator func(*column.Column, rows)

// field makes the values of one column.
type field struct {
	column arrow.Field
	values generator
	noise  noise  // chooses the NULLs
	nulls  uint64 // share of them, of 2^64
}

func (f field) fill(c *column.Column, r rows) {
	f.values(c, r)
	if f.nulls == 0 {
		return
	}
	for i := range r.n {
		if f.noise.at(r.number(i)) < f.nulls {
			c.Hide(i)
		}
	}
}

// newField makes the generator of the table's i-th column and the number of rows after which it ends.
func newField(t connector.Table, i int, o *connector.Options) (field, uint64, error) {
	f := field{column: t.Schema.Field(i)}
	col, ok := column.New(f.column, t.Zone)
	if !ok || col.Shape >= column.List {
		return f, 0, fmt.Errorf("datagen cannot make values of type %s, which column '%s' has", text.TypeName(f.column.Type), f.column.Name)
	}
	// The noise depends on the column's name: adding a column leaves the values of the others.
	p := params{col: col, zone: t.Zone, o: o, noise: newNoise(uint64(o.Count(seedKey)), strings.ToLower(f.column.Name))}
	f.noise = p.noise.other()
	kind := o.Column("fields.*.kind", f.column.Name)
	if kind == "" {
		kind = random
		if col.Shape == column.Timestamp {
			kind = sequence
		}
	}
	var limit uint64 = endless
	var err error
	switch strings.ToLower(kind) {
	case sequence:
		f.values, limit, err = p.sequence()
	case now:
		f.values, err = p.now()
	default:
		f.values, err = p.random()
	}
	if err == nil {
		f.nulls, err = p.nullShare()
	}
	if err == nil {
		err = p.unused()
	}
	return f, limit, err
}

// params reads the options of one field.
type params struct {
	col   *column.Column
	zone  *time.Location // of the table; nil is UTC
	o     *connector.Options
	noise noise
	read  []string // keys that mean something for the field
}

// text is the option fields.<column>.<name>, if it is given.
func (p *params) text(name string) (string, bool) {
	p.read = append(p.read, name)
	key := "fields." + strings.ToLower(p.col.Name) + "." + name
	return p.o.Column("fields.*."+name, p.col.Name), p.o.Has(key)
}

func (p *params) fail(name, format string, args ...any) error {
	return fmt.Errorf("option 'fields.%s.%s': "+format, append([]any{p.col.Name, name}, args...)...)
}

// unused reports an option that is given and means nothing for the field.
func (p *params) unused() error {
	p.read = append(p.read, "kind", "null-rate")
	for _, option := range fieldOptions {
		name := strings.TrimPrefix(option.Key, "fields.*.")
		if slices.Contains(p.read, name) {
			continue
		}
		if _, given := p.text(name); given {
			return p.fail(name, "it means nothing for this kind of %s", text.TypeName(p.col.Type))
		}
	}
	return nil
}

// value parses an option as a value of the column, which is left in row 0 of the column.
func (p *params) value(name string) (given bool, err error) {
	s, given := p.text(name)
	if !given {
		return false, nil
	}
	p.col.Grow(1)
	if err := p.col.SetText(0, []byte(s)); err != nil {
		return true, p.fail(name, "'%s' is no %s", s, text.TypeName(p.col.Type))
	}
	return true, nil
}

// word is an option of a column kept in Words.
func (p *params) word(name string, byDefault int64) (int64, error) {
	given, err := p.value(name)
	if !given || err != nil {
		return byDefault, err
	}
	return p.col.Words[0], nil
}

func (p *params) nullShare() (uint64, error) {
	s, _ := p.text("null-rate")
	share, err := text.ParseFloat64([]byte(s))
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, p.fail("null-rate", "'%s' is no number from 0 to 1", s)
	}
	if share == 1 {
		return math.MaxUint64, nil
	}
	return uint64(share * (1 << 63) * 2), nil
}
