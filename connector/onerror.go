package connector

import (
	"fmt"
	"strings"
)

// ErrorPolicy is what a table does with a record that cannot become a row.
type ErrorPolicy int

// The policies of the option on.error.
const (
	FailOnError ErrorPolicy = iota
	SkipErrors
	DeadLetter
)

var policies = []string{FailOnError: "fail", SkipErrors: "skip", DeadLetter: "dead-letter"}

// String is the policy's name in the option.
func (p ErrorPolicy) String() string { return policies[p] }

// common are the options that every table has.
var common = []Option{
	{Key: Key, Doc: "what kind of table it is", Required: true},
	{
		Key: "on.error", Type: Word, Words: policies, Default: "fail",
		Doc: "what happens to a record that cannot be decoded or has a NULL event time: stop, skip and count it, or keep it in table$errors",
	},
}

// ignoreErrors ends the keys by which formats say on.error = skip.
const ignoreErrors = ".ignore-parse-errors"

// OnError is the policy that the options of a table ask for: on.error, or the format's ignore-parse-errors.
func OnError(options map[string]string) (ErrorPolicy, error) {
	if v, ok := options["on.error"]; ok {
		word, err := parseWord(v, policies)
		if err != nil {
			return 0, fmt.Errorf("option 'on.error': %w", err)
		}
		for p, name := range policies {
			if name == word {
				return ErrorPolicy(p), nil
			}
		}
	}
	for key, v := range options {
		if strings.HasSuffix(key, ignoreErrors) {
			if skip, err := parseFlag(v); err != nil {
				return 0, fmt.Errorf("option '%s': %w", key, err)
			} else if skip {
				return SkipErrors, nil
			}
		}
	}
	return FailOnError, nil
}
