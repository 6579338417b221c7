package storage

import (
	"fmt"
	"log/slog"
	"strings"
)

// quietLogger passes Badger's warnings and errors to slog and drops its chatter.
type quietLogger struct{ dir string }

func (l quietLogger) Errorf(format string, args ...any) {
	slog.Error("storage: "+message(format, args), "dir", l.dir)
}

func (l quietLogger) Warningf(format string, args ...any) {
	slog.Warn("storage: "+message(format, args), "dir", l.dir)
}

func (quietLogger) Infof(string, ...any)  {}
func (quietLogger) Debugf(string, ...any) {}

func message(format string, args []any) string {
	return strings.TrimSpace(fmt.Sprintf(format, args...))
}
