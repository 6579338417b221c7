package vec

import (
	"github.com/apache/arrow/go/v17/arrow"
)

const (
	// NullHash is the hash of a row whose only column is NULL. Its lower half differs from that of a column of a value of zero
	// bits, which lets a hash table tell NULL from 0 without a flag.
	NullHash = uint64(0x9e3779b97f4a7c15)
	// EmptyHash is the hash of a row of no columns.
	EmptyHash = uint64(0xd6e8feb86659fd93)

	nullWord  = uint64(0x2545f4914f6cdd1d)
	chainMul  = uint64(0xff51afd7ed558ccd)
	hashBlock = 256
)

// Hash returns one 64-bit hash for each selected row of cols (sel nil: the first rows rows), in out if it has the capacity. The
// hash is the same in every process. Rows of equal values have equal hashes, whatever the width of the type within its family
// (integers; floats; decimals of any scale; times of any unit; STRING and BYTES); -0.0 hashes as 0.0, and all NaN alike. NULL
// hashes as itself.
func Hash(cols []arrow.Array, rows int, sel []uint32, out []uint64) []uint64 {
	if sel != nil {
		rows = len(sel)
	}
	if cap(out) < rows {
		out = make([]uint64, rows)
	}
	out = out[:rows]
	if len(cols) == 0 {
		for i := range out {
			out[i] = EmptyHash
		}
		return out
	}
	loaders := make([]wordLoader, len(cols))
	for i, c := range cols {
		loaders[i] = newWordLoader(c)
	}
	var words [hashBlock]uint64
	for lo := 0; lo < rows; lo += hashBlock {
		block := out[lo:min(lo+hashBlock, rows)]
		mixFirst(block, loaders[0].load(words[:len(block)], lo, sel))
		for i := range loaders[1:] {
			mixNext(block, loaders[i+1].load(words[:len(block)], lo, sel))
		}
	}
	if len(cols) == 1 {
		loaders[0].markNulls(out, 0, sel, NullHash)
	}
	return out
}

// finish spreads every bit of x over the whole word; it is a bijection with 0 as a fixed point.
func finish(x uint64) uint64 {
	x ^= x >> 27
	x *= 0x3c79ac492ba7b653
	x ^= x >> 33
	x *= 0x1c69b3f74ac4ae35
	return x ^ x>>27
}

func mixFirst(out, words []uint64) {
	out = out[:len(words)]
	for i, w := range words {
		out[i] = finish(w)
	}
}

func mixNext(out, words []uint64) {
	out = out[:len(words)]
	for i, w := range words {
		out[i] = finish(out[i]*chainMul + w)
	}
}

// wordLoader turns the rows of one column into words that are equal if the values are.
type wordLoader struct {
	read  wordReader
	plain []uint64 // the words of all rows, where the column holds them as they are
	valid []byte
	off   int
	null  bool // every row is NULL
}

func newWordLoader(arr arrow.Array) wordLoader {
	l := wordLoader{read: newWordReader(arr)}
	l.valid, l.off = Validity(arr)
	l.null = arr.DataType().ID() == arrow.NULL
	if arr.DataType().ID() == arrow.INT64 && l.valid == nil {
		l.plain = Values[uint64](arr)
	}
	return l
}

// load returns the words of the selected rows lo, lo+1, …; it may fill buf, which has their number.
func (l *wordLoader) load(buf []uint64, lo int, sel []uint32) []uint64 {
	if l.plain != nil && sel == nil {
		return l.plain[lo:][:len(buf)]
	}
	l.read(buf, lo, sel)
	l.markNulls(buf, lo, sel, nullWord)
	return buf
}

// markNulls overwrites those of words whose row, among the selected ones from lo on, is NULL.
func (l *wordLoader) markNulls(words []uint64, lo int, sel []uint32, null uint64) {
	if l.valid == nil && !l.null {
		return
	}
	for i := range words {
		row := lo + i
		if sel != nil {
			row = int(sel[row])
		}
		if l.null || !Bit(l.valid, l.off+row) {
			words[i] = null
		}
	}
}
