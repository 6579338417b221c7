package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// textsWriter collects the ARRAYs of STRINGs of a result. Kernels keep one from batch to batch.
type textsWriter struct {
	data     []byte
	textEnds []int32
	nulls    []int32 // the places of those that are NULL
	ends     []int32
}

func (w *textsWriter) start() {
	w.data, w.textEnds, w.nulls, w.ends = w.data[:0], append(w.textEnds[:0], 0), w.nulls[:0], append(w.ends[:0], 0)
}

// count is the number of texts so far.
func (w *textsWriter) count() int { return len(w.textEnds) - 1 }

func (w *textsWriter) add(s []byte) {
	w.data = append(w.data, s...)
	w.textEnds = append(w.textEnds, int32(len(w.data)))
}

func (w *textsWriter) addNull() {
	w.nulls = append(w.nulls, int32(w.count()))
	w.add(nil)
}

// end finishes the list of row, which is what was added since the last call. Rows come in ascending order; those left out are
// empty.
func (w *textsWriter) end(row uint32) {
	w.ends = append(extend(w.ends, int(row)), int32(w.count()))
}

// store makes the lists the value of out.
func (w *textsWriter) store(f *Frame, out *Vector) error {
	texts, err := w.array(f)
	if err != nil {
		return err
	}
	f.setLists(out, extend(w.ends, f.n), texts)
	return nil
}

// array is all texts, one after the other.
func (w *textsWriter) array(f *Frame) (arrow.Array, error) {
	if len(w.data) > math.MaxInt32 {
		return nil, tooMuchText(f.step.expr)
	}
	offsets, ends := vec.NewFixed[int32](f.mem, len(w.textEnds))
	copy(ends, w.textEnds)
	data := vec.NewBuffer(f.mem, len(w.data))
	copy(data.Bytes(), w.data)
	return vec.MakeArray(String, w.count(), len(w.nulls), w.validity(f), offsets, data), nil
}

func (w *textsWriter) validity(f *Frame) *memory.Buffer {
	if len(w.nulls) == 0 {
		return nil
	}
	buf, bits := vec.NewBitmap(f.mem, w.count())
	for i := range bits {
		bits[i] = 0xff
	}
	for _, null := range w.nulls {
		bits[null>>3] &^= 1 << (null & 7)
	}
	return buf
}
