package settings

import (
	"slices"
	"strings"

	"streamsql/internal/suggest"
)

// nearest returns the name that a wrong one probably stands for, or "": the one fewest letters away, or else the key that ends
// in what was written.
func nearest(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	var names []string
	for candidate := range byName {
		names = append(names, candidate)
	}
	slices.Sort(names)
	if near := suggest.Near(name, names); len(near) > 0 {
		return near[0]
	}
	for _, s := range table {
		if len(name) > 3 && strings.HasSuffix(s.Key, "."+name) {
			return s.Key
		}
	}
	return ""
}
