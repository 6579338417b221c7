package file

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"streamsql/connector"
	"streamsql/internal/suggest"
)

// list returns the files that the path stands for, in the order of their names and of the numbers in them: a file, those that match a
// pattern, or those in a directory and below, links to files among them.
// Hidden files, whose names begin with a point or an underscore, are left out unless they are named. The results begin with path as
// it is given, which is understood from dir on.
func list(dir, path string) ([]string, error) {
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(dir, path)
	}
	info, err := os.Stat(full)
	switch scheme, _, remote := strings.Cut(path, "://"); {
	case remote && err != nil:
		return nil, fmt.Errorf("files of %s:// cannot be read; a path is one of this machine", scheme)
	case err == nil && info.IsDir():
		return listDirectory(full, path)
	case err == nil && info.Mode().IsRegular():
		return []string{path}, nil
	case err == nil:
		return nil, fmt.Errorf("%s is not a regular file", full)
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(path, "**"):
		return nil, fmt.Errorf("the pattern %s has **, which stands for nothing; a directory has all that is below it", path)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?["):
		return listPattern(full, path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(full)
	}
	return nil, fmt.Errorf("open %s: %w", full, reason(err))
}

func listDirectory(full, path string) ([]string, error) {
	root, err := filepath.EvalSymlinks(full)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", full, reason(err))
	}
	var files []string
	err = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p == root:
			return nil
		case hidden(e.Name()) && e.IsDir():
			return fs.SkipDir
		case !hidden(e.Name()) && isFile(p, e):
			files = append(files, filepath.Join(path, strings.TrimPrefix(p, root)))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", full, err)
	}
	slices.SortFunc(files, byNumber)
	return files, nil
}

// isFile reports whether an entry of a directory is a file, or a link to one.
func isFile(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func listPattern(full, path string) ([]string, error) {
	matches, err := filepath.Glob(full)
	if err != nil {
		return nil, fmt.Errorf("the pattern %s is malformed", path)
	}
	fixed := strings.TrimSuffix(full, path)
	var files []string
	for _, m := range matches {
		if info, err := os.Stat(m); err == nil && info.Mode().IsRegular() && !hidden(filepath.Base(m)) {
			files = append(files, strings.TrimPrefix(m, fixed))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no file matches %s", full)
	}
	slices.SortFunc(files, byNumber)
	return files, nil
}

// byNumber compares names as people count: part-9 comes before part-10.
func byNumber(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, m := leadingDigits(x), leadingDigits(y)
		switch {
		case n > 0 && m > 0:
			if c := compareNumbers(x[:n], y[:m]); c != 0 {
				return c
			}
			x, y = x[n:], y[m:]
		case x[0] != y[0]:
			return cmp.Compare(x[0], y[0])
		default:
			x, y = x[1:], y[1:]
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

func leadingDigits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// compareNumbers compares numbers of any length, written in digits.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func hidden(name string) bool { return name[0] == '.' || name[0] == '_' }

// missing says that there is no such file, and which ones are near.
func missing(full string) error {
	dir, name := filepath.Split(full)
	if to, err := os.Readlink(full); err == nil {
		return connector.Permanent(fmt.Errorf("%s is a link to %s, which is not there", full, to))
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return connector.Permanent(fmt.Errorf("there is no file %s, and no directory %s", full, filepath.Clean(dir)))
	}
	if err != nil {
		return connector.Permanent(fmt.Errorf("there is no file %s: %w", full, reason(err)))
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	msg := "there is no file " + full
	if near := suggest.Near(name, names); len(near) > 0 {
		msg += fmt.Sprintf("; did you mean '%s'?", near[0])
	}
	return connector.Permanent(errors.New(msg))
}

// reason is what the system said, without the call and the path, which the message has already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
