package exec

import "container/heap"

// windowIndex finds the groups of a windowed aggregate whose window has ended.
type windowIndex struct {
	groups map[int64][]uint32 // by window end
	ends   endHeap
}

func newWindowIndex() windowIndex { return windowIndex{groups: map[int64][]uint32{}} }

// add files a group under its window's end.
func (w *windowIndex) add(end int64, group uint32) {
	list, ok := w.groups[end]
	if !ok {
		heap.Push(&w.ends, end)
	}
	w.groups[end] = append(list, group)
}

// next takes out the groups of the earliest window that has ended at time; ok is false when none has.
func (w *windowIndex) next(time int64) (groups []uint32, ok bool) {
	if len(w.ends) == 0 || w.ends[0] > time {
		return nil, false
	}
	end := heap.Pop(&w.ends).(int64)
	groups = w.groups[end]
	delete(w.groups, end)
	return groups, true
}

// endHeap is a min-heap of window ends.
type endHeap []int64

func (h endHeap) Len() int { return len(h) }

func (h endHeap) Less(i, j int) bool { return h[i] < h[j] }

func (h endHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *endHeap) Push(x any) { *h = append(*h, x.(int64)) }

func (h *endHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
