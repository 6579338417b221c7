package session

import (
	"math/rand/v2"
	"time"

	"streamsql/checkpoint"
	"streamsql/exec/expr"
	"streamsql/internal/settings"
	"streamsql/planner"
)

// planSettings are the settings that plans depend on.
func (s *Session) planSettings() planner.Settings {
	return planner.Settings{
		Expr:        s.evaluation(),
		Parallelism: settings.Parallelism.Of(s.settings),
		FinalResult: s.options.FinalResult,
		IdleTimeout: settings.IdleTimeout.Of(s.settings),
		Lateness:    settings.AllowLateness.Of(s.settings),
		EarlyFire:   s.delayIf(settings.EarlyFire, settings.EarlyFireDelay),
		LateFire:    s.delayIf(settings.LateFire, settings.LateFireDelay),
		DropNulls:   settings.NotNullEnforcer.Of(s.settings) == "drop",
		Dir:         s.options.Dir,
	}
}

// delayIf is the value of one setting if another enables it.
func (s *Session) delayIf(enabled settings.Key[bool], delay settings.Key[time.Duration]) *time.Duration {
	if !enabled.Of(s.settings) {
		return nil
	}
	d := delay.Of(s.settings)
	return &d
}

// evaluation are the settings that the meaning of expressions depends on.
func (s *Session) evaluation() expr.Settings {
	e := expr.Settings{TimeZone: settings.TimeZone.Of(s.settings), Seed: rand.Uint64()}
	if settings.EvalErrors.Of(s.settings) == "null" {
		e.EvalErrors = expr.Null
	}
	return e
}

// checkpoints is how a job of the session takes checkpoints.
func (s *Session) checkpoints() checkpoint.Config {
	return checkpoint.Config{
		Interval:          settings.CheckpointInterval.Of(s.settings),
		Mode:              checkpoint.Mode(settings.CheckpointMode.Of(s.settings)),
		Timeout:           settings.CheckpointTimeout.Of(s.settings),
		MinPause:          settings.CheckpointMinPause.Of(s.settings),
		MaxConcurrent:     settings.CheckpointMaxConcurrent.Of(s.settings),
		TolerableFailures: settings.CheckpointTolerable.Of(s.settings),
		Retained:          settings.CheckpointRetained.Of(s.settings),
	}
}

// restarts is how a job of the session is started again after a failure.
func (s *Session) restarts() checkpoint.RestartStrategy {
	switch settings.RestartStrategy.Of(s.settings) {
	case "none":
		return checkpoint.NoRestart{}
	case "fixed-delay":
		return checkpoint.FixedDelay{
			Attempts: settings.FixedDelayAttempts.Of(s.settings),
			Delay:    settings.FixedDelay.Of(s.settings),
		}
	case "failure-rate":
		return checkpoint.FailureRate{
			MaxFailures: settings.FailureRateMax.Of(s.settings),
			Interval:    settings.FailureRateInterval.Of(s.settings),
			Delay:       settings.FailureRateDelay.Of(s.settings),
		}
	}
	return checkpoint.ExponentialDelay{
		Initial:    settings.BackoffInitial.Of(s.settings),
		Max:        settings.BackoffMax.Of(s.settings),
		Multiplier: settings.BackoffMultiplier.Of(s.settings),
		ResetAfter: settings.BackoffReset.Of(s.settings),
	}
}
