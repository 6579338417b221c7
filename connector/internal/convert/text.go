package convert

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
)

// bytesOf converts texts and bytes. What is to become a STRING must be UTF-8.
func bytesOf(from, to arrow.DataType) step {
	var s step
	switch from.ID() {
	case arrow.STRING, arrow.BINARY:
		s = as(to)
	case arrow.LARGE_STRING, arrow.LARGE_BINARY, arrow.STRING_VIEW, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		s = copyBytes(to)
	default:
		return nil
	}
	if to.ID() == arrow.STRING {
		return checkText(s)
	}
	return s
}

// copyBytes copies values that are kept in another layout.
func copyBytes(to arrow.DataType) step {
	return func(r *run, in arrow.Array) arrow.Array {
		value := valueOf(in)
		offsets, ends := vec.NewFixed[int32](r.mem, in.Len()+1)
		ends[0] = 0
		total := 0
		for i := range in.Len() {
			if n := len(value(i)); in.IsValid(i) && total+n <= math.MaxInt32 {
				total += n
			} else if in.IsValid(i) {
				r.faults = append(r.faults, Fault{i, fmt.Sprintf("a batch of more than %d MiB", math.MaxInt32>>20)})
			}
			ends[i+1] = int32(total)
		}
		data := vec.NewBuffer(r.mem, total)
		for i := range in.Len() {
			copy(data.Bytes()[ends[i]:ends[i+1]], value(i))
		}
		return vec.MakeArray(to, in.Len(), in.NullN(), validity(r.mem, in), offsets, data)
	}
}

// valueOf reads values of any layout.
func valueOf(in arrow.Array) func(int) []byte {
	switch a := in.(type) {
	case *array.LargeString:
		return func(i int) []byte { return []byte(a.Value(i)) }
	case *array.StringView:
		return func(i int) []byte { return []byte(a.Value(i)) }
	case interface{ Value(int) []byte }:
		return a.Value
	}
	panic(fmt.Errorf("convert: no bytes in an array of type %s", in.DataType()))
}

// checkText makes sure that texts are UTF-8. All of them are looked at as one, and each by itself only if that is none.
func checkText(s step) step {
	return func(r *run, in arrow.Array) arrow.Array {
		out := s(r, in)
		offsets, data := vec.Texts(out)
		if len(offsets) == 0 || allText(offsets, data) {
			return out
		}
		r.check(out, func(i int) string {
			if !utf8.Valid(data[offsets[i]:offsets[i+1]]) {
				return "the text is not valid UTF-8"
			}
			return ""
		})
		return out
	}
}

// allText reports whether the bytes are UTF-8 and no character goes on beyond the end of a text.
func allText(offsets []int32, data []byte) bool {
	data = data[:offsets[len(offsets)-1]]
	if !utf8.Valid(data[offsets[0]:]) {
		return false
	}
	for _, o := range offsets {
		if int(o) < len(data) && !utf8.RuneStart(data[o]) {
			return false
		}
	}
	return true
}
