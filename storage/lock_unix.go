//go:build linux || darwin || freebsd

package storage

import (
	"errors"
	"os"
	"syscall"
)

// withLock runs f while it holds the lock by which Badger keeps other processes out of dir, or returns an errBusy.
func withLock(dir string, f func() error) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errBusy
	}
	if err != nil {
		return err
	}
	return f()
}
