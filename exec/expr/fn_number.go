package expr

import (
	"encoding/hex"
	"math"
	"math/bits"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	registerFloatTest("IS_NAN", math.IsNaN, "Whether the number is NaN, which is no number.", "IS_NAN(SQRT(-1))")
	registerFloatTest("IS_INF", func(v float64) bool { return math.IsInf(v, 0) }, "Whether the number is infinite.", "IS_INF(1e0 / 0)")
	Register(Function{
		Name: "BIT_COUNT", Category: categoryArithmetic,
		Doc:     "The number of bits that are set in an integer, a negative one taken in two's complement of its type's width.",
		Example: "BIT_COUNT(7)", ExampleResult: "3",
		Overloads: []Overload{{Params: []Param{integerParam}, Returns: returns(Int), Compile: func(s *Site) Kernel { return bitCounts[s.Arg(0).ID()] }}},
	})
	Register(Function{
		Name: "BIN", Category: categoryArithmetic,
		Doc:     "The binary digits of an integer, a negative one in two's complement of 64 bits.",
		Example: "BIN(12)", ExampleResult: "1100",
		Overloads: []Overload{{Params: []Param{intParam}, Returns: returns(String), Slow: true, Compile: only(digitsKernel(appendBinary))}},
	})
	Register(Function{
		Name: "HEX", Category: categoryArithmetic,
		Doc:     "The hexadecimal digits, in upper case, of an integer, or of the bytes of a string.",
		Example: "HEX('hello')", ExampleResult: "68656C6C6F",
		Overloads: []Overload{
			{Params: []Param{intParam}, Returns: returns(String), Slow: true, Compile: only(digitsKernel(appendHexNumber))},
			{Params: []Param{stringParam}, Returns: returns(String), Slow: true, Compile: only(textOf(appendUpperHex))},
			{Params: []Param{bytesParam}, Returns: returns(String), Slow: true, Compile: only(textOf(appendUpperHex))},
		},
	})
	Register(Function{
		Name: "UNHEX", Category: categoryArithmetic,
		Doc:     "The BYTES that hexadecimal digits stand for; an odd number of them is read with a 0 in front. NULL if there are other characters.",
		Example: "CAST(UNHEX('68656C6C6F') AS STRING)", ExampleResult: "hello",
		Overloads: []Overload{{Params: []Param{stringParam}, Returns: returns(Bytes), Nulls: PropagateOrNull, Slow: true, Compile: only(unhexKernel)}},
	})
}

// bytesParam is a BYTES.
var bytesParam = exactly("bytes", "a BYTES", Bytes)

func registerFloatTest(name string, test func(float64) bool, doc, example string) {
	kernel := func(f *Frame, args []*Vector, out *Vector) error {
		x := numberArg[float64](args[0])
		clear(out.bits)
		for _, row := range f.Rows() {
			out.bits[row>>6] |= bitOf(test(x.row(row))) << (row & 63)
		}
		return nil
	}
	Register(Function{
		Name: name, Category: categoryArithmetic, Doc: doc, Example: example, ExampleResult: "TRUE",
		Overloads: []Overload{{Params: []Param{doubleParam}, Returns: returns(Boolean), Compile: only(kernel)}},
	})
}

var bitCounts = map[arrow.Type]Kernel{
	arrow.INT8: countBitsOf[uint8](), arrow.INT16: countBitsOf[uint16](), arrow.INT32: countBitsOf[uint32](), arrow.INT64: countBitsOf[uint64](),
}

func countBitsOf[T uint8 | uint16 | uint32 | uint64]() Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[int32](out), values[T](args[0])
		for i := range o {
			o[i] = int32(bits.OnesCount64(uint64(x[args[0].at(i)])))
		}
		return nil
	}
}

// digitsKernel makes a kernel of a function that writes a BIGINT.
func digitsKernel(appendTo func(dst []byte, v int64) []byte) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		x := numberArg[int64](args[0])
		for _, row := range f.Rows() {
			out.data = appendTo(out.data, x.row(row))
			out.end(row)
		}
		return nil
	}
}

func appendBinary(dst []byte, v int64) []byte { return strconv.AppendUint(dst, uint64(v), 2) }

func appendHexNumber(dst []byte, v int64) []byte {
	start := len(dst)
	return upperFrom(strconv.AppendUint(dst, uint64(v), 16), start)
}

func appendUpperHex(dst, s []byte) []byte {
	start := len(dst)
	return upperFrom(hex.AppendEncode(dst, s), start)
}

// upperFrom makes the ASCII letters of b from start on upper case.
func upperFrom(b []byte, start int) []byte {
	for i, c := range b[start:] {
		if c-'a' < 26 {
			b[start+i] = c - 'a' + 'A'
		}
	}
	return b
}

func unhexKernel(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		s := args[0].bytes(row)
		before := len(out.data)
		ok := true
		if len(s)%2 != 0 {
			digit, valid := hexDigit(s[0])
			out.data, ok, s = append(out.data, digit), valid, s[1:]
		}
		if out.data, ok = appendUnhex(out.data, s, ok); !ok {
			out.data = out.data[:before]
			f.SetNull(row)
			continue
		}
		out.end(row)
	}
	return nil
}

// appendUnhex appends the bytes of pairs of digits; ok is false if it was or there are other characters.
func appendUnhex(dst, s []byte, ok bool) ([]byte, bool) {
	for ; ok && len(s) > 0; s = s[2:] {
		high, highOK := hexDigit(s[0])
		low, lowOK := hexDigit(s[1])
		dst, ok = append(dst, high<<4|low), highOK && lowOK
	}
	return dst, ok
}

func hexDigit(c byte) (digit byte, ok bool) {
	switch {
	case c-'0' < 10:
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
