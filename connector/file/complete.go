package file

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"streamsql/connector"
	"streamsql/connector/format"
)

// endings are the options of a file by the end of its name.
var endings = map[string]map[string]string{
	".json": {format.Key: "json"}, ".ndjson": {format.Key: "json"}, ".jsonl": {format.Key: "json"},
	".csv": {format.Key: "csv"}, ".tsv": {format.Key: "csv", "csv.field-delimiter": `\t`},
	".parquet": {format.Key: "parquet"}, ".arrow": {format.Key: "arrow"}, ".arrows": {format.Key: "arrow"}, ".feather": {format.Key: "arrow"},
}

// otherPackings are ends of names of packed files that cannot be read.
var otherPackings = []string{".bz2", ".xz", ".lz4", ".zip", ".7z", ".br", ".sz"}

// complete tells the format of files by the ends of their names.
func complete(t connector.Table) (connector.Table, error) {
	if _, given := t.Options[format.Key]; given {
		return t, nil
	}
	path := strings.TrimPrefix(t.Options[pathKey], "file://")
	found := endings[ending(path)]
	if found == nil {
		var err error
		if found, err = commonEnding(t.Dir, path); err != nil {
			return t, err
		}
	}
	t.Options = maps.Clone(t.Options)
	for k, v := range found {
		if _, given := t.Options[k]; !given {
			t.Options[k] = v
		}
	}
	return t, nil
}

// ending is the end of a file's name, before that of its packing.
func ending(path string) string {
	if packing(path) != plain {
		path = strings.TrimSuffix(path, filepath.Ext(path))
	}
	return strings.ToLower(filepath.Ext(path))
}

// commonEnding is what the files that a path stands for have in common.
func commonEnding(dir, path string) (map[string]string, error) {
	paths, err := list(dir, path)
	if err != nil {
		return nil, err
	}
	var ends []string
	for _, p := range paths {
		if e := ending(p); !slices.Contains(ends, e) {
			ends = append(ends, e)
		}
	}
	hint := "; write FROM '" + path + "' /*+ OPTIONS('format' = 'json') */, or 'csv', 'parquet', 'arrow'"
	switch {
	case len(ends) == 0:
		return nil, fmt.Errorf("the directory %s has no files that could tell a format%s", path, hint)
	case len(ends) > 1:
		return nil, fmt.Errorf("the files of %s are of several kinds, such as *%s and *%s; name those that are meant with a pattern, such as '%s'",
			path, ends[0], ends[1], strings.TrimSuffix(path, "/")+"/*"+ends[0])
	case slices.Contains(otherPackings, ends[0]):
		return nil, fmt.Errorf("files packed as %s cannot be read; pack them as .gz or .zst", ends[0])
	case endings[ends[0]] == nil:
		return nil, fmt.Errorf("the name of the file does not tell its format%s", hint)
	}
	return endings[ends[0]], nil
}
