package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	_ "streamsql/connector/all"
	"streamsql/internal/settings"
	"streamsql/internal/version"
	"streamsql/repl"
	"streamsql/session"
)

// flags are what the command line gives.
type flags struct {
	dataDir       string
	set           []string
	parallelism   int
	format        string
	execute       string
	fromSavepoint string
	fresh         bool
	quiet         bool
	noColor       bool
}

// run is the program with its arguments; it returns the exit status.
func run(args []string) int {
	status := repl.ExitOK
	root := newCommand(&status)
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\nstreamsql --help tells how it is used\n", err)
		return repl.ExitUsage
	}
	return status
}

const long = `streamsql runs SQL over streams and files: queries that never end, with windows, event time and consistent checkpoints.

Without arguments it is an interactive shell. A SELECT prints its rows, an INSERT is a job that takes checkpoints and goes on
where it was when it is started again.`

func newCommand(status *int) *cobra.Command {
	f := &flags{}
	root := &cobra.Command{
		Use: "streamsql", Short: "SQL over streams", Long: long, Version: version.String(), Args: cobra.NoArgs,
		SilenceUsage: true, SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.shell(cmd, status) },
	}
	root.SetVersionTemplate("streamsql {{.Version}}\n")
	p := root.PersistentFlags()
	p.StringVar(&f.dataDir, "data-dir", ".streamsql", "`directory` of jobs' state, checkpoints, savepoints and persistent tables")
	p.StringArrayVar(&f.set, "set", nil, "start with a setting, `key=value`; may be given again")
	p.IntVarP(&f.parallelism, "parallelism", "p", 0, "subtasks an operator runs in (default: the number of CPU cores)")
	p.StringVar(&f.format, "format", "table", "how rows are printed: table, json, csv or changelog")
	p.StringVar(&f.fromSavepoint, "from-savepoint", "", "start jobs from a savepoint, by `name or directory`")
	p.BoolVar(&f.fresh, "fresh", false, "start jobs over instead of going on from their newest checkpoint")
	p.BoolVar(&f.quiet, "quiet", false, "print results and errors only")
	p.BoolVar(&f.noColor, "no-color", false, "print without colors")
	root.Flags().StringVarP(&f.execute, "execute", "e", "", "run `statements` and leave")
	root.AddCommand(newRunCommand(f, status))
	return root
}

func newRunCommand(f *flags, status *int) *cobra.Command {
	return &cobra.Command{
		Use: "run [flags] FILE... | -", Short: "run the statements of files, or of the input", Args: cobra.MinimumNArgs(1),
		Long: `run executes the statements of the files in order. A SELECT prints its rows; an INSERT starts a job, named by
SET 'pipeline.name' or else after the file. At the end run waits for all jobs. A job that was stopped or killed goes on from its
newest checkpoint when it is run again.

Tables and views that a file creates end with it. Those created in the shell are kept in the data directory, and files can use
them.`,
		RunE: func(cmd *cobra.Command, files []string) error { return f.run(cmd, files, status) },
	}
}

// shell runs the statements of -e, or a prompt.
func (f *flags) shell(cmd *cobra.Command, status *int) error {
	o, err := f.options(cmd)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("execute") {
		*status = repl.Run(o, []session.Source{{Text: f.execute}})
		return nil
	}
	*status = repl.Shell(o)
	return nil
}

// run runs the statements of files.
func (f *flags) run(cmd *cobra.Command, files []string, status *int) error {
	o, err := f.options(cmd)
	if err != nil {
		return err
	}
	texts, err := readFiles(files, o.In)
	if err != nil {
		fmt.Fprintf(o.Err, "error: %v\n", err)
		*status = repl.ExitFailed
		return nil
	}
	*status = repl.Run(o, texts)
	return nil
}

// options checks the flags.
func (f *flags) options(cmd *cobra.Command) (repl.Options, error) {
	o := repl.Options{
		DataDir: f.dataDir, Quiet: f.quiet, NoColor: f.noColor,
		In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(),
	}
	var err error
	if o.Dir, err = os.Getwd(); err != nil {
		return o, err
	}
	if o.Format, err = repl.ParseFormat(f.format); err != nil {
		return o, err
	}
	return o, f.settings(cmd, &o.Settings)
}

// settings makes settings of --set and of the flags that are short for one.
func (f *flags) settings(cmd *cobra.Command, values *settings.Values) error {
	for _, pair := range f.set {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return fmt.Errorf("--set takes key=value, got '%s'", pair)
		}
		if err := values.Set(key, strings.Trim(value, " ")); err != nil {
			return err
		}
	}
	short := []struct{ flag, key, value string }{
		{"parallelism", settings.Parallelism.Key, fmt.Sprint(f.parallelism)},
		{"from-savepoint", settings.RecoveryPath.Key, f.fromSavepoint},
		{"fresh", settings.Fresh.Key, fmt.Sprint(f.fresh)},
	}
	for _, s := range short {
		if cmd.Flags().Changed(s.flag) {
			if err := values.Set(s.key, s.value); err != nil {
				return fmt.Errorf("--%s: %w", s.flag, errors.Unwrap(err))
			}
		}
	}
	if f.fresh && f.fromSavepoint != "" {
		return errors.New("--fresh and --from-savepoint exclude each other")
	}
	return nil
}

// readFiles returns the texts of files; - is the input.
func readFiles(files []string, in io.Reader) ([]session.Source, error) {
	var texts []session.Source
	for _, name := range files {
		if name == "-" {
			text, err := io.ReadAll(in)
			if err != nil {
				return nil, fmt.Errorf("reading the input: %w", err)
			}
			texts = append(texts, session.Source{Name: "stdin", Text: string(text)})
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(name)
		texts = append(texts, session.Source{Name: name, Text: string(text), Job: strings.TrimSuffix(base, filepath.Ext(base))})
	}
	return texts, nil
}
