package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// reserve is the free space below which nothing more is written. Badger writes through mapped files, where a full disk ends
// the process; the reserve covers what its own memtables and compactions may still write.
const reserve = 2*memTableSize + valueLogFileSize

// checkSpace returns an ErrDiskFull if writing size bytes would leave less than the reserve.
func (s *Store) checkSpace(size int) error {
	return checkFree(s.dir, reserve+int64(size))
}

// checkFlush returns an error if Badger could not write the contents of its memtables, as it does when it is opened or closed: an
// ErrDiskFull, or that of creating a file.
func checkFlush(dir string) error {
	logs, err := filepath.Glob(filepath.Join(storeDir(dir), "*.mem"))
	if err != nil || len(logs) == 0 {
		return err
	}
	probe, err := os.CreateTemp(storeDir(dir), "probe-*")
	if err != nil {
		return fmt.Errorf("data directory %s cannot be written to: %w", dir, err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return err
	}
	need := int64(1 << 20)
	for _, path := range logs {
		info, err := os.Stat(path)
		if err != nil {
			return ignoreVanished(err)
		}
		need += allocated(info)
	}
	return checkFree(dir, need)
}

func checkFree(dir string, need int64) error {
	free, ok := freeSpace(dir)
	if !ok || free >= need {
		return nil
	}
	return fmt.Errorf("%w: %s has %d MiB left and at least %d are needed; free some space", ErrDiskFull, dir, free>>20, need>>20)
}

// Size is the number of bytes the store takes on disk. Files are sparse: it counts what is allocated.
func (s *Store) Size() (int64, error) {
	var size int64
	err := filepath.WalkDir(storeDir(s.dir), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return ignoreVanished(err)
		}
		info, err := d.Info()
		if err == nil {
			size += allocated(info)
		}
		return ignoreVanished(err)
	})
	if err != nil {
		return 0, fmt.Errorf("size of data directory %s: %w", s.dir, err)
	}
	return size, nil
}

// ignoreVanished drops the error of a file that was deleted while the directory was read.
func ignoreVanished(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
