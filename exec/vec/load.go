package vec

import "unsafe"

// Arrow's buffers are little-endian, and so is every platform the engine runs on (checked below).

func load64(p unsafe.Pointer) uint64 { return *(*uint64)(p) }

func load32(p unsafe.Pointer) uint32 { return *(*uint32)(p) }

func init() {
	word := [4]byte{1}
	if load32(unsafe.Pointer(&word)) != 1 {
		panic("streamsql needs a little-endian processor")
	}
}
