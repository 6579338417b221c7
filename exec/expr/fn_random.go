package expr

import (
	"encoding/hex"
	"math/bits"
)

func init() {
	Register(Function{
		Name: "RAND", Category: categoryArithmetic, Volatile: true,
		Doc: "A random number from 0 to below 1, another for each row; a seed makes the sequence repeat.", Example: "RAND() BETWEEN 0 AND 1", ExampleResult: "TRUE",
		Overloads: []Overload{{Params: []Param{named(intParam, "seed")}, Optional: 1, Returns: returns(Double), Compile: only(randKernel)}},
	})
	Register(Function{
		Name: "RAND_INTEGER", Category: categoryArithmetic, Volatile: true,
		Doc: "A random integer from 0 to below the bound, another for each row; a seed makes the sequence repeat.", Example: "RAND_INTEGER(1)", ExampleResult: "0",
		Overloads: []Overload{
			{Params: []Param{named(intParam, "bound")}, Returns: returns(Int), Fails: Sometimes, Compile: only(randIntegerKernel)},
			{Params: []Param{named(intParam, "seed"), named(intParam, "bound")}, Returns: returns(Int), Fails: Sometimes, Compile: only(randIntegerKernel)},
		},
	})
	Register(Function{
		Name: "UUID", Category: categoryString, Volatile: true,
		Doc: "A random identifier by RFC 4122 (version 4), another for each row.", Example: "CHAR_LENGTH(UUID())", ExampleResult: "36",
		Overloads: []Overload{{Returns: returns(String), Slow: true, Compile: only(uuidKernel)}},
	})
}

// random starts the numbers of a call. They depend on the seed of the settings, the place of the call in its program and the
// number of rows the program has seen, not on how these were divided into batches.
func (f *Frame) random() uint64 {
	return mix(mix(f.settings.Seed) + uint64(f.step.out))
}

// seeded are the random numbers of a call, by row.
type seeded struct {
	start uint64
	drawn uint64        // rows before the batch
	seed  number[int64] // one given as an argument counts instead
	given bool
}

func (f *Frame) seeded(args []*Vector) seeded {
	s := seeded{start: f.random(), drawn: f.drawn}
	if len(args) > 0 {
		s.seed, s.given = numberArg[int64](args[0]), true
	}
	return s
}

func (s *seeded) row(row uint32) uint64 {
	start := s.start
	if s.given {
		start = mix(uint64(s.seed.row(row)))
	}
	return mix(start + s.drawn + uint64(row))
}

// mix is a bijection of 64-bit numbers that spreads every bit over all others (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func randKernel(f *Frame, args []*Vector, out *Vector) error {
	s := f.seeded(args)
	o := values[float64](out)
	for _, row := range f.Rows() {
		o[row] = float64(s.row(row)>>11) / (1 << 53)
	}
	return nil
}

func randIntegerKernel(f *Frame, args []*Vector, out *Vector) error {
	last := len(args) - 1
	s := f.seeded(args[:last])
	o, bound := values[int32](out), numberArg[int64](args[last])
	for _, row := range f.Rows() {
		n := bound.row(row)
		if n < 1 || n > 1<<31 {
			if err := f.Fail(row, "the bound of RAND_INTEGER must be from 1 to 2147483648"); err != nil {
				return err
			}
			continue
		}
		hi, _ := bits.Mul64(s.row(row), uint64(n))
		o[row] = int32(hi)
	}
	return nil
}

func uuidKernel(f *Frame, _ []*Vector, out *Vector) error {
	start := f.random()
	other := mix(^start)
	for _, row := range f.Rows() {
		n := f.drawn + uint64(row)
		hi, lo := mix(start+n), mix(other+n)
		hi = hi&^0xf000 | 0x4000 // version 4
		lo = lo&^(3<<62) | 1<<63 // variant 1
		out.data = appendUUID(out.data, hi, lo)
		out.end(row)
	}
	return nil
}

func appendUUID(dst []byte, hi, lo uint64) []byte {
	var b [16]byte
	for i := range 8 {
		b[i], b[8+i] = byte(hi>>(56-8*i)), byte(lo>>(56-8*i))
	}
	for i, part := range [][]byte{b[:4], b[4:6], b[6:8], b[8:10], b[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}
