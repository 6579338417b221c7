package expr

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// mapWriter collects the MAPs of a result as picks out of arrays of keys and items. Kernels keep one from batch to batch.
type mapWriter struct {
	keys    arrow.Array
	set     elementSet // of the row's keys
	row     []uint32   // its items
	key     listWriter
	items   []uint32
	nullKey bool
}

func (w *mapWriter) start(keys arrow.Array) {
	w.keys, w.items, w.row, w.nullKey = keys, w.items[:0], w.row[:0], false
	w.set.start(keys)
	w.key.start()
}

// put adds an entry, or replaces the item of an equal key.
func (w *mapWriter) put(key, item int) {
	w.nullKey = w.nullKey || w.keys.IsNull(key)
	place, added := w.set.add(key)
	if added {
		w.row = append(w.row, 0)
	}
	w.row[place] = uint32(item)
}

// end finishes the MAP of row, which is what was put since the last call; it fails if a key is NULL.
func (w *mapWriter) end(f *Frame, row uint32) error {
	if !w.nullKey {
		w.key.picks = append(w.key.picks, w.set.members...)
		w.items = append(w.items, w.row...)
	}
	w.key.end(row)
	w.set.clear()
	w.row = w.row[:0]
	if !w.nullKey {
		return nil
	}
	w.nullKey = false
	return f.Fail(row, "a key of a MAP is NULL")
}

// store makes the MAPs the value of out.
func (w *mapWriter) store(f *Frame, out *Vector, items arrow.Array) {
	keys := vec.Take(f.mem, w.keys, w.key.picks)
	f.setLists(out, extend(w.key.ends, f.n), newEntries(out.t.(*arrow.MapType), keys, vec.Take(f.mem, items, w.items)))
	w.keys, w.set.same = nil, nil
}

// storeTexts makes the value of out the MAPs of keys and items, of which the i-th of the rows has those up to ends[i].
func (w *mapWriter) storeTexts(f *Frame, out *Vector, keys, items *textsWriter, rows []uint32, ends []int32) error {
	keyArray, err := keys.array(f)
	if err != nil {
		return err
	}
	defer keyArray.Release()
	itemArray, err := items.array(f)
	if err != nil {
		return err
	}
	defer itemArray.Release()
	w.start(keyArray)
	entry := 0
	for i, row := range rows {
		for ; entry < int(ends[i]); entry++ {
			w.put(entry, entry)
		}
		if err := w.end(f, row); err != nil {
			return err
		}
	}
	w.store(f, out, itemArray)
	return nil
}
