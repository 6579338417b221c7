package wire

import (
	"errors"

	"streamsql/parser"
)

// EncodeError returns the message of an error, nil for nil.
func EncodeError(err error) *Error {
	if err == nil {
		return nil
	}
	e := &Error{Message: err.Error()}
	if at := (*parser.Error)(nil); errors.As(err, &at) {
		place := *at
		place.Src = "" // the client has it
		e.Place = &place
	}
	return e
}

// Decode returns the error a message stands for, about the text src; nil for nil.
func (e *Error) Decode(src string) error {
	if e == nil {
		return nil
	}
	if e.Place == nil {
		return errors.New(e.Message)
	}
	place := *e.Place
	place.Src = src
	return &place
}
