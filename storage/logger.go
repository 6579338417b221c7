package storage

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
)

// logger passes Badger's warnings and errors to slog and drops its chatter, and the errors that whoever called Badger is given, too.
// It also remembers a failed sync of the value log, of which Badger tells nobody else.
type logger struct {
	dir    string
	failed atomic.Pointer[string]
}

// Errorf is part of Badger's logger.
func (l *logger) Errorf(format string, args ...any) {
	m := message(format, args)
	if strings.Contains(m, "sync") {
		l.failed.CompareAndSwap(nil, &m)
	}
	if !slices.ContainsFunc(returned, func(prefix string) bool { return strings.HasPrefix(m, prefix) }) {
		slog.Error("storage: "+m, "dir", l.dir)
	}
}

// returned are the beginnings of messages about errors that are returned as well.
var returned = []string{"Unable to read: Key:", "Key: [", "writeRequests: ", "WatchBatch.Cancel error", "Received err: ", "Got error: "}

// Warningf is part of Badger's logger.
func (l *logger) Warningf(format string, args ...any) {
	slog.Warn("storage: "+message(format, args), "dir", l.dir)
}

// Infof is part of Badger's logger.
func (*logger) Infof(string, ...any) {}

// Debugf is part of Badger's logger.
func (*logger) Debugf(string, ...any) {}

// syncError is an error for ever once a sync has failed: what the kernel could not write then may be gone, and no later sync
// would tell.
func (l *logger) syncError() error {
	if m := l.failed.Load(); m != nil {
		return fmt.Errorf("data directory %s could not be synced to disk: %s; check the disk and start again", l.dir, *m)
	}
	return nil
}

func message(format string, args []any) string {
	return strings.TrimSpace(fmt.Sprintf(format, args...))
}
