package checkpoint

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"streamsql/internal/failpoint"
	"streamsql/storage"
)

// crashDir is the environment variable that makes this test binary commit checkpoints below a directory until it is killed.
const crashDir = "CHECKPOINT_CRASH_DIR"

// crashData is what the n-th chunk of a checkpoint holds.
func crashData(id ID, n int) []byte {
	return bytes.Repeat([]byte(fmt.Sprintf("%d/%d ", id, n)), 1000+int(id)*7%30_000)
}

// crashChild recovers as a job does, says which checkpoint it goes on from, and commits checkpoints, saying so after each.
func crashChild(dir string) {
	if err := crashRun(dir); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
}

func crashRun(dir string) error {
	store, err := storage.Open(dir)
	if err != nil {
		return err
	}
	log, err := OpenLog(store, "j")
	if err != nil {
		return err
	}
	m, skipped, err := log.Newest()
	switch {
	case errors.Is(err, ErrNoCheckpoint):
		m = new(Manifest)
	case err != nil || len(skipped) > 0:
		return fmt.Errorf("skipped %v: %w", skipped, err)
	}
	chain := m.Chunks()
	if err := crashVerify(chain, log.Reader()); err != nil {
		return err
	}
	fmt.Println("from", m.ID)
	attempt, id, err := log.Begin(m.ID)
	if err != nil {
		return err
	}
	w := NewChunkWriter(store, "j", attempt, 1<<20)
	for ; ; id++ {
		if chain, err = crashCheckpoint(log, w, attempt, id, chain); err != nil {
			return err
		}
		fmt.Println("committed", id)
		if err := log.Retain(2); err != nil {
			return err
		}
	}
}

// crashVerify compares the chunks of a checkpoint with what was written for it.
func crashVerify(chain []Chunk, r ChunkReader) error {
	for _, c := range chain {
		data, err := r.Read(c)
		if err != nil {
			return err
		}
		if !bytes.Equal(data, crashData(c.Checkpoint, c.Rows)) {
			return fmt.Errorf("chunk %s holds something else", c.Key)
		}
	}
	return nil
}

// crashCheckpoint takes a checkpoint of three new chunks; chunks older than four checkpoints leave the chain.
func crashCheckpoint(log *Log, w *ChunkWriter, attempt Attempt, id ID, chain []Chunk) ([]Chunk, error) {
	if err := log.Reserve(id); err != nil {
		return nil, err
	}
	for n := range 3 {
		chain = append(chain, w.Write("agg", 0, id, [2]int{0, 128}, n, crashData(id, n)))
	}
	if err := flushed(w, id); err != nil {
		return nil, err
	}
	chain = chain[max(0, len(chain)-12):]
	return chain, log.Commit(&Manifest{
		Job: "j", ID: id, Attempt: attempt,
		Tasks: []TaskState{{Task: TaskID{"agg", 0}, Operators: []OperatorState{{Operator: "agg", Chunks: chain}}}},
	})
}

// TestNoCommittedCheckpointIsLost kills a process that commits checkpoints, at random moments and at every failpoint, and
// starts it again on what it left.
func TestNoCommittedCheckpointIsLost(t *testing.T) {
	dir := t.TempDir()
	var acknowledged ID
	for i := range 16 {
		points := []string{
			"", "", failpoint.ChunkWrite, failpoint.BeforeManifest, failpoint.InsideManifest, failpoint.InsideManifest,
			failpoint.AfterManifest, failpoint.Retain,
		}
		spec := points[i%len(points)]
		if spec != "" {
			spec += fmt.Sprintf(":%d", 1+rand.IntN(4))
		}
		from, last := killedChild(t, dir, spec)
		if from < acknowledged {
			t.Fatalf("start %d goes on from checkpoint %d, but %d was acknowledged", i, from, acknowledged)
		}
		acknowledged = max(from, last)
	}
	if acknowledged < 10 {
		t.Errorf("only %d checkpoints were taken", acknowledged)
	}
}

// killedChild runs the child until a failpoint or, with none, a random moment kills it. It returns the checkpoint the child
// went on from and the last one it called committed.
func killedChild(t *testing.T, dir, spec string) (from, last ID) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir, failpoint.Env+"="+spec)
	out := must[io.ReadCloser](t)(cmd.StdoutPipe())
	cmd.Stderr = os.Stderr
	check(t, cmd.Start())
	killer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer killer.Stop()
	started := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "error"):
			t.Errorf("armed %q: %s", spec, line)
		case strings.HasPrefix(line, "from"):
			started = true
			scanID(t, line, "from %d", &from)
		default:
			scanID(t, line, "committed %d", &last)
		}
		if spec == "" && started {
			killer.Reset(time.Duration(rand.IntN(60)) * time.Millisecond)
			started = false
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("armed %q: the child ended by itself: %v", spec, cmd.ProcessState)
	}
	return from, last
}

func scanID(t *testing.T, line, format string, id *ID) {
	t.Helper()
	if _, err := fmt.Sscanf(line, format, id); err != nil {
		t.Fatalf("child printed %q", line)
	}
}
