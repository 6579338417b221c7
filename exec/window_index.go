package exec

import "container/heap"

// windowIndex finds the groups of a windowed aggregate whose window is to fire.
type windowIndex struct {
	groups map[int64][]uint32 // by the time they are to fire
	times  timeHeap
}

func newWindowIndex() windowIndex { return windowIndex{groups: map[int64][]uint32{}} }

// add files a group under the time its window is to fire.
func (w *windowIndex) add(at int64, group uint32) {
	list, ok := w.groups[at]
	if !ok {
		heap.Push(&w.times, at)
	}
	w.groups[at] = append(list, group)
}

// next takes out the groups of the earliest window that is to fire at time; ok is false when none is.
func (w *windowIndex) next(time int64) (groups []uint32, ok bool) {
	if len(w.times) == 0 || w.times[0] > time {
		return nil, false
	}
	at := heap.Pop(&w.times).(int64)
	groups = w.groups[at]
	delete(w.groups, at)
	return groups, true
}

// timeHeap is a min-heap of times.
type timeHeap []int64

func (h timeHeap) Len() int { return len(h) }

func (h timeHeap) Less(i, j int) bool { return h[i] < h[j] }

func (h timeHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *timeHeap) Push(x any) { *h = append(*h, x.(int64)) }

func (h *timeHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
