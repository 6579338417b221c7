// Package version tells which version of the program this is.
package version

import "runtime/debug"

// String is the version of the main module as the Go toolchain stamped it, "development" for a build from a working tree.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "development"
	}
	return info.Main.Version
}
