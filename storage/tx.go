package storage

import (
	"errors"
	"fmt"

	badger "github.com/dgraph-io/badger/v4"
)

// Tx is a transaction over the store's metadata. It ends with the function it was given to.
type Tx struct {
	txn    *badger.Txn
	during func()
}

// Get returns a copy of the value of k, or an ErrNotFound that names it.
func (tx *Tx) Get(k Key) ([]byte, error) {
	item, err := tx.txn.Get([]byte(k))
	if err != nil {
		return nil, keyError("read", k, err)
	}
	v, err := item.ValueCopy(nil)
	if err != nil {
		return nil, keyError("read", k, err)
	}
	return v, nil
}

// View calls f with the value of k, which is valid until f returns; without k it returns an ErrNotFound that names it.
func (tx *Tx) View(k Key, f func(v []byte) error) error {
	item, err := tx.txn.Get([]byte(k))
	if err != nil {
		return keyError("read", k, err)
	}
	var failed error
	err = item.Value(func(v []byte) error {
		failed = f(v)
		return nil
	})
	if err != nil {
		return keyError("read", k, err)
	}
	return failed
}

// Put sets the value of k, of at most MaxValue bytes. The transaction keeps v until it ends.
func (tx *Tx) Put(k Key, v []byte) error {
	if err := checkValue(k, v); err != nil {
		return err
	}
	if err := tx.txn.Set([]byte(k), v); err != nil {
		return keyError("write", k, err)
	}
	return nil
}

// Delete removes k; it need not exist.
func (tx *Tx) Delete(k Key) error {
	if err := tx.txn.Delete([]byte(k)); err != nil {
		return keyError("delete", k, err)
	}
	return nil
}

// Scan calls f for each key that begins with prefix, in order, until f returns an error, which it returns. The value must not
// be kept.
func (tx *Tx) Scan(prefix Key, f func(k Key, v []byte) error) error {
	return tx.scan(prefix, func(item *badger.Item) error {
		return item.Value(func(v []byte) error { return f(Key(item.Key()), v) })
	})
}

// Keys calls f for each key that begins with prefix, in order, until f returns an error, which it returns.
func (tx *Tx) Keys(prefix Key, f func(k Key) error) error {
	return tx.scan(prefix, func(item *badger.Item) error { return f(Key(item.Key())) })
}

// Chunks calls f with the key and the size in bytes of each chunk of the job, in order, until f returns an error, which it
// returns.
func (tx *Tx) Chunks(job string, f func(k Key, size int64) error) error {
	return tx.scan(ChunkPrefix(job), func(item *badger.Item) error { return f(Key(item.Key()), item.EstimatedSize()) })
}

func (tx *Tx) scan(prefix Key, f func(*badger.Item) error) error {
	it := tx.txn.NewIterator(badger.IteratorOptions{Prefix: []byte(prefix)})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if err := f(it.Item()); err != nil {
			return err
		}
	}
	return nil
}

// DuringCommit has f called after the transaction has been handed over to be written and before its outcome is known.
func (tx *Tx) DuringCommit(f func()) { tx.during = f }

// View runs f in a read-only transaction.
func (s *Store) View(f func(*Tx) error) error {
	if s.db.IsClosed() {
		return ErrClosed
	}
	return s.db.View(func(txn *badger.Txn) error { return f(&Tx{txn: txn}) })
}

// Update runs f in a transaction and commits it durably if f returns nil: all of its writes or none. One runs at a time, so
// what f reads still holds when its writes are committed. f must not write to the store but through its transaction.
func (s *Store) Update(f func(*Tx) error) error {
	s.update.Lock()
	defer s.update.Unlock()
	if err := s.beginWrite(0); err != nil {
		return err
	}
	defer s.writes.RUnlock()
	tx := &Tx{txn: s.db.NewTransaction(true)}
	defer tx.txn.Discard()
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.commit(); err != nil {
		return fmt.Errorf("commit to data directory %s: %w", s.dir, err)
	}
	return s.log.syncError()
}

func (tx *Tx) commit() error {
	done := make(chan error, 1)
	tx.txn.CommitWith(func(err error) { done <- err })
	if tx.during != nil {
		tx.during()
	}
	return <-done
}

// Get returns the value of k, or an ErrNotFound that names it.
func (s *Store) Get(k Key) (v []byte, err error) {
	err = s.View(func(tx *Tx) error {
		v, err = tx.Get(k)
		return err
	})
	return v, err
}

// Put sets the value of k durably.
func (s *Store) Put(k Key, v []byte) error {
	return s.Update(func(tx *Tx) error { return tx.Put(k, v) })
}

// Delete removes k durably; it need not exist.
func (s *Store) Delete(k Key) error {
	return s.Update(func(tx *Tx) error { return tx.Delete(k) })
}

// Scan calls f for each key that begins with prefix, as Tx.Scan does.
func (s *Store) Scan(prefix Key, f func(k Key, v []byte) error) error {
	return s.View(func(tx *Tx) error { return tx.Scan(prefix, f) })
}

func checkValue(k Key, v []byte) error {
	if len(v) > MaxValue {
		return fmt.Errorf("write %s: %d bytes, at most %d are possible", string(k), len(v), MaxValue)
	}
	return nil
}

// keyError says which key an operation failed at.
func keyError(verb string, k Key, err error) error {
	if errors.Is(err, badger.ErrKeyNotFound) {
		return fmt.Errorf("%s: %w", string(k), ErrNotFound)
	}
	return fmt.Errorf("%s %s: %w", verb, string(k), err)
}
