package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/chzyer/readline"

	"streamsql/internal/settings"
	"streamsql/session"
)

// Shell runs statements from a prompt, or from a pipe if the input is no terminal, and returns the exit status. Its tables and
// views are kept in the data directory.
func Shell(o Options) int {
	ignoreClosedPipes()
	signals := catchInterrupts()
	if screenOfInput(o.In) == nil {
		defer signals.stop()
		return runPipe(o, signals)
	}
	signals.stop() // at a prompt Ctrl-C is about the statement
	never := &interrupts{soft: context.Background(), hard: context.Background()}
	sh := &shell{runner: newRunner(o, never, true), told: map[*session.Job]bool{}}
	status := sh.loop()
	sh.stopJobs()
	return max(status, sh.close())
}

func screenOfInput(in io.Reader) *screen {
	if f, ok := in.(*os.File); ok {
		return screenOf(f)
	}
	return nil
}

// runPipe executes the statements of the input as they come, up to the first that fails.
func runPipe(o Options, signals *interrupts) int {
	r := newRunner(o, signals, true)
	status := r.runLines(bufio.NewReader(o.In))
	if status != ExitOK {
		r.stopJobs()
	}
	status = max(status, r.waitForJobs())
	return max(status, r.close())
}

func (r *runner) runLines(in *bufio.Reader) int {
	text := ""
	for {
		line, err := in.ReadString('\n')
		text += line
		if err == nil && !complete(text) {
			continue
		}
		if !blank(text) {
			if status := r.execute(session.Source{Text: text}); status != ExitOK {
				return status
			}
		}
		text = ""
		if err != nil {
			return ExitOK
		}
	}
}

// shell is a prompt.
type shell struct {
	*runner
	editor  *readline.Instance
	history string                // path, "" for none
	told    map[*session.Job]bool // jobs whose end has been told
}

const (
	prompt       = "streamsql> "
	continuation = "       ... "
)

const greeting = "streamsql: statements end with ';'. help; lists them, quit; leaves."

// loop reads and executes statements until the user leaves.
func (sh *shell) loop() int {
	sh.history = historyFile(sh.options.DataDir)
	editor, err := readline.NewEx(&readline.Config{
		Prompt: prompt, HistoryFile: sh.history, HistoryLimit: 5000, DisableAutoSaveHistory: true, HistorySearchFold: true,
		FuncFilterInputRune: func(r rune) (rune, bool) { return r, r != readline.CharCtrlZ },
	})
	if err != nil {
		sh.console.fail(fmt.Errorf("opening the terminal: %w", err))
		return ExitFailed
	}
	defer editor.Close()
	sh.editor = editor
	sh.console.note(greeting)
	for {
		text, err := sh.read()
		switch {
		case errors.Is(err, io.EOF):
			return ExitOK
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case err != nil:
			sh.console.fail(err)
			return ExitFailed
		}
		if sh.obey(text) {
			return ExitOK
		}
	}
}

// historyFile returns the path of the history, which only its owner may read, or "" if there cannot be one.
func historyFile(dataDir string) string {
	if err := os.MkdirAll(dataDir, 0o755); err != nil {
		return ""
	}
	path := filepath.Join(dataDir, "history")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return ""
	}
	f.Close()
	return path
}

// read returns a text with a complete statement, or a word of the shell's own.
func (sh *shell) read() (string, error) {
	sh.tellJobs()
	text := ""
	sh.editor.SetPrompt(prompt)
	for {
		line, err := sh.editor.Readline()
		if err != nil {
			return "", err
		}
		text += line + "\n"
		if blank(text) {
			text = ""
		} else if complete(text) || word(text) != "" {
			_ = sh.editor.SaveHistory(oneLine(text)) // a shell without history is a shell
			return text, nil
		}
		if text != "" {
			sh.editor.SetPrompt(continuation)
		}
	}
}

// word returns the shell's own word that a text is, with or without a semicolon, or "".
func word(text string) string {
	w := strings.ToLower(strings.TrimRight(oneLine(text), "; "))
	switch w {
	case "quit", "exit", "help":
		return w
	}
	return ""
}

// obey executes a text and tells whether the user leaves.
func (sh *shell) obey(text string) (leave bool) {
	switch word(text) {
	case "quit", "exit":
		return true
	case "help":
		fmt.Fprint(sh.options.Out, help())
		return false
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	start := time.Now()
	for result, err := range sh.session.Execute(ctx, session.Source{Text: text}) {
		if err == nil {
			err = sh.answer(ctx, result, start)
		}
		if err != nil {
			sh.complain(ctx, err)
			return false
		}
		start = time.Now()
	}
	return false
}

func (sh *shell) complain(ctx context.Context, err error) {
	if ctx.Err() != nil && isCancel(err) {
		sh.console.print("cancelled")
		return
	}
	sh.console.fail(err)
}

// answer prints a result, and how many rows it had and how long they took.
func (sh *shell) answer(ctx context.Context, result *session.Result, start time.Time) error {
	if result.Message != "" {
		sh.console.note(result.Message)
	}
	if result.Rows == nil {
		return nil
	}
	n, err := sh.printer.print(ctx, result.Rows, settings.TimeZone.Of(sh.session.Settings()))
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s in %.2f s", counted(int64(n), "row"), time.Since(start).Seconds())
	if skipped := leftOut(result.Rows.Progress()); skipped != "" {
		text += "; " + skipped
	}
	sh.console.note(text)
	return nil
}

// tellJobs tells which jobs have ended since the last prompt.
func (sh *shell) tellJobs() {
	for _, j := range sh.session.Jobs() {
		select {
		case <-j.Done():
			if !sh.told[j] {
				sh.told[j] = true
				sh.report(j)
			}
		default:
		}
	}
}
