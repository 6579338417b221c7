package storage

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// crashDir is the environment variable that makes this test binary write, delete and reclaim below a directory until it is
// killed.
const crashDir = "STORAGE_CRASH_DIR"

// crashRun checks what earlier runs have left, then keeps the newest two checkpoints of 2 MB, reclaiming space after each. The
// job record holds the number of the newest one.
func crashRun(dir string) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	var newest uint64
	if v, err := s.Get(JobKey("j")); err == nil {
		fmt.Sscan(string(v), &newest)
	} else if !errors.Is(err, ErrNotFound) {
		return err
	}
	for id := max(1, newest) - 1; id > 0 && id <= newest; id++ {
		for _, c := range checkpointChunks(id, 8, 256<<10) {
			if got, err := s.GetChunk(c.Key); err != nil || !bytes.Equal(got, c.Data) {
				return fmt.Errorf("chunk %s of checkpoint %d, newest is %d: %d bytes, %w", c.Key, id, newest, len(got), err)
			}
		}
	}
	fmt.Println("found", newest)
	for id := newest + 1; ; id++ {
		if err := crashStep(s, id); err != nil {
			return err
		}
		fmt.Println("kept", id)
	}
}

func crashStep(s *Store, id uint64) error {
	if err := s.PutChunks(checkpointChunks(id, 8, 256<<10)); err != nil {
		return err
	}
	if err := s.Put(JobKey("j"), fmt.Append(nil, id)); err != nil {
		return err
	}
	err := s.Update(func(tx *Tx) error {
		var dead []Key
		err := tx.Chunks("j", func(k Key, _ int64) error {
			if c, err := ParseChunkKey(k); err != nil || c.Checkpoint+1 < id {
				dead = append(dead, k)
			}
			return nil
		})
		for _, k := range dead {
			err = errors.Join(err, tx.Delete(k))
		}
		return err
	})
	return errors.Join(err, s.Reclaim())
}

// TestKillsDuringReclamation kills a process that reclaims space all the time, and looks for what it had kept.
func TestKillsDuringReclamation(t *testing.T) {
	dir := t.TempDir()
	kept := 0
	for i := range 10 {
		found, last := killedChild(t, dir)
		if found < kept {
			t.Fatalf("start %d found checkpoint %d, but %d was kept", i, found, kept)
		}
		kept = max(found, last)
	}
	if kept < 10 {
		t.Errorf("only %d checkpoints were written", kept)
	}
}

// killedChild runs the child and kills it at a random moment after it has kept a checkpoint or more.
func killedChild(t *testing.T, dir string) (found, kept int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer killer.Stop()
	more := 1 + rand.IntN(4)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if _, err := fmt.Sscanf(line, "kept %d", &kept); err == nil {
			if more--; more == 0 {
				killer.Reset(time.Duration(rand.IntN(50)) * time.Millisecond)
			}
			continue
		}
		if _, err := fmt.Sscanf(line, "found %d", &found); err != nil || strings.HasPrefix(line, "error") {
			t.Errorf("the child printed %q", line)
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the child ended by itself: %v", cmd.ProcessState)
	}
	return found, kept
}
