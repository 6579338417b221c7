package crash

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk fills the disk of the data directory while the job runs. The program says so and ends in order; with space again, the
// job goes on.
func TestFullDisk(t *testing.T) {
	const n = 60_000
	want := undisturbed(t, n)
	w := newWorld(t, n, 50_000, "out/")
	data := filepath.Join(w.dir, ".streamsql")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", data, "tmpfs", 0, "size=192m"); err != nil {
		t.Skipf("no file system to fill: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(data, 0); err != nil {
			t.Error(err)
		}
	})
	cmd, stderr := w.start(t.Context(), 2)
	for len(visible(w.dir)) == 0 {
		time.Sleep(time.Millisecond)
	}
	junk := filepath.Join(data, "junk")
	fill(t, junk)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("the program ends with %v", err)
	}
	if said := stderr.String(); !strings.Contains(said, "disk is full") || strings.Contains(said, "goroutine") {
		t.Errorf("the program says:\n%.2000s", said)
	}
	if err := os.Remove(junk); err != nil {
		t.Fatal(err)
	}
	w.finish(4)
	same(t, want, w.output("out/"))
}

// visible lists the parts of the output.
func visible(dir string) []string {
	parts, _ := filepath.Glob(filepath.Join(dir, "out", "part-*"))
	return parts
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
