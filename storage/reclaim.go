package storage

import (
	"errors"
	"fmt"
	"sync"

	badger "github.com/dgraph-io/badger/v4"
)

// reclaimer counts the bytes that wait to be given back.
type reclaimer struct {
	sync.Mutex
	freed int64
}

// minFreed is the least number of bytes worth a reclamation.
const minFreed = 2 * valueLogFileSize

// Freed tells the store that values of that many bytes have been deleted. Once that is a third of what the store takes on disk,
// it gives the space back before it returns, which keeps the store below three times what lives in it.
func (s *Store) Freed(bytes int64) error {
	s.reclaimer.Lock()
	defer s.reclaimer.Unlock()
	s.reclaimer.freed += bytes
	if s.reclaimer.freed < minFreed {
		return nil
	}
	size, err := s.Size()
	if err != nil {
		return err
	}
	if s.reclaimer.freed < size/3 {
		return nil
	}
	return s.reclaim()
}

// Reclaim gives the space of deleted values back to the file system.
func (s *Store) Reclaim() error {
	s.reclaimer.Lock()
	defer s.reclaimer.Unlock()
	return s.reclaim()
}

func (s *Store) reclaim() error {
	s.reclaimer.freed = 0
	err := s.dropDeleted()
	for err == nil {
		err = s.collectValueLog()
	}
	if errors.Is(err, errNothingToCollect) {
		return nil
	}
	return fmt.Errorf("reclaim space of data directory %s: %w", s.dir, err)
}

// dropDeleted makes Badger notice what has been deleted. It does so only in compactions, and those only begin once memtables
// have been filled, which takes a few hundred keys for ever. Dropping a prefix writes out the memtable and compacts at once; other
// writes would fail meanwhile (tens of milliseconds), so they wait.
func (s *Store) dropDeleted() error {
	if err := s.Put(reclaimKey, nil); err != nil {
		return err
	}
	s.writes.Lock()
	defer s.writes.Unlock()
	if s.db.IsClosed() {
		return ErrClosed
	}
	return s.db.DropPrefix([]byte(reclaimKey))
}

var errNothingToCollect = errors.New("no file of the value log is worth a rewrite")

// collectValueLog removes one file of the value log of which at least half is dead.
func (s *Store) collectValueLog() error {
	s.writes.RLock()
	defer s.writes.RUnlock()
	if s.db.IsClosed() {
		return ErrClosed
	}
	err := s.db.RunValueLogGC(0.5)
	if errors.Is(err, badger.ErrNoRewrite) {
		return errNothingToCollect
	}
	return err
}
