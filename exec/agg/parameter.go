package agg

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// parameter is the value of an argument that has to be the same in every row of a group. Which field holds it is a matter of its
// type.
type parameter struct {
	numbers []float64 // of a DOUBLE, or an ARRAY of them
	count   int64     // of a BIGINT
	text    string    // of a STRING
	raw     []byte
	groups  int // that have it
}

// parameters keeps the parameters of all groups, which refer to them by number from their rows; 0 means none yet.
type parameters struct {
	function string
	arg      int
	dt       arrow.DataType
	codec    codec
	check    func(p parameter) error

	values  []parameter
	numbers map[string]uint32
	free    []uint32
	scratch []byte
}

// newParameters is for an argument of a type that a parameter can have.
func newParameters(function string, arg int, dt arrow.DataType, check func(p parameter) error) parameters {
	p := parameters{function: function, arg: arg, dt: dt, check: check, numbers: map[string]uint32{}}
	p.codec, _ = codecOf(dt)
	return p
}

// reader gives the function that tells the number of the parameter in a row, which is not NULL.
func (p *parameters) reader(column arrow.Array) func(row int) (uint32, error) {
	read := p.codec.reader(column)
	return func(row int) (uint32, error) {
		p.scratch = read(p.scratch[:0], row)
		return p.number(p.scratch)
	}
}

// note says that a group, which has its number at, has a row with the parameter of a number.
func (p *parameters) note(at *uint32, number uint32) error {
	switch *at {
	case number:
	case 0:
		p.values[number-1].groups++
		*at = number
	default:
		return fmt.Errorf("%s: its %s argument has to be the same in all rows of a group", p.function, ordinals[p.arg])
	}
	return nil
}

// number is the number of a parameter, which is added if it is not there.
func (p *parameters) number(raw []byte) (uint32, error) {
	if n, ok := p.numbers[string(raw)]; ok {
		return n, nil
	}
	v, err := p.parse(bytes.Clone(raw))
	if err != nil {
		return 0, err
	}
	n := uint32(len(p.values) + 1)
	if last := len(p.free) - 1; last >= 0 {
		n, p.free = p.free[last], p.free[:last]
		p.values[n-1] = v
	} else {
		p.values = append(p.values, v)
	}
	p.numbers[string(raw)] = n
	return n, nil
}

func (p *parameters) parse(raw []byte) (parameter, error) {
	v := parameter{raw: raw}
	switch p.dt.ID() {
	case arrow.FLOAT64:
		bits, _ := word(raw, 8)
		v.numbers = []float64{doubleOf(bits)}
	case arrow.INT64:
		bits, _ := word(raw, 8)
		v.count = int64(bits ^ 1<<63)
	case arrow.STRING:
		text, _ := textOf(raw)
		v.text = string(text)
	case arrow.LIST:
		for raw[0] != markEnd {
			if raw[0] != markValue {
				return v, fmt.Errorf("%s: its %s argument has a NULL in it", p.function, ordinals[p.arg])
			}
			var bits uint64
			bits, raw = word(raw[1:], 8)
			v.numbers = append(v.numbers, doubleOf(bits))
		}
	}
	return v, p.check(v)
}

// of is the parameter of a number.
func (p *parameters) of(number uint32) parameter {
	if number == 0 {
		return parameter{}
	}
	return p.values[number-1]
}

// release says that a group no longer has the parameter of a number.
func (p *parameters) release(number uint32) {
	if number == 0 {
		return
	}
	v := &p.values[number-1]
	if v.groups--; v.groups == 0 {
		delete(p.numbers, string(v.raw))
		p.free = append(p.free, number)
	}
}

// column is the parameters of numbers as a column, with NULL where there is none.
func (p *parameters) column(mem memory.Allocator, numbers []uint32) arrow.Array {
	b := array.NewBuilder(mem, p.dt)
	defer b.Release()
	for _, n := range numbers {
		if n == 0 {
			b.AppendNull()
		} else {
			p.codec.write(b, p.values[n-1].raw)
		}
	}
	return b.NewArray()
}
