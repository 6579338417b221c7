package wire

import (
	"errors"

	"streamsql/parser"
)

// EncodeError returns the message of an error, nil for nil. The text of the request need not be sent with it.
func EncodeError(err error, request string) *Error {
	if err == nil {
		return nil
	}
	e := &Error{Message: err.Error()}
	if at := (*parser.Error)(nil); errors.As(err, &at) {
		place := *at
		if place.Src == request {
			place.Src = ""
		}
		e.Place = &place
	}
	return e
}

// Decode returns the error a message stands for, nil for nil. request is the text the request was made from.
func (e *Error) Decode(request string) error {
	if e == nil {
		return nil
	}
	if e.Place == nil {
		return errors.New(e.Message)
	}
	place := *e.Place
	if place.Src == "" {
		place.Src = request
	}
	return &place
}
