// Command streamsql runs SQL over streams. See the package streamsql/repl for what its flags do.
package main

import "os"

func main() { os.Exit(run(os.Args[1:])) }
