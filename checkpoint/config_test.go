package checkpoint

import (
	"strings"
	"testing"
	"time"
)

func TestConfigValidate(t *testing.T) {
	if err := DefaultConfig().Validate(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	for setting, spoil := range map[string]func(*Config){
		"interval":           func(c *Config) { c.Interval = -1 },
		"mode":               func(c *Config) { c.Mode = "at-most-twice" },
		"timeout":            func(c *Config) { c.Timeout = 0 },
		"min-pause":          func(c *Config) { c.MinPause = -1 },
		"max-concurrent":     func(c *Config) { c.MaxConcurrent = 0 },
		"tolerable-failures": func(c *Config) { c.TolerableFailures = -1 },
		"retained":           func(c *Config) { c.Retained = 0 },
	} {
		c := DefaultConfig()
		spoil(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "checkpoint."+setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

func TestRestartStrategies(t *testing.T) {
	now := start.Add(time.Hour)
	ago := func(seconds ...int) []time.Time {
		times := make([]time.Time, len(seconds))
		for i, s := range seconds {
			times[i] = now.Add(-time.Duration(s) * time.Second)
		}
		return times
	}
	fixed := FixedDelay{3, 10 * time.Second}
	rate := FailureRate{3, 10 * time.Minute, time.Minute}
	grow := ExponentialDelay{time.Second, 10 * time.Second, 2, time.Minute}
	for _, c := range []struct {
		name     string
		strategy RestartStrategy
		failures []time.Time
		delay    time.Duration
		ok       bool
	}{
		{"none", NoRestart{}, ago(0), 0, false},
		{"fixed, first", fixed, ago(0), 10 * time.Second, true},
		{"fixed, last", fixed, ago(900, 800, 0), 10 * time.Second, true},
		{"fixed, used up", fixed, ago(900, 800, 700, 0), 0, false},
		{"rate, third", rate, ago(500, 400, 0), time.Minute, true},
		{"rate, fourth", rate, ago(500, 400, 300, 0), 0, false},
		{"rate, fourth but long ago", rate, ago(600, 400, 300, 0), time.Minute, true},
		{"growing, first", grow, ago(0), time.Second, true},
		{"growing, third", grow, ago(40, 20, 0), 4 * time.Second, true},
		{"growing, at most", grow, ago(50, 40, 30, 20, 10, 0), 10 * time.Second, true},
		{"growing, after a quiet time", grow, ago(200, 190, 10, 0), 2 * time.Second, true},
	} {
		delay, ok := c.strategy.Next(c.failures, now)
		if ok != c.ok || ok && delay != c.delay {
			t.Errorf("%s: %v, %v", c.name, delay, ok)
		}
	}
}

func TestRestartStrategyValidate(t *testing.T) {
	for _, good := range []RestartStrategy{
		NoRestart{}, FixedDelay{1, 0}, FailureRate{1, 1, 0}, ExponentialDelay{1, 1, 1, 1}, DefaultRestart(),
	} {
		if err := good.Validate(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for _, bad := range []RestartStrategy{
		FixedDelay{0, 0},
		FixedDelay{1, -1},
		FailureRate{0, 1, 0},
		FailureRate{1, 0, 0},
		FailureRate{1, 1, -1},
		ExponentialDelay{0, 1, 1, 1},
		ExponentialDelay{2, 1, 1, 1},
		ExponentialDelay{1, 1, 0.5, 1},
		ExponentialDelay{1, 1, 1, 0},
	} {
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), "restart-strategy.") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
