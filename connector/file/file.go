// Package file implements the connector filesystem: tables that are files.
//
// A table is one file, a pattern of files or a directory. Reading, a file is divided into splits where its format allows it, and the
// records of a split are decoded by several goroutines in the order in which they stand. Writing, what a checkpoint covers appears
// as a whole when the checkpoint is committed: as a file of its own in a directory, or at the end of a single file.
package file

import (
	"path/filepath"
	"strings"

	"streamsql/connector"
	"streamsql/connector/format"
)

const (
	pathKey = "path"
	rateKey = "scan.rows-per-second"
	// compressionKey is how new files in a directory are packed.
	compressionKey = "compression"
)

func init() {
	connector.Register(&connector.Connector{
		Name: "filesystem",
		Doc:  "a file, a pattern or a directory of files; .gz and .zst are packed and unpacked; writing is exactly-once",
		Options: []connector.Option{
			{Key: pathKey, Required: true, Doc: "the file, pattern or directory"},
			{Key: rateKey, Type: connector.Positive, Doc: "reads at most this many rows a second from each file"},
			{Key: compressionKey, Type: connector.Word, Words: []string{"none", "gzip", "zstd"}, Default: "none", Doc: "how the files that are written into a directory are packed; a single file is packed as the end of its name says"},
			{Key: "sink.rolling-policy.rollover-interval", Type: connector.Duration, Doc: "accepted; a directory gets a new file at every checkpoint"},
			{Key: "sink.rolling-policy.check-interval", Type: connector.Duration, Doc: "accepted, as above"},
		},
		Metadata:  metadata,
		More:      format.Options,
		Complete:  complete,
		Infer:     infer,
		NewSource: newSource,
		NewSink:   newSink,
	})
}

// resolve is the place of a path of the table in the file system.
func resolve(t connector.Table, path string) string {
	path = strings.TrimPrefix(path, "file://")
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.Dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil { // there is no working directory
		return path
	}
	return abs
}
