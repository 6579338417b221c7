// Package deps holds the modules of the project in go.mod until their users exist.
package deps

import (
	_ "github.com/apache/arrow/go/v17/arrow"
	_ "github.com/apache/arrow/go/v17/arrow/array"
	_ "github.com/apache/arrow/go/v17/arrow/compute"
	_ "github.com/apache/arrow/go/v17/arrow/decimal128"
	_ "github.com/apache/arrow/go/v17/arrow/ipc"
	_ "github.com/apache/arrow/go/v17/arrow/memory"
	_ "github.com/chzyer/readline"
	_ "github.com/dgraph-io/badger/v4"
	_ "github.com/jedib0t/go-pretty/v6/table"
	_ "github.com/jedib0t/go-pretty/v6/text"
	_ "github.com/klauspost/compress/gzip"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/xwb1989/sqlparser"
	_ "github.com/zeebo/xxh3"
	_ "go.uber.org/goleak"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/term"
	_ "pgregory.net/rapid"
)
