package settings

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func parseBool(text string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("'%s' is not a boolean; write true or false", text)
}

// parseInt returns the parser of whole numbers from low to high.
func parseInt(low, high int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return 0, fmt.Errorf("'%s' is not a whole number", text)
		}
		if n < low || n > high {
			return 0, fmt.Errorf("%d is out of range; it goes from %d to %d", n, low, high)
		}
		return n, nil
	}
}

// parseNumber returns the parser of numbers from low on.
func parseNumber(low float64) func(string) (float64, error) {
	return func(text string) (float64, error) {
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("'%s' is not a number", text)
		}
		if f < low {
			return 0, fmt.Errorf("%s is out of range; it goes from %g on", text, low)
		}
		return f, nil
	}
}

// parseParallelism takes a number of subtasks, or auto for the number of CPU cores.
func parseParallelism(text string) (int, error) {
	if strings.EqualFold(strings.TrimSpace(text), "auto") {
		return min(runtime.GOMAXPROCS(0), MaxParallelism), nil
	}
	return parseInt(1, MaxParallelism)(text)
}

// parseWord returns the parser of one of the words, written in any case and with _ or - (EXACTLY_ONCE is exactly-once).
func parseWord(words ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		word := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), "_", "-")
		for _, w := range words {
			if word == w {
				return w, nil
			}
		}
		return "", fmt.Errorf("'%s' is not allowed; known: %s", text, strings.Join(words, ", "))
	}
}

func parseString(text string) (string, error) { return text, nil }

// parseZone takes a name of the time zone database, an offset like +02:00 (also behind GMT or UTC), or local, which is the
// machine's zone.
func parseZone(text string) (*time.Location, error) {
	name := strings.TrimSpace(text)
	if strings.EqualFold(name, "local") || strings.EqualFold(name, "default") {
		return time.Local, nil
	}
	offset := strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(name), "GMT"), "UTC")
	if t, err := time.Parse("-07:00", offset); err == nil {
		_, seconds := t.Zone()
		return time.FixedZone(name, seconds), nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil || name == "" {
		return nil, fmt.Errorf("unknown time zone '%s'; write one like 'Europe/Berlin', 'UTC' or '+02:00'", text)
	}
	return loc, nil
}
