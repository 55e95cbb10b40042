package reply

import "io"

// A Kind is how a body is made up.
type Kind uint8

// The kinds of body.
const (
	Value  Kind = iota // one JSON value
	Events             // server-sent events
	Lines              // one JSON value a line
	Plain              // text
)

// KindOf tells a body's kind by its content type, and by its beginning where the
// type does not tell or is wrong: servers label events as plain text.
func KindOf(contentType string, head []byte) Kind { panic("not written yet") }

// ReadBody reads a whole body of a kind into one decoded JSON value that a
// mapping or a known shape can read: the value itself; the events of a stream
// put together, pieces of the answer joined and everything else as the last
// event had it; or text as a string. Bytes that are not UTF-8 become U+FFFD. An
// error says what cannot be read and where; a stream that breaks off is one.
func ReadBody(r io.Reader, kind Kind, m Mapping) (any, error) { panic("not written yet") }
