package settings

import (
	"strings"
	"testing"
	"time"
)

func TestEverySettingIsWellFormed(t *testing.T) {
	seen := map[string]string{}
	for _, s := range All() {
		if s.Doc == "" || s.Type == "" {
			t.Errorf("%s has no doc or no type", s.Key)
		}
		if err := s.Check(s.Default); err != nil {
			t.Errorf("default of %s: %v", s.Key, err)
		}
		for _, name := range append([]string{s.Key}, s.Aliases...) {
			if other := seen[name]; other != "" {
				t.Errorf("%s names both %s and %s", name, other, s.Key)
			}
			seen[name] = s.Key
			if name != strings.ToLower(name) {
				t.Errorf("%s is not in lower case", name)
			}
			if found, err := Lookup(strings.ToUpper(name)); err != nil || found != s {
				t.Errorf("Lookup(%s) = %v, %v", name, found, err)
			}
		}
	}
}

func TestValues(t *testing.T) {
	var v Values
	if got := CheckpointInterval.Of(v); got != 10*time.Second {
		t.Fatalf("default interval = %v", got)
	}
	if CheckpointInterval.Given(v) {
		t.Fatal("interval counts as given")
	}
	for name, value := range map[string]string{
		"Checkpoint.Interval": "300 ms", "execution.checkpointing.mode": "EXACTLY_ONCE", "parallelism": "4",
		"table.local-time-zone": "GMT+02:00", "dml-sync": "TRUE",
	} {
		if err := v.Set(name, value); err != nil {
			t.Fatalf("SET %s: %v", name, err)
		}
	}
	if got := CheckpointInterval.Of(v); got != 300*time.Millisecond {
		t.Errorf("interval = %v", got)
	}
	if got := CheckpointMode.Of(v); got != "exactly-once" {
		t.Errorf("mode = %v", got)
	}
	if got := Parallelism.Of(v); got != 4 {
		t.Errorf("parallelism = %v", got)
	}
	if !DMLSync.Of(v) {
		t.Error("dml-sync is off")
	}
	if _, offset := time.Now().In(TimeZone.Of(v)).Zone(); offset != 7200 {
		t.Errorf("zone offset = %d", offset)
	}
	kept := v.Clone()
	if err := v.Reset("checkpoint.interval"); err != nil {
		t.Fatal(err)
	}
	if CheckpointInterval.Given(v) || !CheckpointInterval.Given(kept) {
		t.Error("RESET did not reset the one, or did reset the clone")
	}
	v.ResetAll()
	if len(v.Given()) != 0 || len(kept.Given()) != 5 {
		t.Errorf("after RESET: %v, clone %v", v.Given(), kept.Given())
	}
}

func TestSetErrors(t *testing.T) {
	cases := []struct{ key, value, want string }{
		{"checkpoint.intervall", "1 s", "unknown setting 'checkpoint.intervall'; did you mean 'checkpoint.interval'?"},
		{"execution.checkpointing.intreval", "1 s", "did you mean 'execution.checkpointing.interval'?"},
		{"checkpointing.interval", "1 s", "did you mean 'checkpoint.interval'?"},
		{"local-time-zone", "UTC", "did you mean 'table.local-time-zone'?"},
		{"colour", "red", "unknown setting 'colour'"},
		{"parallelism", "0", "setting 'parallelism.default': 0 is out of range; it goes from 1 to 128"},
		{"parallelism", "many", "'many' is not a whole number"},
		{"dml-sync", "yes", "'yes' is not a boolean; write true or false"},
		{"sql.eval-errors", "ignore", "'ignore' is not allowed; known: fail, null"},
		{"time-zone", "Europe/Atlantis", "unknown time zone 'Europe/Atlantis'"},
		{"checkpoint.timeout", "soon", "setting 'execution.checkpointing.timeout': \"soon\" is not a duration"},
		{"restart-strategy.exponential-delay.backoff-multiplier", "0.5", "0.5 is out of range; it goes from 1 on"},
	}
	for _, c := range cases {
		var v Values
		err := v.Set(c.key, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("SET '%s' = '%s': %v; want %s", c.key, c.value, err, c.want)
		}
		if len(v.Given()) != 0 {
			t.Errorf("SET '%s' = '%s' changed something", c.key, c.value)
		}
	}
}
