package reply

// A Path names values in a JSON value: "choices[0].message.content" is one
// value, "hits.hits[]._source.text" one for each element of a list. A key that
// holds dots or brackets is written ["a.b"], "[*]" means the same as "[]", and a
// leading "$." is allowed.
type Path struct {
	text string
}

// ParsePath parses a path. An error says what is wrong, where.
func ParsePath(s string) (Path, error) { panic("not written yet") }

// String is the path as it was written.
func (p Path) String() string { return p.text }

// Find returns the values that the path names, in order. found is false when
// there is nothing there: a key or an element that is missing, or a null. A list
// that is there and empty is found.
func (p Path) Find(v any) (values []any, found bool) { panic("not written yet") }
