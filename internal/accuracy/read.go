package accuracy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// ReadResult reads the result that a client sends. Unknown fields are ignored,
// missing ones are empty; the fields that are given must be consistent. The error
// names the field.
func ReadResult(data []byte) (Result, error) {
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			want := map[reflect.Kind]string{reflect.String: "text", reflect.Struct: "an object", reflect.Slice: "a list"}[kind.Type.Kind()]
			return Result{}, fmt.Errorf("%s: %s: expected %s", cmp.Or(kind.Field, "the result"), kind.Value, cmp.Or(want, "a number"))
		}
		return Result{}, fmt.Errorf("it cannot be read: %w", err)
	}
	if r.InputType == "" {
		r.InputType = TextInput
	}
	if err := r.check(); err != nil {
		return Result{}, err
	}
	r.complete()
	return r, nil
}

// check rejects inconsistent fields.
func (r *Result) check() error {
	switch {
	case len(r.ResultID) > 128 || strings.ContainsFunc(r.ResultID, unicode.IsControl):
		return errors.New("result_id: expected at most 128 bytes without control characters")
	case r.InputType != TextInput && r.InputType != AudioInput:
		return fmt.Errorf("input_type %q: expected %q or %q", text.Shorten(r.InputType, 40), TextInput, AudioInput)
	case strings.TrimSpace(r.Input.Text) == "" && r.InputType == TextInput:
		return errors.New("input.text: empty: expected the question")
	}
	sources := make([]SubQuestionChunks, len(r.Response.SubQuestionSources))
	for i, q := range r.Response.SubQuestionSources {
		sources[i].SubQuestionIndex = q.SubQuestionIndex
	}
	n := len(r.Retrieval.PerSubQuestion)
	for _, l := range []struct {
		name string
		list []SubQuestionChunks
	}{
		{"retrieval", r.Retrieval.PerSubQuestion}, {"filtered", r.Filtered.PerSubQuestion}, {"response.sub_question_sources", sources},
	} {
		if len(l.list) != 0 && len(l.list) != n {
			return fmt.Errorf("%s: %d sub-questions: expected the %d of retrieval", l.name, len(l.list), n)
		}
		for i, q := range l.list {
			if at := q.SubQuestionIndex; at != i {
				return fmt.Errorf("%s: sub_question_index %d at position %d: expected them in order, from 0", l.name, at, i)
			}
			texts := map[ChunkRef]string{}
			for j, c := range q.Chunks {
				ref := c.Metadata.ref()
				if other, twice := texts[ref]; twice && other != c.Text {
					return fmt.Errorf("%s.per_sub_question[%d].chunks[%d].metadata: chunk %d of %q has two texts: expected an index of each chunk in its document",
						l.name, i, j, ref.ChunkIndex, ref.DocumentID)
				}
				texts[ref] = c.Text
				if c.Metadata.DocumentID == "" {
					return fmt.Errorf("%s.per_sub_question[%d].chunks[%d].metadata.document_id: empty: expected the id of the document", l.name, i, j)
				}
			}
		}
	}
	return nil
}

// complete fills in what a pipeline of a single question may leave out.
func (r *Result) complete() {
	if r.ExtractedKeyQuestions == nil {
		r.ExtractedKeyQuestions = []string{r.Input.Text}
	}
	if r.Retrieval.PerSubQuestion == nil {
		for i, q := range r.ExtractedKeyQuestions {
			r.Retrieval.PerSubQuestion = append(
				r.Retrieval.PerSubQuestion, SubQuestionChunks{SubQuestionIndex: i, SubQuestionText: q, Chunks: []Chunk{}},
			)
		}
	}
	if r.Filtered.PerSubQuestion == nil {
		r.Filtered.PerSubQuestion = r.Retrieval.PerSubQuestion
	}
}

// Check rejects ground truth that does not fit the result.
func (t Truth) Check(r *Result) error {
	seen := map[int]bool{}
	for i, q := range t.PerSubQuestion {
		switch at := q.SubQuestionIndex; {
		case at < 0 || at >= len(r.Retrieval.PerSubQuestion):
			return fmt.Errorf(
				"per_sub_question[%d].sub_question_index %d: expected 0 to %d, as the result has them", i, at, len(r.Retrieval.PerSubQuestion)-1,
			)
		case seen[at]:
			return fmt.Errorf("per_sub_question[%d].sub_question_index %d: given twice: expected each once", i, at)
		}
		seen[q.SubQuestionIndex] = true
		for j, c := range q.RelevantChunks {
			if c.DocumentID == "" || c.ChunkIndex < 0 {
				return fmt.Errorf("per_sub_question[%d].relevant_chunks[%d]: expected the id of a document and the index of the chunk in it, from 0", i, j)
			}
		}
	}
	if len(seen) == 0 {
		return errors.New("per_sub_question: empty: expected the relevant chunks of one sub-question or more")
	}
	return nil
}

// CheckChunks rejects ground truth that names a chunk which neither the index nor the
// result has: nothing could ever find it, so recall would be too low.
func (t Truth) CheckChunks(r *Result, index iter.Seq[assay.Passage]) error {
	known := newCorpus(index, nil)
	for _, k := range r.chunks() {
		known.add(k)
	}
	documents := map[string]int{}
	for _, k := range known.chunks {
		documents[k.Metadata.DocumentID] = max(documents[k.Metadata.DocumentID], k.Metadata.ChunkIndex)
	}
	for i, q := range t.PerSubQuestion {
		for j, c := range q.RelevantChunks {
			if _, ok := known.places[c]; ok {
				continue
			}
			at := fmt.Sprintf("per_sub_question[%d].relevant_chunks[%d]", i, j)
			last, ok := documents[c.DocumentID]
			if !ok {
				return fmt.Errorf("%s.document_id %q: the corpus has no such document", at, c.DocumentID)
			}
			return fmt.Errorf("%s.chunk_index %d: the corpus has no such chunk: the last of %q is %d", at, c.ChunkIndex, c.DocumentID, last)
		}
	}
	return nil
}
