// Package accuracy evaluates one question, or one recording, through all stages
// of a pipeline: the transcript, the key questions, the chunks before and after
// the filter, and the response.
//
// A [Result] is what the stages put out, as JSON that is read by itself; an
// [Evaluation] says how good each stage was. The names of their fields are part
// of the HTTP API.
package accuracy

import (
	"fmt"
	"slices"
	"strings"
)

// A Dimension is one of the things that are evaluated.
type Dimension string

// The dimensions.
const (
	// Audio compares the transcript with the reference.
	Audio Dimension = "audio"
	// KeyQuestions marks the key questions by a scheme of 100 points.
	KeyQuestions Dimension = "key_questions"
	// Chunks compares what was retrieved, and what the filter kept, with the
	// chunks that are relevant.
	Chunks Dimension = "chunks"
	// Response compares the answer with one that is written from the relevant
	// chunks. It needs Chunks, or a [Truth].
	Response Dimension = "response"
)

// Dimensions lists the dimensions, in the order of the pipeline.
func Dimensions() []Dimension { return []Dimension{Audio, KeyQuestions, Chunks, Response} }

// ParseDimensions reads a list such as "audio,chunks". Empty stands for all. The
// result is in the order of [Dimensions], each once.
func ParseDimensions(list string) ([]Dimension, error) {
	if strings.TrimSpace(list) == "" {
		return Dimensions(), nil
	}
	named := map[Dimension]bool{}
	for _, s := range strings.Split(list, ",") {
		d := Dimension(strings.TrimSpace(s))
		if !slices.Contains(Dimensions(), d) {
			return nil, fmt.Errorf("dimension %q: want some of %q", d, Dimensions())
		}
		named[d] = true
	}
	return slices.DeleteFunc(Dimensions(), func(d Dimension) bool { return !named[d] }), nil
}

// The states of an evaluation and of its parts.
const (
	Completed = "completed"
	// Partial means that something is missing, and what is there counts.
	Partial = "partial"
	Failed  = "failed"
)
