// Package storage keeps everything the engine must not lose in one Badger keyspace below a data directory: small metadata in
// transactions, and immutable chunks of state in bulk. No Badger type leaves the package.
package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	badger "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

var (
	// ErrLocked says that another process, or another Store of this one, has the data directory open.
	ErrLocked = errors.New("data directory is in use")
	// ErrFormat says that the directory holds something this program cannot read: a newer format, or not a store at all.
	ErrFormat = errors.New("data directory cannot be read")
	// ErrNotFound says that the store holds nothing under a key.
	ErrNotFound = errors.New("not found")
	// ErrClosed says that the store has been closed.
	ErrClosed = errors.New("store is closed")
	// ErrDiskFull says that a write was not begun because the file system is almost full.
	ErrDiskFull = errors.New("disk is full")
	// ErrDeleted says that the data directory has been deleted while it was open. It stays so until the store is opened again.
	ErrDeleted = errors.New("the data directory was deleted")
)

// Store is an open data directory. Its methods may be called from any goroutine.
type Store struct {
	dir string // the data directory
	db  *badger.DB
	log *logger
	// update lets one read-write transaction run at a time, which is what makes their checks hold: Badger's own conflict
	// detection is off.
	update sync.Mutex
	// writes is held shared by every write, and alone by the step of a reclamation during which Badger would refuse writes.
	writes    sync.RWMutex
	reclaimer reclaimer
}

// Open opens the store of the data directory dir, both created if missing. It lies in the subdirectory "store"; what else is in
// dir is not its business. Only one Store may have a directory open: a second one gets an ErrLocked. A store of a newer format,
// or a subdirectory with something else in it, gets an ErrFormat.
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	if err := prepare(storeDir(dir)); err != nil {
		return nil, openError(dir, err)
	}
	if err := checkFlush(dir); err != nil {
		return nil, err
	}
	log := &logger{dir: dir}
	db, err := badger.Open(badgerOptions(storeDir(dir), log))
	if err != nil {
		return nil, openError(dir, err)
	}
	s := &Store{dir: dir, db: db, log: log}
	if err := s.checkFormat(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// lockFile is where Badger leaves the number of the process that has the directory open.
const lockFile = "LOCK"

func storeDir(dir string) string { return filepath.Join(dir, "store") }

const (
	memTableSize = 64 << 20
	// valueLogFileSize is the unit in which the value log gives space back.
	valueLogFileSize = 16 << 20
	// valueLogThreshold parts metadata, which lies in the LSM tree, from chunks, which lie in the value log. In the tree,
	// compaction writes every chunk three times and keeps dead ones for long.
	valueLogThreshold = 16 << 10
	// MaxValue is the largest size of a value or chunk in bytes.
	MaxValue = valueLogFileSize / 2
)

func badgerOptions(dir string, log *logger) badger.Options {
	return badger.DefaultOptions(dir).
		WithLogger(log).
		WithSyncWrites(true).       // a batch that has been written is durable, also over a change of the log file
		WithDetectConflicts(false). // Store.Update runs one transaction at a time
		WithMetricsEnabled(false).
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithNumCompactors(2).
		WithMemTableSize(memTableSize).
		WithValueLogFileSize(valueLogFileSize).
		WithValueThreshold(valueLogThreshold)
}

// Dir is the absolute path of the data directory.
func (s *Store) Dir() string { return s.dir }

// Close waits for what is being written and closes the store. It does not where Badger could not write what it writes then, and would
// try for ever: on a full disk, in a directory that has been deleted or cannot be written to. The store then stays open: it can be
// closed once that has passed, or left as it is when the process ends, since its logs hold everything.
func (s *Store) Close() error {
	s.reclaimer.Lock()
	defer s.reclaimer.Unlock()
	s.writes.Lock()
	defer s.writes.Unlock()
	if s.db.IsClosed() {
		return nil
	}
	if err := errors.Join(s.checkThere(), checkFlush(s.dir)); err != nil {
		return err
	}
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close data directory %s: %w", s.dir, err)
	}
	return nil
}

// beginWrite lets a write of about size bytes begin, unless it cannot succeed. The caller unlocks s.writes if it returns nil.
func (s *Store) beginWrite(size int) error {
	s.writes.RLock()
	err := s.checkWritable(size)
	if err != nil {
		s.writes.RUnlock()
	}
	return err
}

func (s *Store) checkWritable(size int) error {
	if s.db.IsClosed() {
		return ErrClosed
	}
	if err := s.log.syncError(); err != nil {
		return err
	}
	if err := s.checkThere(); err != nil {
		return err
	}
	return s.checkSpace(size)
}

// checkThere returns an ErrDeleted if the store's files are gone.
func (s *Store) checkThere() error {
	if _, err := os.Stat(filepath.Join(storeDir(s.dir), badger.ManifestFilename)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is not there any more; what was in it is lost", ErrDeleted, s.dir)
	}
	return nil
}

// Sync makes everything written so far durable, or says that it is not.
func (s *Store) Sync() error {
	if s.db.IsClosed() {
		return ErrClosed
	}
	if err := s.db.Sync(); err != nil {
		return fmt.Errorf("sync data directory %s: %w", s.dir, err)
	}
	return s.log.syncError()
}

// prepare creates the store's directory, refuses one with other files in it, and mends what a kill has left.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 && !slices.ContainsFunc(entries, isStoreFile) {
		return fmt.Errorf("%w: %s holds files but no store of streamsql; name another directory", ErrFormat, dir)
	}
	return withLock(dir, func() error { return removeEmptyLogs(dir) })
}

// removeEmptyLogs removes log files without a byte in them. Badger leaves one when it is killed between creating a log and giving
// it its size, and then refuses to open it.
func removeEmptyLogs(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".vlog" && ext != ".mem" {
			continue
		}
		info, infoErr := e.Info()
		if infoErr == nil && info.Size() == 0 {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// isStoreFile reports whether Badger made the file: its manifest or, after a crash at the very first opening, its lock.
func isStoreFile(e os.DirEntry) bool {
	return e.Name() == badger.ManifestFilename || e.Name() == lockFile
}

// errBusy says that the lock of a directory is taken.
var errBusy = errors.New("the lock is taken")

// openError says what keeps the directory from being opened. Badger gives no type to the failed lock.
func openError(dir string, err error) error {
	if errors.Is(err, errBusy) || strings.Contains(err.Error(), "Another process is using this Badger database") {
		return fmt.Errorf("%w: %s is open%s; stop that one first or name another directory", ErrLocked, dir, lockHolder(dir))
	}
	return fmt.Errorf("open data directory %s: %w", dir, err)
}

// lockHolder names the process that has the directory open, if it left its number.
func lockHolder(dir string) string {
	b, err := os.ReadFile(filepath.Join(storeDir(dir), lockFile))
	pid, convErr := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || convErr != nil {
		return " in another process"
	}
	if pid == os.Getpid() {
		return " in this process already"
	}
	return fmt.Sprintf(" in process %d", pid)
}

// checkFormat refuses a store of a newer format and marks a new one with ours.
func (s *Store) checkFormat() error {
	v, err := s.Get(formatKey)
	if errors.Is(err, ErrNotFound) {
		return s.Put(formatKey, []byte(strconv.Itoa(FormatVersion)))
	}
	if err != nil {
		return err
	}
	version, err := strconv.Atoi(string(v))
	if err != nil {
		return fmt.Errorf("%w: %s gives its format as %q", ErrFormat, s.dir, v)
	}
	if version > FormatVersion {
		return fmt.Errorf("%w: %s has format %d, written by a newer streamsql; this one reads up to format %d: use the newer program or another directory",
			ErrFormat, s.dir, version, FormatVersion)
	}
	return nil
}
