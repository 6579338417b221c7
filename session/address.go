package session

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net"
	"os"
	"path/filepath"
)

// address is what the file engine.json of a data directory tells of the engine that has it open.
type address struct {
	PID    int    `json:"pid"`
	Socket string `json:"socket"`
}

const (
	addressFile = "engine.json"
	socketFile  = "streamsql.sock"
	// maxSocketPath is the longest path that every system can bind a socket to.
	maxSocketPath = 100
)

// listen begins to listen for other processes that want the data directory, and leaves the address there. The caller has
// locked the directory, so whatever an earlier engine has left is stale.
func listen(dir string) (net.Listener, error) {
	path, err := socketPath(dir)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	data, err := json.Marshal(address{os.Getpid(), path})
	if err == nil {
		err = replaceFile(filepath.Join(dir, addressFile), data)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// socketPath is where the socket of a data directory is bound: in the directory, or if that path is too long for a socket, in
// the directory for temporary files under a name made from it.
func socketPath(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, socketFile)
	if len(path) <= maxSocketPath {
		return path, nil
	}
	h := fnv.New64a()
	h.Write([]byte(dir))
	return filepath.Join(os.TempDir(), fmt.Sprintf("streamsql-%d-%x.sock", os.Getuid(), h.Sum64())), nil
}

// replaceFile writes a file so that a reader finds the old contents or the new.
func replaceFile(path string, data []byte) error {
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// readAddress returns the address of the engine that has the data directory open, the zero address if none is known.
func readAddress(dir string) address {
	var a address
	data, err := os.ReadFile(filepath.Join(dir, addressFile))
	if err != nil || json.Unmarshal(data, &a) != nil {
		return address{}
	}
	return a
}
