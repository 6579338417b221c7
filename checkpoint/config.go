package checkpoint

import (
	"fmt"
	"time"
)

// Mode is how the barriers of a checkpoint meet at a task with several inputs.
type Mode string

// ExactlyOnce holds back an input that has delivered its barrier until the others have.
const ExactlyOnce Mode = "exactly-once"

// Config says when the checkpoints of a job begin, how long they may take and how many of them may fail.
type Config struct {
	Interval          time.Duration // between the beginnings of two periodic checkpoints; 0: none but the last
	Mode              Mode
	Timeout           time.Duration // a checkpoint that takes longer is aborted and counts as failed
	MinPause          time.Duration // between the end of one and the beginning of the next periodic checkpoint
	MaxConcurrent     int           // checkpoints under way at once
	TolerableFailures int           // failures in a row the job survives
	Retained          int           // completed checkpoints kept
}

// DefaultConfig is the configuration of a job that sets nothing.
func DefaultConfig() Config {
	return Config{
		Interval:      10 * time.Second,
		Mode:          ExactlyOnce,
		Timeout:       10 * time.Minute,
		MaxConcurrent: 1,
		Retained:      3,
	}
}

// Validate returns an error that names the first setting with an impossible value.
func (c Config) Validate() error {
	switch {
	case c.Interval < 0:
		return fmt.Errorf("checkpoint.interval is %v; it must be positive, or 0 for no periodic checkpoints", c.Interval)
	case c.Mode != ExactlyOnce:
		return fmt.Errorf("checkpoint.mode is '%s'; known is '%s'", c.Mode, ExactlyOnce)
	case c.Timeout <= 0:
		return fmt.Errorf("checkpoint.timeout is %v; it must be positive", c.Timeout)
	case c.MinPause < 0:
		return fmt.Errorf("checkpoint.min-pause is %v; it must not be negative", c.MinPause)
	case c.MaxConcurrent < 1:
		return fmt.Errorf("checkpoint.max-concurrent is %d; it must be at least 1", c.MaxConcurrent)
	case c.TolerableFailures < 0:
		return fmt.Errorf("checkpoint.tolerable-failures is %d; it must not be negative", c.TolerableFailures)
	case c.Retained < 1:
		return fmt.Errorf("checkpoint.retained is %d; it must be at least 1", c.Retained)
	}
	return nil
}
