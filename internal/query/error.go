package query

import (
	"errors"
	"unicode/utf8"
)

// A saying says something in the words of a language.
type saying func(Words) string

// An Error says what is wrong with a query, where, and what would be right.
type Error struct {
	// Query is the text of the query.
	Query string
	// Offset and Length are the part that is wrong, in bytes. At the end of the query
	// Length is 0.
	Offset, Length int

	message saying
}

// Column is the place of what is wrong, in characters from 1.
func (e *Error) Column() int { return 1 + utf8.RuneCountInString(e.Query[:e.Offset]) }

// Error gives the column and the message in English.
func (e *Error) Error() string { return e.In(English{}) }

// In gives the column and the message in the words of a language.
func (e *Error) In(w Words) string { return w.FilterAt(e.Column(), e.message(w)) }

func wrong(text string, at literal, message saying) error {
	return &Error{text, at.from, min(at.end, len(text)) - at.from, message}
}

// An orderError says that there is no such order.
type orderError struct {
	name  string
	names []string
}

// Error gives the message in English.
func (e *orderError) Error() string { return e.In(English{}) }

// In gives the message in the words of a language.
func (e *orderError) In(w Words) string { return w.FilterNoOrder(e.name, guess(e.name, e.names)(w)) }

// In gives an error of a query or an order in the words of a language, and the text of any
// other error.
func In(w Words, err error) string {
	var told interface{ In(w Words) string }
	if errors.As(err, &told) {
		return told.In(w)
	}
	return err.Error()
}
