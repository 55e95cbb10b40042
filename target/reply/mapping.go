// Package reply reads the replies of RAG systems: where in a JSON value the
// answer, the passages and the stages are, whether a user says so by paths or
// the reply has a shape that is known; and how a stream of events becomes one
// value.
package reply

import "github.com/assay-eval/assay"

// The fields of a mapping: the parts of a response that a path can point to.
// Text, ID, Document, Source, Title, Index and Score are those of a passage:
// relative to each value of Passages when that is given, else paths from the
// root whose values are taken side by side, as columns.
const (
	Answer   = "answer"
	Passages = "passages"
	Text     = "text"
	ID       = "id"
	Document = "document"
	Source   = "source"
	Title    = "title"
	Index    = "index"
	Score    = "score"
	// Stages is a list of stages, or an object of stages by name.
	Stages       = "stages"
	InputTokens  = "input_tokens"
	OutputTokens = "output_tokens"
	// Cost is in US dollars.
	Cost = "cost"
	// Failure is what the system says when it failed; where it is there and
	// not empty, the reply is an error.
	Failure = "error"
	// Delta is the piece of the answer in each event of a stream.
	Delta = "delta"
)

// Fields lists the fields that a mapping may have, with what each means.
func Fields() []Field { return fields }

// A Field is one of the constants above, described.
type Field struct{ Name, Doc string }

var fields = []Field{
	{Answer, "the answer"},
	{Passages, "the list of passages, best first"},
	{Text, "text of a passage"},
	{ID, "id of a passage"},
	{Document, "id of the document that a passage belongs to"},
	{Source, "file or address of that document"},
	{Title, "title of that document"},
	{Index, "place of a passage in its document, from 0"},
	{Score, "the system's own score of a passage"},
	{Stages, "what the stages of the pipeline did"},
	{InputTokens, "tokens that went into models"},
	{OutputTokens, "tokens that came out of models"},
	{Cost, "what the call cost, in US dollars"},
	{Failure, "what the system says when it failed"},
	{Delta, "piece of the answer in each event of a stream"},
}

// A Mapping says where the parts of a response are in a reply. The zero value
// says nothing: [Detect] then looks for a known shape.
type Mapping struct {
	paths map[string]Path
}

// A Reading says where one part of a response was found.
type Reading struct {
	// Part is a name of a person's: "answer", "passages", "text of passages".
	Part string
	// Path is where it is, such as "choices[0].message.content".
	Path string
	// Found says what is there, such as "4" or "text of 120 characters", or that
	// nothing is.
	Found string
	// Missing is set when nothing is there, or what cannot be read.
	Missing bool
}

// NewMapping parses a mapping of field names to paths. Unknown fields and paths
// that cannot be parsed are errors, all of them at once.
func NewMapping(paths map[string]string) (Mapping, error) { panic("not written yet") }

// Empty reports whether the mapping says nothing.
func (m Mapping) Empty() bool { return len(m.paths) == 0 }

// Read takes the parts of a response out of a decoded JSON value (as
// encoding/json gives it, numbers as float64 or json.Number). What a path does
// not find is not reported: no answer, passages nil. A list that is there and
// empty means that nothing was retrieved. The error tells what cannot be read,
// or is the system's own failure, as a *FailureError.
func (m Mapping) Read(v any) (assay.Response, []Reading, error) { panic("not written yet") }

// Detect finds the known shape that a value has. ok is false when it has none.
func Detect(v any) (m Mapping, shape string, ok bool) { panic("not written yet") }

// Suggest names paths of a value under which an answer or passages may be, for a
// person whose reply was not understood, most likely first.
func Suggest(v any) []string { panic("not written yet") }

// A FailureError is a failure that the system reports in a reply that is
// otherwise in order.
type FailureError struct{ Message string }

func (e *FailureError) Error() string { return e.Message }
