package storage

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Key is a key of the store. All keys are made here, so that this is the layout of a data directory:
//
//	format                                                          version of this layout, decimal
//	catalog/<name>                                                  a catalog entry
//	job/<job>                                                       what the session keeps of a job
//	savepoint/<name>                                                where a savepoint lies
//	setting/<name>                                                  a setting kept over sessions
//	log/<job>                                                       attempt and highest checkpoint id of a job
//	manifest/<job>/<checkpoint>                                     the manifest of a completed checkpoint
//	c/<job>/<attempt>/<operator>/<subtask>/<checkpoint>/<seq>       a chunk of keyed state
//	reclaim                                                         there for moments while space is reclaimed
//
// Names are escaped, so that they cannot contain the separator; numbers are 16 hexadecimal digits, subtasks four, so that keys
// sort by them. Everything but chunks is metadata: small, read and written in transactions.
type Key string

// FormatVersion is the version of the layout this program writes, and the newest it reads.
const FormatVersion = 1

const (
	formatKey  Key = "format"
	reclaimKey Key = "reclaim"
)

// Prefixes of the kinds of metadata, for Scan. The rest of a key is escaped: Key.Name gives it back.
const (
	CatalogPrefix   Key = "catalog/"
	JobPrefix       Key = "job/"
	SavepointPrefix Key = "savepoint/"
	SettingPrefix   Key = "setting/"
	LogPrefix       Key = "log/"
)

// CatalogKey is the key of a catalog entry.
func CatalogKey(name string) Key { return CatalogPrefix + escape(name) }

// JobKey is the key of a job's record.
func JobKey(job string) Key { return JobPrefix + escape(job) }

// SavepointKey is the key of a savepoint's index entry.
func SavepointKey(name string) Key { return SavepointPrefix + escape(name) }

// SettingKey is the key of a setting.
func SettingKey(name string) Key { return SettingPrefix + escape(name) }

// LogKey is the key of the record that fences the attempts of a job.
func LogKey(job string) Key { return LogPrefix + escape(job) }

// ManifestPrefix is the prefix of the manifests of a job, which sort by checkpoint.
func ManifestPrefix(job string) Key { return "manifest/" + escape(job) + "/" }

// ManifestKey is the key of a checkpoint's manifest.
func ManifestKey(job string, checkpoint uint64) Key { return ManifestPrefix(job) + hex16(checkpoint) }

// ManifestID is the checkpoint that the key of a manifest names.
func ManifestID(k Key) (checkpoint uint64, err error) {
	checkpoint, err = strconv.ParseUint(k.Name(), 16, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not the key of a manifest", string(k))
	}
	return checkpoint, nil
}

// Name is the last part of the key as it was before it was escaped.
func (k Key) Name() string {
	last := string(k[strings.LastIndexByte(string(k), '/')+1:])
	name, err := url.PathUnescape(last)
	if err != nil {
		return last
	}
	return name
}

// ChunkID is what the key of a chunk tells.
type ChunkID struct {
	Job        string
	Attempt    uint64
	Operator   string
	Subtask    int
	Checkpoint uint64
	Seq        uint64
}

// ChunkPrefix is the prefix of the chunks of a job.
func ChunkPrefix(job string) Key { return "c/" + escape(job) + "/" }

// Key is the chunk's key.
func (c ChunkID) Key() Key {
	return ChunkPrefix(c.Job) + hex16(c.Attempt) + "/" + escape(c.Operator) +
		Key(fmt.Sprintf("/%04x/%016x/%016x", c.Subtask, c.Checkpoint, c.Seq))
}

// ParseChunkKey is the inverse of ChunkID.Key.
func ParseChunkKey(k Key) (ChunkID, error) {
	p := strings.Split(string(k), "/")
	if len(p) != 7 || p[0] != "c" {
		return ChunkID{}, fmt.Errorf("%q is not the key of a chunk", string(k))
	}
	job, errJob := url.PathUnescape(p[1])
	operator, errOp := url.PathUnescape(p[3])
	attempt, errAttempt := strconv.ParseUint(p[2], 16, 64)
	subtask, errSubtask := strconv.ParseUint(p[4], 16, 31)
	checkpoint, errCheckpoint := strconv.ParseUint(p[5], 16, 64)
	seq, errSeq := strconv.ParseUint(p[6], 16, 64)
	for _, err := range []error{errJob, errOp, errAttempt, errSubtask, errCheckpoint, errSeq} {
		if err != nil {
			return ChunkID{}, fmt.Errorf("%q is not the key of a chunk: %w", string(k), err)
		}
	}
	return ChunkID{job, attempt, operator, int(subtask), checkpoint, seq}, nil
}

func escape(name string) Key { return Key(url.PathEscape(name)) }

func hex16(n uint64) Key { return Key(fmt.Sprintf("%016x", n)) }
