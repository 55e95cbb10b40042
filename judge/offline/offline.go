// Package offline is a [judge.Judge] without a model: it answers from formulas
// over words, numbers and names, and from the embeddings of sentences. What it
// says is an estimate and is labelled so; docs/results/offline-judge.md shows
// how far it agrees with people, and where it does not.
//
// It knows wording, not meaning. A claim that is paraphrased freely looks
// unsupported, and one false word in a copied sentence looks supported unless
// it is a number, a name or a negation.
package offline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric/text"
)

// version changes whenever an estimate may: a feature, a weight, a list of
// phrases, a rule.
const version = "offline-1"

// Judge estimates what a model would be asked. It is safe for concurrent use,
// and what it says of a text depends on nothing but that text, what it is held
// against and the embedder.
type Judge struct {
	embedder assay.Embedder
	info     assay.JudgeInfo
	// answers has the estimates, by task. To tasks that it lacks there is none: the
	// levels of a rubric, for one, are described in words, and no formula here
	// reads them.
	answers judge.Answers
	// support is the model for claims with embeddings; only a test puts
	// another in, fitted to other data.
	support *model
}

var _ judge.Judge = (*Judge)(nil)

// New returns a judge that compares sentences by the embedder, which should
// remember what it has embedded. With nil it compares words alone, as it does
// for texts in scripts that MiniLM was not made for.
func New(e assay.Embedder) *Judge {
	name := "no embedder"
	if e != nil {
		name = e.Identity()
	}
	j := &Judge{embedder: e, support: &support, info: assay.JudgeInfo{
		Provider: "offline", Model: version + " + " + name, PromptHash: methodHash(), Estimate: true,
	}}
	j.answers = judge.NewAnswers(
		question.Read.By(j.read), question.Support.By(j.rule), question.Grade.By(j.grade), question.Compare.By(j.compare),
		question.Reverse.By(j.reverse), question.Extract.By(j.extract), question.Assign.By(j.assign),
	)
	return j
}

// Estimates reports whether there is an estimate for a task.
func Estimates(t judge.AnyTask) bool { return New(nil).answers[t.Operation()] != nil }

// Ask estimates the answer to a task. It is a *[judge.Error] when there is no
// estimate: a number all the same would look like an answer.
func (j *Judge) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return j.answers.Ask(ctx, t, s, given)
}

// Info identifies the method, its weights and the embedder.
func (j *Judge) Info() assay.JudgeInfo { return j.info }

// methodHash is of the version and of every weight, threshold and phrase.
func methodHash() string {
	h := sha256.New()
	fmt.Fprintln(h, version, declining, courtesies, metaphrases, supportedFrom, matching, denying, unfound, levels, equivalentFrom)
	for _, m := range models {
		fmt.Fprintln(h, *m)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// vectors embeds the texts of a question, in one batch. Without an embedder, or
// for a script that it does not read, there are none.
func (j *Judge) vectors(ctx context.Context, operation string, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if j.embedder == nil || len(texts) == 0 {
		return nil, nil
	}
	clean := make([]string, len(texts))
	for i, t := range texts {
		clean[i] = strings.ToValidUTF8(t, "\uFFFD")
	}
	v, err := text.Vectors(ctx, j.embedder, clean)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &judge.Error{Operation: operation, Message: "no vectors to estimate from", Err: err}
	}
	return v, nil
}
