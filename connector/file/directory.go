package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"streamsql/connector"
)

// directory is a target in which every part becomes a file of its own: part-<job>-<checkpoint>-<subtask>.<extension>, so that the
// names have the order in which the rows came. Later runs of the job from nothing are told apart by a number behind the job's name:
// part-<job>~1-….
type directory struct {
	path      string
	job       string
	extension string
	run       int
	replace   []string // files that the first part of subtask 0 replaces
}

const (
	partPrefix    = "part-"
	pendingSuffix = ".pending"
	openSuffix    = ".inprogress"
)

// partName is the name of a part of the job.
func (d *directory) partName(run, subtask int, checkpoint uint64) string {
	job := d.job
	if run > 0 {
		job += "~" + strconv.Itoa(run)
	}
	return fmt.Sprintf("%s%s-%d-%d%s", partPrefix, job, checkpoint, subtask, d.extension)
}

// parsePart is the inverse of partName.
func (d *directory) parsePart(name string) (run int, checkpoint uint64, ok bool) {
	rest, ok := strings.CutPrefix(name, partPrefix+d.job)
	if !ok {
		return 0, 0, false
	}
	if after, ok := strings.CutPrefix(rest, "~"); ok {
		number, _, _ := strings.Cut(after, "-")
		run, _ = strconv.Atoi(number)
		rest = after[len(number):]
	}
	fields := strings.Split(strings.TrimSuffix(rest, d.extension), "-")
	if len(fields) != 3 || fields[0] != "" {
		return 0, 0, false
	}
	subtask, err := strconv.Atoi(fields[2])
	if err != nil {
		return 0, 0, false
	}
	checkpoint, err = strconv.ParseUint(fields[1], 10, 64)
	return run, checkpoint, err == nil && name == d.partName(run, subtask, checkpoint)
}

// openName is the name of the file a subtask writes to.
func (d *directory) openName(subtask int) string {
	return fmt.Sprintf(".%s%s-%d%s", partPrefix, d.job, subtask, openSuffix)
}

// isOurs reports whether a hidden file belongs to the job.
func (d *directory) isOurs(name string) bool {
	if visible, ok := strings.CutSuffix(name, pendingSuffix); ok && visible[0] == '.' {
		_, _, ok := d.parsePart(visible[1:])
		return ok
	}
	number, ok := strings.CutPrefix(strings.TrimSuffix(name, openSuffix), "."+partPrefix+d.job+"-")
	subtask, err := strconv.Atoi(number)
	return ok && err == nil && name == d.openName(subtask)
}

func (d *directory) begin(overwrite bool) error {
	names, err := d.sweep()
	if err != nil {
		return err
	}
	d.run, d.replace = 0, nil
	for _, name := range names {
		if run, _, ok := d.parsePart(name); ok {
			d.run = max(d.run, run+1)
		}
	}
	if overwrite {
		d.replace = names
	}
	return nil
}

// sweep makes the directory if need be, removes the job's hidden files from it and returns the names of the visible ones.
func (d *directory) sweep() (visible []string, err error) {
	if err := os.MkdirAll(d.path, 0o755); err != nil {
		return nil, unwritable(d.path, err)
	}
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", d.path, reason(err))
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case d.isOurs(name):
			if err := os.Remove(filepath.Join(d.path, name)); err != nil {
				return nil, fmt.Errorf("remove what an earlier attempt left: %w", err)
			}
		case !hidden(name) && e.Type().IsRegular():
			visible = append(visible, name)
		}
	}
	return visible, nil
}

func (d *directory) resume(handles []handle, ignoreMissing bool) error {
	ours := false
	for _, h := range handles {
		if h.Job == d.job {
			ours, d.run = true, h.Run
		}
		if err := publish(d, h); err != nil && !(ignoreMissing && isMissing(err)) {
			return err
		}
	}
	if !ours { // the checkpoint is another job's, which goes on under this name
		return d.begin(false)
	}
	names, err := d.sweep()
	if err != nil {
		return err
	}
	checkpoint := handles[len(handles)-1].Checkpoint
	for _, name := range names {
		if run, c, ok := d.parsePart(name); ok && run == d.run && c > checkpoint {
			if err := os.Remove(filepath.Join(d.path, name)); err != nil {
				return fmt.Errorf("take back what came after checkpoint %d: %w", checkpoint, err)
			}
		}
	}
	return syncDirectory(d.path)
}

func (d *directory) open(subtask int, header []byte) (*segment, error) {
	return newSegment(filepath.Join(d.path, d.openName(subtask)), packing(d.extension), header)
}

func (d *directory) wantsEmpty(subtask int) bool { return subtask == 0 && len(d.replace) > 0 }

func (d *directory) part(subtask int, checkpoint uint64, size int64) part {
	p := part{Name: d.partName(d.run, subtask, checkpoint), Checkpoint: checkpoint, Size: size}
	p.Pending = "." + p.Name + pendingSuffix
	if subtask == 0 {
		p.Replace, d.replace = d.replace, nil
	}
	return p
}

func (d *directory) pending(p part) string { return filepath.Join(d.path, p.Pending) }

func (d *directory) publish(p part) error {
	visible := filepath.Join(d.path, p.Name)
	err := os.Rename(d.pending(p), visible)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = os.Stat(visible); err != nil {
			return connector.Missing("neither %s nor its hidden form is there any more", visible)
		}
	}
	if err != nil {
		return err
	}
	return d.replaced(p)
}

// replaced removes what the part replaces.
func (d *directory) replaced(p part) error {
	for _, name := range p.Replace {
		if err := os.Remove(filepath.Join(d.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return syncDirectory(d.path)
}

func (d *directory) reveal(subtask int, s *segment) error {
	p := d.part(subtask, 0, 0)
	visible := filepath.Join(d.path, p.Name)
	if err := os.Rename(s.path, visible); err != nil {
		return err
	}
	s.path = visible
	return d.replaced(p)
}

func (d *directory) stamp(h *handle) { h.Job, h.Run = d.job, d.run }

// escape makes a name usable inside of a file's name.
func escape(name string) string {
	if name == "" {
		return "query"
	}
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c-'0' <= 9, c|0x20-'a' < 26, c == '-', c == '_', c == '.', c >= 0x80:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
