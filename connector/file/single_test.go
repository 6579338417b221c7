package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"streamsql/connector"
)

// TestAppendAfterCrash: a program that died while it appended a part has left any number of its bytes, or what an attempt after it
// wrote. Publishing the part again makes the file end with it, and once more changes nothing.
func TestAppendAfterCrash(t *testing.T) {
	const before, text = "old rows\n", "new row 1\nnew row 2\n"
	tails := []string{"", strings.Repeat("x", len(text)), text + "rows of an attempt that is over\n"}
	for n := range len(text) {
		tails = append(tails, text[:n+1])
	}
	for _, tail := range tails {
		t.Run(fmt.Sprintf("%.30q", tail), func(t *testing.T) {
			dir := t.TempDir()
			s := &single{path: filepath.Join(dir, "out.csv"), job: "j", length: int64(len(before))}
			p := s.part(0, 7, int64(len(text)))
			writeFile(t, s.path, []byte(before+tail))
			writeFile(t, s.pending(p), []byte(text))
			for range 2 {
				if err := s.publish(p); err != nil {
					t.Fatal(err)
				}
				if got, err := os.ReadFile(s.path); string(got) != before+text || err != nil {
					t.Fatalf("the file is %q, %v", got, err)
				}
			}
			if entries, err := os.ReadDir(dir); len(entries) != 1 || err != nil {
				t.Fatalf("the directory holds %v, %v", entries, err)
			}
		})
	}
}

// TestAppendToShortFile: a file that lacks what comes before the part has been changed by others, which no attempt can mend.
func TestAppendToShortFile(t *testing.T) {
	s := &single{path: filepath.Join(t.TempDir(), "out.csv"), job: "j", length: 100}
	p := s.part(0, 7, 4)
	writeFile(t, s.path, []byte("not a hundred bytes\n"))
	writeFile(t, s.pending(p), []byte("row\n"))
	err := s.publish(p)
	if !connector.IsPermanent(err) || !strings.HasSuffix(err.Error(), "has 20 bytes, but 100 had been written to it: it has been changed or replaced") {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(s.pending(p)); errors.Is(err, os.ErrNotExist) {
		t.Error("the part is gone")
	}
}
