// Package reply reads the replies of RAG systems. It finds the answer, the passages and
// the stages in a JSON value, by the user's paths or by a known shape, and assembles
// streams of events into one value.
package reply

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// The fields of a mapping: the parts of a response that a path can point to. Text, ID,
// Document, Source, Title, Index and Score belong to a passage: they are relative to
// each value of Passages if that is given, else paths from the root whose values form
// columns.
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
	// Transcript, SubQuestions, Retrieved, Filtered and Prompted are the results of
	// single stages, for replies without a list of stages: the transcript, the list of
	// sub-questions, the passages before and after the filter (per sub-question or
	// overall), and the passages in the prompt.
	Transcript   = "transcript"
	SubQuestions = "sub_questions"
	Retrieved    = "retrieved"
	Filtered     = "filtered"
	Prompted     = "prompted"
	InputTokens  = "input_tokens"
	OutputTokens = "output_tokens"
	// Cost is in US dollars.
	Cost = "cost"
	// Failure is the system's error message; if it is present and not empty, the reply
	// is an error.
	Failure = "error"
	// Delta is the piece of the answer in each event of a stream.
	Delta = "delta"
)

// fields lists the fields of a mapping.
var fields = []string{
	Answer, Passages, Text, ID, Document, Source, Title, Index, Score, Stages, Transcript, SubQuestions,
	Retrieved, Filtered, Prompted, InputTokens, OutputTokens, Cost, Failure, Delta,
}

// A Mapping says where the parts of a response are in a reply. With the zero value,
// [Detect] looks for a known shape.
type Mapping struct {
	paths map[string]Path
	// none says that absent passages mean that nothing was retrieved.
	none bool
	// says is the text of a failure; "" if that is at its path. status is its HTTP status, if any.
	says   string
	status int
	// cited is set if the passages were found as what the answer cites: stages know better what was retrieved.
	cited bool
	// weak is set if more may have been retrieved than the passages, of which callbacks may have heard.
	weak bool
	// sources is set if they were found under a name that may also be that of what the answer cites.
	sources bool
	// warning is what a reply of the shape should be warned about.
	warning string
	// given is set if a person gave the paths.
	given bool
	// result is the path of an accuracy test result; nil if the reply is none.
	result *Path
}

// A Reading says where one part of a response was found.
type Reading struct {
	// Part is the name of the part for a person: "answer", "passages", "text of passages".
	Part string
	// Path is its path, such as "choices[0].message.content".
	Path string
	// Found describes the value, such as "4" or "text of 120 characters", or says that
	// it is absent.
	Found string
	// Missing is set if nothing is there or it cannot be read.
	Missing bool
}

// NewMapping parses a mapping of field names to paths. It reports all unknown fields
// and invalid paths at once. "-" and "_" in a field name are equivalent; a field with
// the path "" is ignored.
func NewMapping(paths map[string]string) (Mapping, error) {
	m := Mapping{paths: map[string]Path{}, given: true}
	var problems []error
	for _, given := range slices.Sorted(maps.Keys(paths)) {
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(given)), "-", "_")
		switch _, twice := m.paths[name]; {
		case !slices.Contains(fields, name):
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

// unknownField suggests the nearest field and lists all of them.
func unknownField(given, name string) error {
	nearest := text.Nearest(name, fields)
	if other := meaning(names().OtherFields, name); other != "" {
		nearest = other
	}
	if nearest == "" {
		return fmt.Errorf("read.%s: unknown field: expected one of %s", given, strings.Join(fields, ", "))
	}
	return fmt.Errorf("read.%s: unknown field: did you mean %q?  (all: %s)", given, nearest, strings.Join(fields, ", "))
}

// Over returns the mapping with the paths of another for the fields that it lacks.
func (m Mapping) Over(base Mapping) Mapping {
	paths := maps.Clone(base.paths)
	if paths == nil {
		return m
	}
	maps.Copy(paths, m.paths)
	m.paths = paths
	return m
}

// Empty reports whether the mapping has no paths. Delta does not count: it only affects
// how a stream is assembled.
func (m Mapping) Empty() bool {
	for name := range m.paths {
		if name != Delta {
			return false
		}
	}
	return true
}

// Paths returns the mapping as field names and paths.
func (m Mapping) Paths() map[string]string {
	out := make(map[string]string, len(m.paths))
	for name, p := range m.paths {
		out[name] = p.text
	}
	return out
}

// A FailureError is a failure that the system reports in a well-formed reply.
type FailureError struct {
	Message string
	// Status is an HTTP status that the reply holds; 0 if there is none.
	Status int
}

func (e *FailureError) Error() string { return e.Message }
