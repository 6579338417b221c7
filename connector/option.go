package connector

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"streamsql/internal/text"
)

// OptionType says what the value of an option must look like.
type OptionType int

// The types of options.
const (
	Text      OptionType = iota
	Flag                 // true or false
	Count                // a whole number from 0 on
	Positive             // a whole number from 1 on
	Duration             // '10 s'
	Character            // one ASCII character, also written \t
	Word                 // one of Option.Words
)

// Option documents one key of the WITH clause. Unknown keys are refused with a suggestion.
type Option struct {
	Key      string // "*" in it stands for the name of a column: "fields.*.kind"
	Type     OptionType
	Words    []string // of type Word
	Default  string   // in the form the WITH clause takes; "" means none
	Doc      string
	Required bool
}

// check reports why the value does not fit the option.
func (o *Option) check(value string) error {
	var err error
	switch o.Type {
	case Flag:
		_, err = parseFlag(value)
	case Count:
		_, err = parseCount(value, 0)
	case Positive:
		_, err = parseCount(value, 1)
	case Duration:
		_, err = text.ParseDuration(value)
	case Character:
		_, err = parseCharacter(value)
	case Word:
		_, err = parseWord(value, o.Words)
	case Text:
		if value == "" && o.Required {
			err = errors.New("it is empty")
		}
	}
	return err
}

func parseFlag(s string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("'%s' is neither true nor false", s)
}

func parseCount(s string, low int64) (int64, error) {
	n, err := text.ParseInt64([]byte(strings.TrimSpace(s)))
	if err != nil || n < low {
		return 0, fmt.Errorf("'%s' is not a whole number from %d on", s, low)
	}
	return n, nil
}

func parseCharacter(s string) (byte, error) {
	if s == `\t` {
		return '\t', nil
	}
	if len(s) != 1 || s[0] >= utf8.RuneSelf {
		return 0, fmt.Errorf("'%s' is not one ASCII character", s)
	}
	return s[0], nil
}

func parseWord(s string, words []string) (string, error) {
	for _, w := range words {
		if strings.EqualFold(s, w) {
			return w, nil
		}
	}
	return "", fmt.Errorf("unknown value '%s'; %s", s, Suggestion(s, words))
}
