package query

import (
	"fmt"
	"unicode/utf8"
)

// An Error says what is wrong with a query, where, and what would be right.
type Error struct {
	// Query is the text of the query.
	Query string
	// Offset and Length are the part that is wrong, in bytes. At the end of the query
	// Length is 0.
	Offset, Length int
	Message        string
}

// Column is the place of what is wrong, in characters from 1.
func (e *Error) Column() int { return 1 + utf8.RuneCountInString(e.Query[:e.Offset]) }

// Error gives the column and the message.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column(), e.Message) }

func wrong(text string, at literal, message string) error {
	return &Error{text, at.from, min(at.end, len(text)) - at.from, message}
}
