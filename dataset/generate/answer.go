package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// ErrUnanswered means that, according to the model, the documents do not answer
// the question. The case or its labels should be reviewed.
var ErrUnanswered = errors.New("the documents do not answer the question")

// An Answer is a reference answer.
type Answer struct {
	Text string
	Provenance
}

// documentData is the data of a document in a prompt.
type documentData struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

// Answer writes the reference answer to a question from documents, in the language of
// the subject or, if it names none, of the question, at most
// [MaxAnswer] tokens long. It returns [ErrUnanswered], or why there is no
// reliable reply; see [Fatal].
func (w *Writer) Answer(ctx context.Context, s judge.Subject, documents []assay.Document) (Answer, error) {
	data := struct {
		Question  string         `json:"question"`
		Documents []documentData `json:"documents"`
	}{Question: s.Question}
	for i, d := range documents {
		data.Documents = append(data.Documents, documentData{ID: i + 1, Text: whole(d)})
	}
	var reply struct {
		Answer    string
		Documents []int
	}
	a, err := w.ask(ctx, taskAnswer, string(languageOf(s)), data, &reply, func() error {
		for _, n := range reply.Documents {
			if n < 1 || n > len(documents) {
				return fmt.Errorf("documents: %d: want numbers from 1 to %d", n, len(documents))
			}
		}
		if strings.TrimSpace(reply.Answer) == "" && len(reply.Documents) > 0 {
			return errors.New(`the answer is blank, but rests on documents: want an answer, or "documents" to be []`)
		}
		return nil
	})
	if err != nil {
		return Answer{}, err
	}
	if len(reply.Documents) == 0 {
		return Answer{}, ErrUnanswered
	}
	out := Answer{Text: strings.TrimSpace(reply.Answer), Provenance: w.provenance(taskAnswer, a)}
	used := map[int]bool{}
	for _, n := range reply.Documents {
		used[n] = true
	}
	for i, d := range documents {
		if used[i+1] {
			out.Documents = append(out.Documents, d.ID)
		} else {
			out.Shown = append(out.Shown, d.ID)
		}
	}
	return out, nil
}

// Apply makes the answer the only reference answer of the case, and records its
// provenance in the metadata.
func (a Answer) Apply(c *assay.Case) {
	c.Want.Answers = []string{a.Text}
	mark(c, "ground_truth", a.Provenance)
}

// languageOf returns the language in which a subject is asked about.
func languageOf(s judge.Subject) judge.Language {
	return cmp.Or(s.Language, judge.LanguageOf(s.Question))
}
