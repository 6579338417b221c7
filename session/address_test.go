package session

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestListenAndDial(t *testing.T) {
	for _, name := range []string{"data", strings.Repeat("long", 30)} {
		t.Run(name[:4], func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for range 2 { // what an engine that was killed has left does not stop the next one
				l, err := listen(dir)
				if err != nil {
					t.Fatal(err)
				}
				l.(*net.UnixListener).SetUnlinkOnClose(false)
				accepted := make(chan error, 1)
				go func() {
					conn, err := l.Accept()
					if err == nil {
						conn.Close()
					}
					accepted <- err
				}()
				conn, err := dial(dir)
				if err != nil {
					t.Fatal(err)
				}
				conn.Close()
				if err := <-accepted; err != nil {
					t.Fatal(err)
				}
				l.Close()
			}
			if a := readAddress(dir); a.PID != os.Getpid() {
				t.Errorf("address %+v", a)
			}
			if info, err := os.Stat(readAddress(dir).Socket); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("socket %v, %v", info, err)
			}
			os.Remove(readAddress(dir).Socket)
		})
	}
}
