package checkpoint

import (
	"fmt"
	"math"
	"time"
)

// RestartStrategy decides whether a job that has failed starts again, and after which delay. It is a value without state:
// failures are the times of all failures of the job so far, oldest first, the one in question last.
type RestartStrategy interface {
	Next(failures []time.Time, now time.Time) (delay time.Duration, ok bool)
	// Validate returns an error that names the first parameter with an impossible value.
	Validate() error
}

// NoRestart lets the first failure end the job.
type NoRestart struct{}

// Next never restarts.
func (NoRestart) Next([]time.Time, time.Time) (time.Duration, bool) { return 0, false }

// Validate returns nil.
func (NoRestart) Validate() error { return nil }

// FixedDelay restarts a job up to Attempts times, each time after Delay.
type FixedDelay struct {
	Attempts int
	Delay    time.Duration
}

// Next restarts until the attempts are used up.
func (s FixedDelay) Next(failures []time.Time, _ time.Time) (time.Duration, bool) {
	return s.Delay, len(failures) <= s.Attempts
}

// Validate checks the parameters.
func (s FixedDelay) Validate() error {
	if s.Attempts < 1 {
		return fmt.Errorf("restart-strategy.fixed-delay.attempts is %d; it must be at least 1", s.Attempts)
	}
	return notNegative("restart-strategy.fixed-delay.delay", s.Delay)
}

// FailureRate restarts a job after Delay unless it has failed more than MaxFailures times within the last Interval.
type FailureRate struct {
	MaxFailures int
	Interval    time.Duration
	Delay       time.Duration
}

// Next restarts while the failures of the last interval are not too many.
func (s FailureRate) Next(failures []time.Time, now time.Time) (time.Duration, bool) {
	recent := 0
	for _, f := range failures {
		if now.Sub(f) < s.Interval {
			recent++
		}
	}
	return s.Delay, recent <= s.MaxFailures
}

// Validate checks the parameters.
func (s FailureRate) Validate() error {
	const name = "restart-strategy.failure-rate."
	if s.MaxFailures < 1 {
		return fmt.Errorf(name+"max-failures-per-interval is %d; it must be at least 1", s.MaxFailures)
	}
	if s.Interval <= 0 {
		return fmt.Errorf(name+"failure-rate-interval is %v; it must be positive", s.Interval)
	}
	return notNegative(name+"delay", s.Delay)
}

// ExponentialDelay always restarts. The delay begins with Initial and grows by Multiplier with each failure up to Max; after
// ResetAfter without a failure it begins anew.
type ExponentialDelay struct {
	Initial, Max time.Duration
	Multiplier   float64
	ResetAfter   time.Duration
}

// Next restarts after a delay that grows with the failures since the last quiet time.
func (s ExponentialDelay) Next(failures []time.Time, _ time.Time) (time.Duration, bool) {
	inRow := 0
	for i := len(failures) - 2; i >= 0; i-- {
		if failures[i+1].Sub(failures[i]) >= s.ResetAfter {
			break
		}
		inRow++
	}
	delay := float64(s.Initial) * math.Pow(s.Multiplier, float64(inRow))
	if delay >= float64(s.Max) {
		return s.Max, true
	}
	return time.Duration(delay), true
}

// Validate checks the parameters.
func (s ExponentialDelay) Validate() error {
	const name = "restart-strategy.exponential-delay."
	switch {
	case s.Initial <= 0:
		return fmt.Errorf(name+"initial-backoff is %v; it must be positive", s.Initial)
	case s.Max < s.Initial:
		return fmt.Errorf(name+"max-backoff is %v, less than the initial-backoff %v", s.Max, s.Initial)
	case s.Multiplier < 1 || math.IsNaN(s.Multiplier):
		return fmt.Errorf(name+"backoff-multiplier is %v; it must be at least 1", s.Multiplier)
	case s.ResetAfter <= 0:
		return fmt.Errorf(name+"reset-backoff-threshold is %v; it must be positive", s.ResetAfter)
	}
	return nil
}

// DefaultRestart is the strategy of a job that sets none.
func DefaultRestart() RestartStrategy {
	return ExponentialDelay{Initial: time.Second, Max: time.Minute, Multiplier: 1.5, ResetAfter: time.Hour}
}

func notNegative(name string, d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("%s is %v; it must not be negative", name, d)
	}
	return nil
}
