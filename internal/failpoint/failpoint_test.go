package failpoint

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if name := os.Getenv("FAILPOINT_CHILD"); name != "" {
		for range 3 {
			Hit(name)
			os.Stdout.WriteString("hit\n")
		}
		return
	}
	os.Exit(m.Run())
}

// child runs this test binary with spec armed; it hits name three times and prints a line after each.
func child(t *testing.T, spec, name string) (output string, killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), Env+"="+spec, "FAILPOINT_CHILD="+name)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return string(out), false
	}
	ws, ok := exit.Sys().(syscall.WaitStatus)
	return string(out), ok && ws.Signaled() && ws.Signal() == syscall.SIGKILL
}

func TestHitKills(t *testing.T) {
	for _, c := range []struct {
		spec, name string
		lines      int
		killed     bool
	}{
		{"", BeforeManifest, 3, false},
		{BeforeManifest, BeforeManifest, 0, true},
		{BeforeManifest + ":1", BeforeManifest, 0, true},
		{BeforeManifest + ":3", BeforeManifest, 2, true},
		{BeforeManifest + ":4", BeforeManifest, 3, false},
		{BeforeManifest + ":2=kill", BeforeManifest, 1, true},
		{BeforeManifest, AfterManifest, 3, false},
		{Restore + "," + AfterManifest + ":2", AfterManifest, 1, true},
		{BeforeManifest + "=error", BeforeManifest, 3, false},
	} {
		out, killed := child(t, c.spec, c.name)
		if strings.Count(out, "hit\n") != c.lines || killed != c.killed {
			t.Errorf("armed %q, hit %s: printed %q, killed %v", c.spec, c.name, out, killed)
		}
	}
}

func TestErr(t *testing.T) {
	if err := Err(Retain); err != nil {
		t.Fatalf("unarmed: %v", err)
	}
	disarm, err := Arm(Retain + "=error," + Restore + ":2=error")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := Err(Retain); !errors.Is(err, ErrInjected) || !strings.Contains(err.Error(), Retain) {
			t.Errorf("hit %d: %v", i, err)
		}
		if err := Err(Restore); (err != nil) != (i == 1) {
			t.Errorf("hit %d of the second alone: %v", i, err)
		}
	}
	if err := Err(AfterManifest); err != nil {
		t.Errorf("another failpoint: %v", err)
	}
	disarm()
	if err := Err(Retain); err != nil {
		t.Errorf("disarmed: %v", err)
	}
}

func TestArmRefuses(t *testing.T) {
	for _, spec := range []string{"no-such", "", Retain + ":0", Retain + ":x", Retain + "=explode", Retain + ",,"} {
		if _, err := Arm(spec); err == nil {
			t.Errorf("%q was armed", spec)
		}
	}
	if out, _ := child(t, "no-such", Retain); !strings.Contains(out, "unknown failpoint") {
		t.Errorf("a wrong name in the environment printed %q", out)
	}
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range Names {
		if seen[n] {
			t.Errorf("%s is listed twice", n)
		}
		seen[n] = true
	}
}

func BenchmarkHitUnarmed(b *testing.B) {
	for b.Loop() {
		Hit(Retain)
	}
}
