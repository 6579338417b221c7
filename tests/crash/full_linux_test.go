package crash

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk fills the disk of the data directory while the job runs. The program says so and waits for space, or ends in order when
// it is told to.
func TestFullDisk(t *testing.T) {
	const n = 60_000
	want := undisturbed(t, n)
	for _, end := range []bool{false, true} {
		t.Run(fmt.Sprintf("end=%v", end), func(t *testing.T) {
			w := newWorld(t, n, 50_000, "out/")
			data := filepath.Join(w.dir, ".streamsql")
			mount(t, data)
			cmd, stderr := w.start(t.Context(), 2)
			for len(visible(w.dir)) == 0 {
				time.Sleep(time.Millisecond)
			}
			junk := filepath.Join(data, "junk")
			fill(t, junk)
			time.Sleep(300 * time.Millisecond)
			wantExit := 0
			if end {
				wantExit = 130
				if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				if err := cmd.Wait(); err == nil {
					t.Error("the program ends without an error")
				}
			}
			if err := os.Remove(junk); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // its outcome is below
			if code := cmd.ProcessState.ExitCode(); code != wantExit {
				t.Errorf("the program ends with %d, want %d", code, wantExit)
			}
			if said := stderr.String(); !strings.Contains(said, "disk is full") || strings.Contains(said, "goroutine") {
				t.Errorf("the program says:\n%.2000s", said)
			}
			if end {
				w.finish(4)
			}
			same(t, want, w.output("out/"))
		})
	}
}

// mount makes a small file system of its own of a directory, or skips the test.
func mount(t *testing.T, dir string) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=192m"); err != nil {
		t.Skipf("no file system to fill: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

// fill writes a file until there is no space left.
func fill(t *testing.T, path string) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 1<<16)
	for err == nil {
		_, err = f.Write(block)
	}
}
