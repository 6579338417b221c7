//go:build !linux

package state

// adviseHuge does nothing where huge pages cannot be asked for.
func adviseHuge([]uint64) {}
