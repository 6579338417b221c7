package datagen

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/connector/internal/column"
	"streamsql/internal/text"
)

// random makes values between min and max.
func (p *params) random() (generator, error) {
	switch p.col.Shape {
	case column.Float:
		return p.randomFloat()
	case column.Decimal:
		return p.randomDecimal()
	case column.String, column.Bytes:
		s, _ := p.text("length")
		n, _ := strconv.Atoi(s) // checked already
		return p.noise.strings(n), nil
	}
	low, high := p.bounds()
	low, err := p.word("min", low)
	if err != nil {
		return nil, err
	}
	if high, err = p.word("max", high); err != nil {
		return nil, err
	}
	if low > high {
		return nil, p.fail("max", "it is less than min")
	}
	past, err := p.past()
	if err != nil {
		return nil, err
	}
	return p.noise.words(low, uint64(high-low)+1, past), nil
}

// bounds are the default bounds of a value kept in Words.
func (p *params) bounds() (low, high int64) {
	const lastDay = 24855 // 2038-01-19
	switch p.col.Shape {
	case column.Bool:
		return 0, 1
	case column.Date:
		return 0, lastDay
	case column.Time:
		return 0, secondsPerDay*p.unitsPerSecond() - 1
	case column.Timestamp:
		return 0, lastDay * secondsPerDay * p.unitsPerSecond()
	}
	return p.col.Min, p.col.Max
}

const secondsPerDay = 86400

func (p *params) unitsPerSecond() int64 {
	return [...]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}[p.col.Unit]
}

// words makes integers from low on, of which there are n, less at most past.
func (n noise) words(low int64, count, past uint64) generator {
	other := n.other().other()
	return func(c *column.Column, r rows) {
		for i := range r.n {
			c.Words[i] = low + int64(below(n.at(r.number(i)), count))
		}
		setBack(c, r, other, past)
	}
}

// setBack takes a random number from 0 to past off every row.
func setBack(c *column.Column, r rows, n noise, past uint64) {
	if past == 0 {
		return
	}
	for i := range r.n {
		c.Words[i] -= int64(below(n.at(r.number(i)), past+1))
	}
}

func (p *params) randomFloat() (generator, error) {
	bound := func(name string, byDefault float64) (float64, error) {
		bits, err := p.word(name, int64(math.Float64bits(byDefault)))
		return math.Float64frombits(uint64(bits)), err
	}
	low, err := bound("min", 0)
	if err != nil {
		return nil, err
	}
	high, err := bound("max", 1)
	if err != nil {
		return nil, err
	}
	if !(low <= high) || math.IsInf(high-low, 0) {
		return nil, p.fail("max", "it is not a number from min on, or too far from it")
	}
	return func(c *column.Column, r rows) {
		for i := range r.n {
			unit := float64(p.noise.at(r.number(i))>>11) / (1 << 53)
			c.SetFloat(i, low+unit*(high-low))
		}
	}, nil
}

func (p *params) randomDecimal() (generator, error) {
	t := p.col.Type.(*arrow.Decimal128Type)
	most := decimal128.GetScaleMultiplier(int(t.Precision)).Sub(decimal128.FromI64(1))
	bound := func(name string, byDefault decimal128.Num) (decimal128.Num, error) {
		given, err := p.value(name)
		if !given || err != nil {
			return byDefault, err
		}
		return p.col.Wide[0], nil
	}
	low, err := bound("min", most.Negate())
	if err != nil {
		return nil, err
	}
	high, err := bound("max", most)
	if err != nil {
		return nil, err
	}
	if high.Less(low) {
		return nil, p.fail("max", "it is less than min")
	}
	span := high.Sub(low).Add(decimal128.FromI64(1))
	return func(c *column.Column, r rows) {
		for i := range r.n {
			c.Wide[i] = low.Add(scaled(p.noise.at(r.number(i)), span))
		}
	}, nil
}

// scaled is word/2^64 of span.
func scaled(word uint64, span decimal128.Num) decimal128.Num {
	carry, _ := bits.Mul64(word, span.LowBits())
	hi, lo := bits.Mul64(word, uint64(span.HighBits()))
	lo, c := bits.Add64(lo, carry, 0)
	return decimal128.New(int64(hi+c), lo)
}

// letters are what random strings are made of.
const letters = "abcdefghijklmnopqrstuvwxyz234567"

// strings makes values of n letters.
func (n noise) strings(length int) generator {
	return func(c *column.Column, r rows) {
		v := make([]byte, length)
		for i := range r.n {
			stream := noise(n.at(r.number(i)))
			for j := range v {
				if j%12 == 0 { // a word has twelve letters and a bit
					stream = noise(stream.at(1))
				}
				v[j] = letters[stream>>(5*(j%12))&31]
			}
			c.SetString(i, v)
		}
	}
}

// past is the option max-past in units of the column; only timestamps have it.
func (p *params) past() (uint64, error) {
	if p.col.Shape != column.Timestamp {
		return 0, nil
	}
	d, err := p.duration("max-past")
	return uint64(d) / uint64(1e9/p.unitsPerSecond()), err
}

func (p *params) duration(name string) (int64, error) {
	s, _ := p.text(name)
	d, err := text.ParseDuration(s)
	if err != nil {
		return 0, p.fail(name, "%w", err)
	}
	return int64(d), nil
}
