package dataset

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
)

var squad = format{
	name:  "squad",
	title: "question answering in the shape of SQuAD, as Hugging Face datasets have it",
	doc: `Parquet, JSON Lines or a JSON list, of

  question            text, required
  answers             {"text": [answer, …], "answer_start": […]}, or a list of texts, any of which is right; if it is empty,
                      the question has no answer
  context (contexts)  the text that holds the answer, or a list of them: they should be retrieved
  id                  text or whole number; made of a hash of the question when missing

Other fields go to the case's metadata; where an answer starts is not carried over.`,
	extensions: []string{".parquet", ".jsonl", ".json"},
	claim: func(s *excerpt) claim {
		// With labels of assay's own format, answers is a field that it does not know.
		if !s.has("question") || s.has(nativeLabels[1:]...) {
			return noClaim
		}
		return s.records(particular, "answers")
	},
	hint: func(s *excerpt) error {
		if !s.has("data") || !bytes.Contains(s.head, []byte(`"paragraphs"`)) {
			return nil
		}
		return &Error{File: s.name, Index: -1, Problem: "SQuAD's own JSON, whose questions are in paragraphs",
			Want: "a line for each question: jq -c '.data[].paragraphs[] | .context as $c | .qas[] | " +
				"{id, question, answers: [.answers[].text], context: $c}' " + s.name + " > cases.jsonl"}
	},
	load: func(l *loader) error { return l.records(squadCase, nil) },
	optional: []optional{
		{"answers", hasAnswers, true},
		{"context", hasPassages, false},
	},
}

func squadCase(r *record) {
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	c.Question = r.required(r.get("question"), "question", "a question")
	r.squadAnswers(&c)
	name, context := r.alias("context", "contexts")
	c.Want.Passages = r.textOrTexts(context, name, "a text that holds the answer")
	r.warnShort(name, c.Want.Passages)
	r.keepRest(&c)
	r.done(c)
}

// squadAnswers reads the answers. Each is written as often as annotators gave it.
func (r *record) squadAnswers(c *assay.Case) {
	n, name := r.get("answers"), "answers"
	if n != nil && n.kind == object {
		texts := n.get("text")
		if texts.absent() {
			r.fail(n, "answers.text", "missing", "a list of answers")
			return
		}
		n, name = texts, "answers.text"
	}
	if n == nil {
		return
	}
	if n.kind != list {
		r.fail(n, name, n.what(), "a list of answers")
		return
	}
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", name, i)
		if item.kind == object {
			at += ".text"
			if item = item.get("text"); item == nil {
				r.fail(n, at, "missing", "an answer")
				continue
			}
		}
		if a := r.text(item, at, "an answer"); a != "" && !slices.Contains(c.Want.Answers, a) {
			c.Want.Answers = append(c.Want.Answers, a)
		}
	}
	if len(n.items) == 0 {
		no := false
		c.Want.Answerable = &no
	}
}
