package dataset

import (
	"github.com/assay-eval/assay"
)

var contexts = format{
	name:  "contexts",
	title: "questions with the texts that should be retrieved",
	doc: `A JSON list, or one object a line, of

  question               text, required
  ground_truth_contexts  texts that should be retrieved, required, at least one; one of fewer than 20 characters, or 10
                         when most of them are Chinese, Japanese or Korean, matches nothing: short texts turn up everywhere
  expected_answer        the reference answer
  id                     text or whole number; made of a hash of the question when missing`,
	extensions: []string{".json", ".jsonl"},
	claim:      func(s *excerpt) claim { return s.records(particular, "ground_truth_contexts") },
	load:       func(l *loader) error { return l.records(contextsCase, nil) },
	forms: []form{{
		name: "contexts", write: writeContexts, holds: []string{"ground_truth", "reference_contexts"}, needs: "reference_contexts",
		has: func(c *assay.Case) bool { return len(c.Want.Passages) > 0 },
	}},
	optional: []optional{{"expected_answer", hasAnswers, false}},
}

var contextsFields = []string{"id", "question", "ground_truth_contexts", "expected_answer"}

func contextsCase(r *record) {
	const field = "ground_truth_contexts"
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	c.Question = r.required(r.get("question"), "question", "a question")
	n := r.get(field)
	switch {
	case n == nil:
		r.fail(nil, field, "missing", "a list of texts that should be retrieved")
	case n.kind == list && len(n.items) == 0:
		r.fail(n, field, "empty list", "at least one text that should be retrieved")
	default:
		c.Want.Passages = r.texts(n, field, "a text that should be retrieved")
	}
	r.warnShort(field, c.Want.Passages)
	if answer := r.text(r.get("expected_answer"), "expected_answer", "an answer, or no field"); answer != "" {
		c.Want.Answers = []string{answer}
	}
	r.ignoreRest(contextsFields)
	r.done(c)
}
