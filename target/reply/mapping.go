// Package reply reads the replies of RAG systems: where in a JSON value the
// answer, the passages and the stages are, whether a user says so by paths or
// the reply has a shape that is known; and how a stream of events becomes one
// value.
package reply

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

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
	Stages = "stages"
	// Transcript, SubQuestions, Retrieved, Filtered and Prompted are what single
	// stages gave, where the reply has no list of stages: the text of a
	// recording, the list of sub-questions, the passages before and after the
	// filter, for each sub-question or for all, and those in the prompt.
	Transcript   = "transcript"
	SubQuestions = "sub_questions"
	Retrieved    = "retrieved"
	Filtered     = "filtered"
	Prompted     = "prompted"
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
	{Transcript, "what was heard in a recording"},
	{SubQuestions, "the list of sub-questions"},
	{Retrieved, "passages that were retrieved, for each sub-question or for all"},
	{Filtered, "passages that the filter kept, likewise"},
	{Prompted, "passages that stood in the prompt of the answer"},
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
	// none says that passages that are not there mean that there are none.
	none bool
	// result is where a result of accuracy testing is; nil when the reply is
	// none.
	result *Path
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
// that cannot be parsed are errors, all of them at once. "-" and "_" in the name
// of a field are the same; a field whose path is "" is left out.
func NewMapping(paths map[string]string) (Mapping, error) {
	m := Mapping{paths: map[string]Path{}}
	var problems []error
	for _, given := range slices.Sorted(maps.Keys(paths)) {
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(given)), "-", "_")
		switch _, twice := m.paths[name]; {
		case !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }):
			problems = append(problems, unknownField(given, name))
			continue
		case twice:
			problems = append(problems, fmt.Errorf("read.%s: is given twice", name))
			continue
		case strings.TrimSpace(paths[given]) == "":
			continue
		}
		p, err := ParsePath(paths[given])
		if err != nil {
			problems = append(problems, fmt.Errorf("read.%s: %w", name, err))
			continue
		}
		m.paths[name] = p
	}
	if problems != nil {
		return Mapping{}, errors.Join(problems...)
	}
	return m, nil
}

// unknownField names the nearest field and all of them.
func unknownField(given, name string) error {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name)
	}
	nearest := text.Nearest(name, all)
	if other, ok := otherNames[name]; ok {
		nearest = other
	}
	if nearest == "" {
		return fmt.Errorf("read.%s: unknown field: want one of %s", given, strings.Join(all, ", "))
	}
	return fmt.Errorf("read.%s: unknown field: did you mean %q?  (all: %s)", given, nearest, strings.Join(all, ", "))
}

// otherNames are words for fields that people may use.
var otherNames = map[string]string{
	"contexts": Passages, "context": Passages, "documents": Passages, "sources": Passages, "chunks": Passages, "results": Passages, "hits": Passages,
	"response": Answer, "output": Answer, "result": Answer, "message": Answer, "content": Text, "body": Text, "url": Source, "file": Source,
	"document_id": Document, "doc_id": Document, "chunk_id": ID, "chunk_index": Index, "similarity": Score, "distance": Score, "name": Title,
	"trace": Stages, "steps": Stages, "tokens_in": InputTokens, "tokens_out": OutputTokens, "prompt_tokens": InputTokens, "completion_tokens": OutputTokens,
	"cost_usd": Cost, "price": Cost, "failure": Failure, "token": Delta, "chunk": Delta,
}

// Empty reports whether the mapping says nothing of where the parts are. Delta
// alone does not: it is about how a stream is put together.
func (m Mapping) Empty() bool {
	for name := range m.paths {
		if name != Delta {
			return false
		}
	}
	return true
}

// Paths gives the mapping back, as field names and paths.
func (m Mapping) Paths() map[string]string {
	out := make(map[string]string, len(m.paths))
	for name, p := range m.paths {
		out[name] = p.text
	}
	return out
}

// A FailureError is a failure that the system reports in a reply that is
// otherwise in order.
type FailureError struct{ Message string }

func (e *FailureError) Error() string { return e.Message }
