// Package all links every connector and every format into the program.
package all

import (
	_ "streamsql/connector/blackhole"
	_ "streamsql/connector/datagen"
	_ "streamsql/connector/file"
	_ "streamsql/connector/format/csv"
	_ "streamsql/connector/format/ipc"
	_ "streamsql/connector/format/json"
	_ "streamsql/connector/format/parquet"
	_ "streamsql/connector/print"
)
