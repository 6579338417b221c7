package state

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// keyReader gives the key words of the selected rows of a batch, block by block.
type keyReader struct {
	layout *keyLayout
	mem    memory.Allocator
	cols   []arrow.Array
	rows   int
	sel    []uint32
	texts  []textColumn // by column; empty for other kinds
	buffer []uint64
	plain  []uint64 // the words of all rows, where the only column holds them as they are
	block  []uint64 // the current block, layout.words for each row
	from   int      // the selected row at which it begins
	hashes []uint64 // of the block, where the only column is a text: they come of packing it
}

// textColumn is the values of a STRING or BYTES column, or those of a nested one as bytes.
type textColumn struct {
	offsets []int32
	bytes   []byte
	dense   bool // of the selected rows alone
}

func (t textColumn) value(row int) []byte { return t.bytes[t.offsets[row]:t.offsets[row+1]] }

// open points the reader at a batch.
func (r *keyReader) open(cols []arrow.Array, rows int, sel []uint32) {
	r.cols, r.rows, r.sel, r.plain = cols, rows, sel, nil
	r.texts = r.texts[:0]
	for i, c := range r.layout.columns {
		var text textColumn
		switch {
		case c.nested != nil:
			text = r.readNested(c.nested, cols[i])
		case c.kind == textKey:
			text.offsets, text.bytes = vec.Texts(cols[i])
		}
		r.texts = append(r.texts, text)
	}
	if len(cols) == 1 && sel == nil && isPlain(cols[0].DataType().ID()) && cols[0].NullN() == 0 {
		r.plain = vec.Values[uint64](cols[0])
	}
}

// readNested makes texts of the selected rows of a nested column.
func (r *keyReader) readNested(n *nested, col arrow.Array) textColumn {
	if r.sel != nil {
		col = vec.Take(r.mem, col, r.sel)
		defer col.Release()
	}
	n.read(col)
	return textColumn{n.offsets, n.bytes, true}
}

func isPlain(id arrow.Type) bool {
	switch id {
	case arrow.INT64, arrow.UINT64, arrow.TIMESTAMP, arrow.TIME64, arrow.DATE64, arrow.DURATION:
		return true
	}
	return false
}

// row is the physical row of the i-th row of the block.
func (r *keyReader) row(i int) int {
	if r.sel != nil {
		return int(r.sel[r.from+i])
	}
	return r.from + i
}

// text is the value of a text column in the i-th row of the block.
func (r *keyReader) text(column, i int) []byte {
	if text := r.texts[column]; text.dense {
		return text.value(r.from + i)
	}
	return r.texts[column].value(r.row(i))
}

// isNull reports whether a key of a single column is NULL in the i-th row of the block.
func (r *keyReader) isNull(i int) bool { return len(r.cols) == 1 && r.cols[0].IsNull(r.row(i)) }

// read makes the n selected rows from from on the current block.
func (r *keyReader) read(from, n int) {
	r.from = from
	w := r.layout.words
	if r.plain != nil {
		r.block = r.plain[from : from+n]
		return
	}
	if cap(r.buffer) < n*w {
		r.buffer = make([]uint64, n*w)
	}
	r.block = r.buffer[:n*w]
	if r.layout.isText() && r.layout.columns[0].nested == nil {
		r.readText(n)
		return
	}
	if at := r.layout.nullWord(); at >= 0 {
		for i := range n {
			r.block[i*w+at] = 0
		}
	}
	for i, c := range r.layout.columns {
		r.packColumn(i, c, n)
		if r.cols[i].NullN() > 0 {
			r.packNulls(i, c, n)
		}
	}
}

func (r *keyReader) packColumn(i int, c keyColumn, n int) {
	arr := r.cols[i]
	if c.kind == textKey {
		packTexts(r, i, c, n)
		return
	}
	switch c.dt.ID() {
	case arrow.BOOL:
		values := arr.(*array.Boolean)
		packEach(r, c, n, func(row int) uint64 {
			if values.Value(row) {
				return 1
			}
			return 0
		})
	case arrow.INT8:
		packIntegers[int8](r, c, arr, n)
	case arrow.INT16:
		packIntegers[int16](r, c, arr, n)
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		packIntegers[int32](r, c, arr, n)
	case arrow.UINT8:
		packIntegers[uint8](r, c, arr, n)
	case arrow.UINT16:
		packIntegers[uint16](r, c, arr, n)
	case arrow.UINT32:
		packIntegers[uint32](r, c, arr, n)
	case arrow.FLOAT32:
		packFloats[float32](r, c, arr, n)
	case arrow.FLOAT64:
		packFloats[float64](r, c, arr, n)
	case arrow.DECIMAL128:
		packDecimals(r, c, arr, n)
	case arrow.NULL:
		packEach(r, c, n, func(int) uint64 { return 0 })
	default:
		packIntegers[int64](r, c, arr, n)
	}
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func packIntegers[T integer](r *keyReader, c keyColumn, arr arrow.Array, n int) {
	values, w := vec.Values[T](arr), r.layout.words
	out := r.block[c.word:]
	if r.sel == nil {
		for i, v := range values[r.from : r.from+n] {
			out[i*w] = uint64(v)
		}
		return
	}
	for i, row := range r.sel[r.from : r.from+n] {
		out[i*w] = uint64(values[row])
	}
}

func packFloats[T float32 | float64](r *keyReader, c keyColumn, arr arrow.Array, n int) {
	values := vec.Values[T](arr)
	packEach(r, c, n, func(row int) uint64 { return vec.FloatBits(float64(values[row])) })
}

func packDecimals(r *keyReader, c keyColumn, arr arrow.Array, n int) {
	values, w := vec.Values[decimal128.Num](arr), r.layout.words
	for i := range n {
		v := values[r.row(i)]
		r.block[i*w+c.word] = v.LowBits()
		r.block[i*w+c.word+1] = uint64(v.HighBits())
	}
}

func packTexts(r *keyReader, column int, c keyColumn, n int) {
	text, w := r.texts[column], r.layout.words
	out := r.block[c.word:]
	if r.sel == nil || text.dense {
		offsets := text.offsets[r.from : r.from+n+1]
		for i := range n {
			out[i*w], out[i*w+1] = vec.TextWords(text.bytes[offsets[i]:offsets[i+1]])
		}
		return
	}
	for i, row := range r.sel[r.from : r.from+n] {
		out[i*w], out[i*w+1] = vec.TextWords(text.value(int(row)))
	}
}

// readText packs the block of a key that is a single text, and hashes it on the way.
func (r *keyReader) readText(n int) {
	if r.hashes == nil {
		r.hashes = make([]uint64, probeBlock)
	}
	hashTexts(r.texts[0], r.sel, r.from, r.block[:2*n], r.hashes[:n])
	if r.cols[0].NullN() == 0 {
		return
	}
	r.packNulls(0, r.layout.columns[0], n)
	for i := range n {
		if r.block[2*i+1] == nullText {
			r.hashes[i] = vec.NullHash
		}
	}
}

func hashTexts(text textColumn, sel []uint32, from int, words, hashes []uint64) {
	for i := range hashes {
		row := from + i
		if sel != nil {
			row = int(sel[row])
		}
		b := text.value(row)
		first, rest := vec.TextWords(b)
		words[2*i], words[2*i+1] = first, rest
		hashes[i] = vec.TextHash(first, rest, b)
	}
}

func packEach(r *keyReader, c keyColumn, n int, word func(row int) uint64) {
	for i := range n {
		r.block[i*r.layout.words+c.word] = word(r.row(i))
	}
}

// packNulls overwrites the words of NULLs.
func (r *keyReader) packNulls(column int, c keyColumn, n int) {
	w, at := r.layout.words, r.layout.nullWord()
	for i := range n {
		if r.cols[column].IsValid(r.row(i)) {
			continue
		}
		key := r.block[i*w : i*w+w]
		key[c.word] = 0
		if c.kind != fixedKey {
			key[c.word+1] = 0
		}
		switch {
		case at >= 0:
			key[at] |= 1 << column
		case c.kind == textKey:
			key[c.word+1] = nullText
		}
	}
}
