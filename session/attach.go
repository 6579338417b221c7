package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"streamsql/session/wire"
	"streamsql/storage"
)

// How long another process has time to answer, which may just be starting or ending, and how often it is asked.
const (
	attachTimeout = 3 * time.Second
	attachRetry   = 50 * time.Millisecond
)

// attach finds a place for the session's statements when the data directory is locked: the process that has it open, or, if that
// one has left in the meantime, this one, which leaves s.remote nil. locked is the error of the attempt to open it.
func (s *Session) attach(ctx context.Context, locked error) error {
	deadline := time.Now().Add(attachTimeout)
	for {
		conn, err := dial(s.engine.dir)
		if err == nil {
			err = s.greet(conn)
			if lost := (*lostError)(nil); !errors.As(err, &lost) {
				return err
			}
		}
		if _, err := s.engine.open(); !errors.Is(err, storage.ErrLocked) {
			return err
		}
		if time.Now().After(deadline) {
			return s.unanswered(locked)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(attachRetry):
		}
	}
}

// unanswered is the error about a directory that is locked by a process that does not serve it.
func (s *Session) unanswered(locked error) error {
	if pid := readAddress(s.engine.dir).PID; pid != 0 && pid != os.Getpid() {
		return fmt.Errorf("data directory %s is open in process %d, which does not answer; stop that process or give another directory with --data-dir",
			s.engine.dir, pid)
	}
	return fmt.Errorf("%w; the other process does not answer", locked)
}

// dial connects to the engine that has a data directory open.
func dial(dir string) (net.Conn, error) {
	a := readAddress(dir)
	if a.Socket == "" {
		path, err := socketPath(dir)
		if err != nil {
			return nil, err
		}
		a.Socket = path
	}
	return net.DialTimeout("unix", a.Socket, attachTimeout)
}

// greet makes the connection the session's place of work.
func (s *Session) greet(conn net.Conn) error {
	r := &remote{session: s, conn: wire.NewClient(conn), hello: wire.Hello{
		Version: wire.Version, Dir: s.options.Dir, Persist: s.options.Persist, FinalResult: s.options.FinalResult,
		Settings: s.settings.Given(), Objects: s.definitions(),
	}}
	if err := r.welcome(r.conn, r.hello); err != nil {
		return errors.Join(err, conn.Close())
	}
	s.remote = r
	return nil
}
