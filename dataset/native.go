package dataset

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

var native = format{
	name:  "assay",
	title: "assay's own: JSON, JSON Lines or YAML",
	doc: `{"metadata": {"name", "created", "version"}, "test_cases": [case, …]}, as JSON or YAML; or a list of cases; or JSON Lines,
a case a line, where the first line may be {"metadata": {…}}. A case:

  question              text, required
  id                    text or whole number; made of a hash of the question when missing
  ground_truth          the reference answer, or a list of answers any of which is right
  expected_contexts     ids or file names of relevant documents; {"id": …, "grade": 2} attaches a grade (a plain name has 1,
                        and 0 means judged and not relevant); "subtopics": ["price", "date"] names the aspects of the question
                        that it covers; an empty list means that no document is relevant
  reference_contexts    texts that should be retrieved
  expected_keywords     words that should occur; "a|b" takes either
  sub_questions         the key questions that a decomposition should find
  answerable            false when the corpus holds no answer
  critical              true when a failure of the case fails the run
  tags                  names to group and select cases by
  group                 the cluster of cases that this one is not independent of
  audio                 path of a recording of the question, relative to this file
  reference_transcript  what is said in the recording
  ideal                 a frozen ideal answer: {"answer", "points": [{"text", "vital", "passage", "by"}, …], "passages": [{"id", "text"}, …]}
                        with the points that a complete answer makes, and the texts it was written from; "model", "prompt_hash",
                        "made" and "hash" tell what wrote it, when, and which version it is
  checks                exact rules about the answer: {"kind": "contains", "value": "30 days"}, …; see docs/checks.md
  language              language tag of the question, such as "zh-Hant" or "en": judges are asked in Chinese or in English by it
  metadata              anything, carried through untouched

null is the same as an absent field. metadata.created is a date such as 2026-01-15. metadata.language is the language of all cases
that give none.

A JSON file may be a data frame of pandas, by column, by row or split, where NaN is an absent field. Files of RAGChecker
(query, gt_answer, retrieved_context, response) and RGB (query, answer, positive, negative) are read by their own names.`,
	extensions: []string{".json", ".jsonl", ".ndjson", ".yaml", ".yml"},
	list:       "test_cases",
	single:     "question",
	claim: func(s *excerpt) claim {
		if !s.isRecords() && s.layout != layoutYAML || s.layout == layoutRows {
			return noClaim
		}
		c := s.fields(certain, "test_cases", "expected_contexts", "expected_keywords", "reference_transcript")
		c = c.or(s.fields(possible, nativeLabels...))
		if !s.has("_id") {
			c = c.or(s.fields(possible, "metadata"))
		}
		return c
	},
	load: func(l *loader) error { return l.records(nativeCase, l.about) },
	forms: []form{
		{name: "assay", extensions: []string{".json"}, write: writeJSON, holds: everything},
		{name: "jsonl", extensions: []string{".jsonl", ".ndjson"}, write: writeJSONLines, holds: everything},
		{name: "yaml", extensions: []string{".yaml", ".yml"}, write: writeYAML, holds: everything},
	},
	optional: []optional{
		{"ground_truth", hasAnswers, true},
		{"expected_contexts", hasDocuments, false},
		{"reference_contexts", hasPassages, false},
		{"expected_keywords", hasKeywords, false},
	},
}

// nativeLabels are the fields that identify a native case.
var nativeLabels = []string{
	"question", "ground_truth", "expected_contexts", "reference_contexts", "expected_keywords", "sub_questions", "answerable",
	"critical", "audio", "reference_transcript", "ideal", "checks",
}

// nativeFields are all fields of a native case.
var nativeFields = append([]string{"id", "tags", "group", "language", "metadata"}, nativeLabels...)

// about reads the metadata of a file.
func (l *loader) about(n *node) {
	for _, f := range n.fields {
		if f.name != "metadata" && f.name != "test_cases" {
			l.remark(Warning{
				File: l.src.name, Line: f.value.line, Field: clip(f.name),
				Text: "unknown field, ignored" + suggest(f.name, []string{"metadata", "test_cases"}),
			})
		}
	}
	m := n.get("metadata")
	if m.absent() {
		return
	}
	bad := func(n *node, field, want string) {
		_ = l.add(&Error{File: l.src.name, Line: n.line, Index: -1, Field: field, Problem: n.what(), Want: want})
	}
	if m.kind != object {
		bad(m, "metadata", "an object")
		return
	}
	l.metadata = m.values()
	if name := m.get("name"); !name.absent() && name.kind != str {
		bad(name, "metadata.name", "text")
	}
	created := m.get("created")
	switch {
	case created.absent():
	case created.kind != str:
		bad(created, "metadata.created", "a date such as \"2026-01-15\"")
	default:
		when, err := parseDate(created.text)
		if err != nil {
			bad(created, "metadata.created", "a date such as \"2026-01-15\"")
		}
		l.created = when
	}
}

// parseDate reads a day, or a time in RFC 3339.
func parseDate(s string) (time.Time, error) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", time.DateTime} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date", s)
}

// nativeCase reads a case.
func nativeCase(r *record) {
	c := r.native()
	c.Want.Ideal = r.ideal(r.get("ideal"))
	c.Want.Checks = r.checks(r.get("checks"), "checks")
	c.Language = r.text(r.get("language"), "language", `a language tag such as "zh-Hant", or no field`)
	if n := r.get("metadata"); n != nil {
		if n.kind != object {
			r.fail(n, "metadata", n.what(), "an object")
		}
		c.Metadata = n.values()
	}
	r.ignoreRest(nativeFields)
	r.done(c)
}

// native reads the fields of a case that a table may also have.
func (r *record) native() assay.Case {
	c := assay.Case{ID: r.identity(r.get("id"), "id")}
	c.Question = r.required(r.get("question"), "question", "a question")
	c.Want = assay.Want{
		Answers:      r.textOrTexts(r.get("ground_truth"), "ground_truth", "an answer, or no field"),
		Passages:     r.texts(flat(r.get("reference_contexts")), "reference_contexts", "a text"),
		Keywords:     r.keywords(r.get("expected_keywords"), "expected_keywords"),
		SubQuestions: r.texts(r.get("sub_questions"), "sub_questions", "a question"),
		Answerable:   r.truth(r.get("answerable"), "answerable"),
	}
	r.graded(&c.Want, r.get("expected_contexts"), "expected_contexts")
	if critical := r.truth(r.get("critical"), "critical"); critical != nil {
		c.Critical = *critical
	}
	c.Tags = r.texts(r.get("tags"), "tags", "a name")
	c.Group = r.text(r.get("group"), "group", "a name, or no field")
	c.Audio = r.text(r.get("audio"), "audio", "a path, or no field")
	// A recording may be silent, so an empty transcript is valid.
	if n := r.get("reference_transcript"); n != nil {
		if n.kind != str {
			r.fail(n, "reference_transcript", n.what(), "text")
		}
		c.Want.Transcript = &n.text
	}
	r.warnShort("reference_contexts", c.Want.Passages)
	return c
}

// flat returns a list of lists as one list.
func flat(n *node) *node {
	if n == nil || len(n.items) == 0 || slices.ContainsFunc(n.items, func(item *node) bool { return item.kind != list }) {
		return n
	}
	out := &node{kind: list, line: n.line}
	for _, item := range n.items {
		out.items = append(out.items, item.items...)
	}
	return out
}

// keywords reads words with alternatives, none of which may be blank.
func (r *record) keywords(n *node, name string) []string {
	const want = `a word, or several as in "color|colour"`
	if n != nil { // RGB lists the alternatives
		for i, item := range n.items {
			if item.kind == list {
				n.items[i] = &node{kind: str, line: item.line, text: strings.Join(r.texts(item, name, want), "|")}
			}
		}
	}
	words := r.texts(n, name, want)
	for i, w := range words {
		for alt := range strings.SplitSeq(w, "|") {
			if w != "" && strings.TrimSpace(alt) == "" {
				r.fail(n.items[i], fmt.Sprintf("%s[%d]", name, i), fmt.Sprintf("%q has an empty alternative", clip(w)), want)
				break
			}
		}
	}
	return words
}
