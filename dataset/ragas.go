package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/target/reply"
)

var ragas = format{
	name:  "ragas",
	title: "what Ragas reads and writes: questions with recorded responses, and its test sets",
	doc: `JSON Lines, a JSON list, CSV or Parquet, of

  user_input (question)                            text, required
  retrieved_contexts (contexts)                    texts that the system retrieved, best first; an empty list means nothing
  response (answer)                                what the system answered
  reference (ground_truth, ground_truths, references)
                                                   the reference answer, or a list of answers any of which is right
  reference_contexts                               texts that should be retrieved
  retrieved_context_ids, reference_context_ids     the same by id
  id, tags, critical                               as in assay's own format

Names in parentheses mean the same. An empty reference is the same as none, as exports have it, and so is an empty cell of
CSV; an empty response in JSON is an empty answer. The marks <1-hop>, <2-hop> and so on, which the test-set generator writes before
reference_contexts, are removed. Other fields go to the case's metadata. In CSV a list is written as JSON or as
Python prints it; a cell that is no list is its only entry.`,
	answers:    "response",
	extensions: []string{".jsonl", ".json", ".csv", ".parquet"},
	claim: func(s *excerpt) claim {
		if s.layout != layoutTable {
			return s.records(usual, ragasFields...)
		}
		c := s.columns(particular, "user_input")
		if s.column("question") {
			c = c.or(s.columns(usual, "retrieved_contexts", "contexts", "response"))
			// An answer without a reference beside it is as likely the reference, unless
			// responses are wanted.
			if s.responses || s.column("ground_truth", "ground_truths", "reference", "references") {
				c = c.or(s.columns(usual, "answer"))
			}
		}
		return c
	},
	load: func(l *loader) error {
		if l.excerpt.layout == layoutTable || l.excerpt.layout == layoutRows {
			return l.table(ragasColumns, ragasCase)
		}
		return l.records(ragasCase, nil)
	},
	optional: []optional{
		{"reference", hasAnswers, true},
		{"response", hasResponse, false},
		{"retrieved_contexts", hasRetrieved, false},
		{"reference_contexts", hasPassages, false},
	},
}

// ragasFields are the fields that identify a Ragas record.
var ragasFields = []string{"user_input", "retrieved_contexts", "contexts", "response", "answer", "reference", "references",
	"ground_truths"}

// ragasColumns says how to convert the cells of a CSV file.
var ragasColumns = map[string]cell{
	"id": cellText, "user_input": cellText, "question": cellText, "response": cellText, "answer": cellText,
	"reference": cellText, "ground_truth": cellText, "ground_truths": cellList, "references": cellList,
	"retrieved_contexts": cellList, "contexts": cellList, "reference_contexts": cellList,
	"retrieved_context_ids": cellNames, "reference_context_ids": cellNames, "tags": cellNames, "critical": cellTruth,
}

// ragasHop is what the test-set generator writes before a text of a question that needs
// several. No document has it.
var ragasHop = lazyregexp.New(`^<[0-9]+-hop>\s+`)

func ragasCase(r *record) {
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	name, question := r.alias("user_input", "question")
	if question != nil && question.kind == list {
		r.fail(question, name, "a list", "one question as text; multi-turn samples are not supported")
	} else {
		c.Question = r.required(question, name, "a question")
	}
	c.Want.Answers = r.references()
	c.Want.Passages = r.texts(r.get("reference_contexts"), "reference_contexts", "a text that should be retrieved")
	for i, text := range c.Want.Passages {
		c.Want.Passages[i] = ragasHop().ReplaceAllString(text, "")
	}
	r.warnShort("reference_contexts", c.Want.Passages)
	r.graded(&c.Want, r.get("reference_context_ids"), "reference_context_ids")
	c.Tags = r.texts(r.get("tags"), "tags", "a name")
	if critical := r.truth(r.get("critical"), "critical"); critical != nil {
		c.Critical = *critical
	}
	resp, ok := r.recorded()
	r.keepRest(&c)
	if ok {
		r.respond(resp)
	}
	r.done(c)
}

// references reads the reference answers under all their names. Exports write an
// empty one for a missing answer.
func (r *record) references() []string {
	var out []string
	for _, name := range []string{"reference", "ground_truth", "ground_truths", "references"} {
		n := r.get(name)
		if n == nil {
			continue
		}
		entries := []*node{n}
		if n.kind == list {
			entries = n.items
		}
		for i, entry := range entries {
			at := name
			if n.kind == list {
				at = fmt.Sprintf("%s[%d]", name, i)
			}
			if entry.kind == str && strings.TrimSpace(entry.text) == "" {
				if n.kind == list {
					r.l.warn(r.origin(), name, "empty answers were skipped")
				}
				continue
			}
			if a := r.text(entry, at, "an answer"); a != "" && !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// readPassage reads a passage that is an object, as replies have them.
func readPassage(p *assay.Passage, n *node) bool {
	m, _, ok := reply.Detect([]any{n.value()})
	if !ok {
		return false
	}
	resp, _, err := m.Read([]any{n.value()})
	if err != nil || len(resp.Passages) != 1 {
		return false
	}
	*p = resp.Passages[0]
	return true
}

// recorded reads the recorded response, if there is one.
func (r *record) recorded() (assay.Response, bool) {
	var resp assay.Response
	name, answer := r.alias("response", "answer")
	if answer != nil {
		if answer.kind != str {
			r.fail(answer, name, answer.what(), "text")
		}
		resp.Answer = answer.text
	}
	name, texts := r.alias("retrieved_contexts", "contexts")
	ids := r.get("retrieved_context_ids")
	for _, from := range []struct {
		name string
		n    *node
		set  func(p *assay.Passage, n *node) bool
		want string
	}{
		{name, texts, func(p *assay.Passage, n *node) bool {
			if n.kind == object {
				return readPassage(p, n)
			}
			p.Text = n.text
			return n.kind == str
		}, "text"},
		{"retrieved_context_ids", ids, func(p *assay.Passage, n *node) (ok bool) { p.ID, ok = idOf(n); return ok }, "an id"},
	} {
		if from.n == nil {
			continue
		}
		if from.n.kind != list {
			r.fail(from.n, from.name, from.n.what(), "a list, each entry "+from.want)
			continue
		}
		if resp.Passages == nil {
			resp.Passages = make([]assay.Passage, len(from.n.items))
		} else if len(resp.Passages) != len(from.n.items) {
			r.fail(from.n, from.name, fmt.Sprintf("%d entries for %d texts", len(from.n.items), len(resp.Passages)), "one for each")
			continue
		}
		for i, item := range from.n.items {
			if !from.set(&resp.Passages[i], item) {
				r.fail(item, fmt.Sprintf("%s[%d]", from.name, i), item.what(), from.want)
			}
		}
	}
	return resp, answer != nil || resp.Passages != nil
}
