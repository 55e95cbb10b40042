package query

import (
	"errors"

	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/internal/scan"
)

// An Error says what is wrong with a query, where, and what would be right.
type Error struct {
	// Query is the text of the query.
	Query string
	// Offset and Length are the part that is wrong, in bytes. At the end of the query
	// Length is 0.
	Offset, Length int

	message *message.Message
}

// Column is the place of what is wrong, in characters from 1.
func (e *Error) Column() int { return scan.Column(e.Query, e.Offset) }

// Error gives the column and the message in English.
func (e *Error) Error() string { return e.In(message.English) }

// In gives the column and the message in the words of a language.
func (e *Error) In(l message.Sayer) string {
	return message.New("Filter.At", "column", e.Column(), "message", e.message).In(l)
}

func wrong(text string, at literal, said *message.Message) error {
	return &Error{text, at.from, min(at.end, len(text)) - at.from, said}
}

// said is a message as an error.
type said struct{ *message.Message }

// Error gives the message in English.
func (s said) Error() string { return s.In(message.English) }

// In gives an error of a query or an order in the words of a language, and the text of any
// other error.
func In(l message.Sayer, err error) string {
	var told interface {
		In(l message.Sayer) string
	}
	if errors.As(err, &told) {
		return told.In(l)
	}
	return err.Error()
}
