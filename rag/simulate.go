package rag

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm"
)

// The operations of model requests.
const (
	opDecompose = "decompose"
	opFilter    = "filter"
	opGenerate  = "generate"
)

// Operations lists the operations of the pipeline's model requests, the values of
// [llm.Request.Operation].
func Operations() []string { return []string{opDecompose, opFilter, opGenerate} }

var (
	askedOf  = lazyregexp.New(`(?s)<question>\s*(.*?)\s*</question>`)
	chunkIn  = lazyregexp.New(`(?s)<chunk_(\d+) [^>]*>\n(.*?)\n</chunk_\d+>`)
	plainest = json.RawMessage(`{"questions":["?"]}`)
)

// Simulate replaces the model of a stage by simple rules, for demos and for estimates
// of a run: sub-questions by [Rule], relevance 7 for every passage, and as the answer
// the first sentence of each of the first three passages. ok is false if the request is
// not one of a stage.
func Simulate(r llm.Request) (reply string, ok bool) {
	if !slices.Contains(Operations(), r.Operation) || len(r.Messages) == 0 {
		return "", false
	}
	said := r.Messages[0].Text
	chunks := chunkIn().FindAllStringSubmatch(said, -1)
	switch r.Operation {
	case opDecompose:
		m := askedOf().FindStringSubmatch(said)
		if m == nil {
			return string(plainest), true
		}
		// the rule never fails
		questions, _, _ := Rule{}.Decompose(context.Background(), Turn{}, html.UnescapeString(m[1]))
		return string(raw(map[string][]string{"questions": questions})), true
	case opFilter:
		scores := []string{}
		for _, c := range chunks {
			scores = append(scores, fmt.Sprintf(`{"chunk":%s,"score":7}`, c[1]))
		}
		return `{"scores":[` + strings.Join(scores, ",") + "]}", true
	}
	var out []string
	for _, c := range chunks[:min(len(chunks), maxSentences)] {
		body := html.UnescapeString(c[2])
		for _, span := range text.Sentences(body) {
			s := bare(span.Of(body))
			if _, title := heading(span.Of(body)); title || !answers(s) {
				continue
			}
			out = append(out, s+" ["+c[1]+"]")
			break
		}
	}
	if out == nil {
		return "Nothing is said of it.", true
	}
	return strings.Join(out, " "), true
}
