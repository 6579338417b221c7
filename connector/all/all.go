// Package all links every connector and format into the program that imports it.
package all

import (
	_ "streamsql/connector/file"
	_ "streamsql/connector/format/csv"
	_ "streamsql/connector/format/json"
)
