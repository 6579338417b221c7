package state

import (
	"syscall"
	"unsafe"
)

// adviseHuge asks for huge pages under large memory: a random access to it then seldom misses the TLB. It is only advice.
func adviseHuge(words []uint64) {
	const page = 1 << 21
	start := uintptr(unsafe.Pointer(unsafe.SliceData(words)))
	end := start + uintptr(len(words))*8
	from, to := (start+page-1)&^(page-1), end&^(page-1)
	if from >= to {
		return
	}
	inner := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(words)), from-start)), to-from)
	_ = syscall.Madvise(inner, syscall.MADV_HUGEPAGE)
}
