package dataset

import "github.com/assay-eval/assay"

var gold = format{
	name:  "gold",
	title: "questions with the files that should be found",
	doc: `JSON Lines, or a JSON list, of

  id                        text or whole number; made of a hash of the question when missing
  question                  text, required
  expected_sources          names of the files that hold the answer, required; an empty list means that none does
  expected_answer_contains  words that the retrieved chunks should contain; "a|b" takes either`,
	extensions: []string{".jsonl", ".json"},
	claim:      func(s *excerpt) claim { return s.records(particular, "expected_sources", "expected_answer_contains") },
	load:       func(l *loader) error { return l.records(goldCase, nil) },
	forms: []form{{
		name: "gold", write: writeGold, holds: []string{"expected_contexts", "expected_keywords"}, needs: "expected_contexts",
		has: func(c *assay.Case) bool { return c.Want.Documents != nil },
	}},
	optional: []optional{{"expected_answer_contains", hasKeywords, false}},
}

var goldFields = []string{"id", "question", "expected_sources", "expected_answer_contains"}

func goldCase(r *record) {
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	c.Question = r.required(r.get("question"), "question", "a question")
	sources := r.texts(r.get("expected_sources"), "expected_sources", "a file name")
	if r.n.get("expected_sources").absent() {
		r.fail(nil, "expected_sources", "missing", "a list of file names")
	}
	if sources != nil {
		c.Want.Documents = make(map[string]int, len(sources))
	}
	for _, s := range sources {
		if c.Want.Documents[s] != 0 {
			r.l.warn(r.origin(), "expected_sources", "a file is listed twice")
		}
		c.Want.Documents[s] = 1
	}
	c.Want.Keywords = r.keywords(r.get("expected_answer_contains"), "expected_answer_contains")
	r.ignoreRest(goldFields)
	r.done(c)
}
