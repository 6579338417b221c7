package settings

import (
	"math"
	"strings"
	"time"
	_ "time/tzdata" // machines without a zone database

	"streamsql/internal/text"
)

// MaxParallelism is the number of key groups: more subtasks could not share the keys.
const MaxParallelism = 128

// The job as a whole.
var (
	PipelineName = declare(Setting{
		Key: "pipeline.name", Aliases: []string{"job.name"}, Type: "string",
		Doc: "name of the next job; its checkpoints are found again by it",
	}, parseString)
	Parallelism = declare(Setting{
		Key: "parallelism.default", Aliases: []string{"parallelism"}, Type: "integer", Default: "auto",
		Doc: "subtasks an operator runs in; auto is one for each CPU core",
	}, parseParallelism)
	BatchRows = declare(Setting{
		Key: "exec.batch.rows", Aliases: []string{"batch.rows"}, Type: "integer", Default: "4096",
		Doc: "rows a source puts into a batch at most",
	}, parseInt(1, 1<<20))
	RecoveryPath = declare(Setting{
		Key: "execution.state-recovery.path", Aliases: []string{"recovery.path", "execution.savepoint.path"},
		Type: "string", Doc: "name or directory of the savepoint that the next job starts from",
	}, parseString)
	Fresh = declare(Setting{
		Key: "execution.state-recovery.fresh", Aliases: []string{"recovery.fresh"}, Type: "boolean", Default: "false",
		Doc: "whether the next job starts over instead of going on from its newest checkpoint",
	}, parseBool)
	IgnoreUnclaimed = declare(Setting{
		Key:     "execution.state-recovery.ignore-unclaimed-state",
		Aliases: []string{"recovery.ignore-unclaimed", "execution.savepoint.ignore-unclaimed-state"}, Type: "boolean", Default: "false",
		Doc: "whether state in a savepoint that no operator of the job takes over is left behind instead of being an error",
	}, parseBool)
	IgnoreMissingOutput = declare(Setting{
		Key: "execution.state-recovery.ignore-missing-output", Aliases: []string{"recovery.ignore-missing-output"},
		Type: "boolean", Default: "false",
		Doc: "whether the next job goes on where output that its checkpoint or savepoint tells of is gone, instead of that being an error",
	}, parseBool)
)

// SQL.
var (
	TimeZone = declare(Setting{
		Key: "table.local-time-zone", Aliases: []string{"time-zone"}, Type: "time zone", Default: "local",
		Doc: "time zone of TIMESTAMP_LTZ as text and of CURRENT_DATE and the like",
	}, parseZone)
	DMLSync = declare(Setting{
		Key: "table.dml-sync", Aliases: []string{"dml-sync"}, Type: "boolean", Default: "false",
		Doc: "whether INSERT waits for its job to finish",
	}, parseBool)
	EvalErrors = words(Setting{
		Key: "sql.eval-errors", Aliases: []string{"eval-errors"}, Default: "fail",
		Doc: "what an overflow, a division by zero or a failing CAST does: stop the job, or give NULL and be counted",
	}, "fail", "null")
	NotNullEnforcer = words(Setting{
		Key: "table.exec.sink.not-null-enforcer", Aliases: []string{"not-null-enforcer"}, Default: "error",
		Doc: "what a NULL for a NOT NULL column of a table that is written does: stop the job, or have its row dropped and counted",
	}, "error", "drop")
	IdleTimeout = duration(Setting{
		Key: "table.exec.source.idle-timeout", Aliases: []string{"idle-timeout"}, Default: "0 ms",
		Doc: "time after which a silent source split no longer holds the watermark back; 0 is never",
	})
	AllowLateness = duration(Setting{
		Key: "table.exec.emit.allow-lateness", Aliases: []string{"emit.allow-lateness"}, Default: "0 ms",
		Doc: "how long a window still takes rows after the watermark has passed its end",
	})
	EarlyFire = declare(Setting{
		Key: "table.exec.emit.early-fire.enabled", Aliases: []string{"emit.early-fire"}, Type: "boolean", Default: "false",
		Doc: "whether a window gives results before the watermark has passed its end, where a query has no EMIT",
	}, parseBool)
	EarlyFireDelay = duration(Setting{
		Key: "table.exec.emit.early-fire.delay", Aliases: []string{"emit.early-fire.delay"}, Default: "0 ms",
		Doc: "time between such results; 0 is one with every row",
	})
	LateFire = declare(Setting{
		Key: "table.exec.emit.late-fire.enabled", Aliases: []string{"emit.late-fire"}, Type: "boolean", Default: "false",
		Doc: "whether a window that takes late rows gives its result when the watermark has passed its end, and again for late rows",
	}, parseBool)
	LateFireDelay = duration(Setting{
		Key: "table.exec.emit.late-fire.delay", Aliases: []string{"emit.late-fire.delay"}, Default: "0 ms",
		Doc: "time between results for late rows; 0 is one with every row",
	})
)

// Checkpoints.
var (
	CheckpointInterval = duration(Setting{
		Key: "execution.checkpointing.interval", Aliases: []string{"checkpoint.interval"}, Default: "10 s",
		Doc: "time between the starts of two checkpoints of a job; 0 takes none",
	})
	CheckpointMode = words(Setting{
		Key: "execution.checkpointing.mode", Aliases: []string{"checkpoint.mode"}, Default: "exactly-once",
		Doc: "how barriers meet at a task of several inputs: one that has delivered its barrier is held back until all have",
	}, "exactly-once")
	CheckpointTimeout = duration(Setting{
		Key: "execution.checkpointing.timeout", Aliases: []string{"checkpoint.timeout"}, Default: "10 min",
		Doc: "time after which a checkpoint that is not complete is given up",
	})
	CheckpointMinPause = duration(Setting{
		Key: "execution.checkpointing.min-pause", Aliases: []string{"checkpoint.min-pause"}, Default: "0 ms",
		Doc: "time between the end of a checkpoint and the start of the next at least",
	})
	CheckpointMaxConcurrent = declare(Setting{
		Key: "execution.checkpointing.max-concurrent-checkpoints", Aliases: []string{"checkpoint.max-concurrent"},
		Type: "integer", Default: "1", Doc: "checkpoints under way at the same time at most",
	}, parseInt(1, 100))
	CheckpointTolerable = declare(Setting{
		Key: "execution.checkpointing.tolerable-failed-checkpoints", Aliases: []string{"checkpoint.tolerable-failures"},
		Type: "integer", Default: "0", Doc: "checkpoints in a row that may fail before the job does",
	}, parseInt(0, math.MaxInt32))
	CheckpointRetained = declare(Setting{
		Key: "execution.checkpointing.num-retained", Aliases: []string{"checkpoint.retained", "state.checkpoints.num-retained"},
		Type: "integer", Default: "3", Doc: "complete checkpoints of a job that are kept",
	}, parseInt(1, 1000))
)

// Restarts after a failure.
var (
	RestartStrategy = words(Setting{
		Key: "restart-strategy.type", Aliases: []string{"restart-strategy"}, Default: "exponential-delay",
		Doc: "how often and how soon a job that failed is started again from its newest checkpoint",
	},
		"none", "fixed-delay", "failure-rate", "exponential-delay")
	FixedDelayAttempts = declare(Setting{
		Key: "restart-strategy.fixed-delay.attempts", Type: "integer", Default: "1",
		Doc: "restarts before the job is given up",
	}, parseInt(1, math.MaxInt32))
	FixedDelay = duration(Setting{
		Key: "restart-strategy.fixed-delay.delay", Default: "1 s",
		Doc: "time between a failure and the restart",
	})
	FailureRateMax = declare(Setting{
		Key: "restart-strategy.failure-rate.max-failures-per-interval", Type: "integer", Default: "1",
		Doc: "failures in one interval that are still followed by a restart",
	}, parseInt(1, math.MaxInt32))
	FailureRateInterval = duration(Setting{
		Key: "restart-strategy.failure-rate.failure-rate-interval", Default: "1 min",
		Doc: "the interval failures are counted in",
	})
	FailureRateDelay = duration(Setting{
		Key: "restart-strategy.failure-rate.delay", Default: "1 s",
		Doc: "time between a failure and the restart",
	})
	BackoffInitial = duration(Setting{
		Key: "restart-strategy.exponential-delay.initial-backoff", Default: "1 s",
		Doc: "time between the first failure and its restart",
	})
	BackoffMax = duration(Setting{
		Key: "restart-strategy.exponential-delay.max-backoff", Default: "1 min",
		Doc: "the longest time between a failure and its restart",
	})
	BackoffMultiplier = declare(Setting{
		Key: "restart-strategy.exponential-delay.backoff-multiplier", Type: "number", Default: "1.5",
		Doc: "what the time before the restart is multiplied with after each further failure",
	}, parseNumber(1))
	BackoffReset = duration(Setting{
		Key: "restart-strategy.exponential-delay.reset-backoff-threshold", Default: "1 h",
		Doc: "time without a failure after which the backoff starts from its initial value again",
	})
)

func duration(s Setting) Key[time.Duration] {
	s.Type = "duration"
	return declare(s, text.ParseDuration)
}

func words(s Setting, allowed ...string) Key[string] {
	s.Type = strings.Join(allowed, "|")
	return declare(s, parseWord(allowed...))
}
