// Package offline is a [judge.Judge] without a language model: it rules by formulas
// over words, numbers, names and sentence embeddings. Its rulings are estimates and
// are labelled as such; docs/results/offline-judge.md shows how far they agree with
// people, and where they do not.
//
// It compares wording, not meaning: a free paraphrase looks unsupported, and a false
// word in a copied sentence looks supported unless it is a number, a name or a
// negation.
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

// version changes whenever an estimate may change: by a feature, a weight, a list of
// phrases or a rule.
const version = "offline-3"

// Judge estimates rulings. It is safe for concurrent use. A ruling depends only on the
// text, the texts that it is compared with, and the embedder.
type Judge struct {
	embedder assay.Embedder
	info     assay.JudgeInfo
	// answers are the estimates by task. Some tasks have none: no formula can read the
	// levels of a rubric, for example, which are described in words.
	answers judge.Answers
	// support is the model for claims with embeddings. Tests replace it by one that is
	// fitted to other data.
	support *model
	// thresholds are those of the one task that a judge of [Judge.Ruling] answers.
	thresholds judge.Thresholds
}

var _ judge.Judge = (*Judge)(nil)

// New returns a judge that compares sentences by the embedder, which should cache its
// vectors. With nil it compares words only, as it does for texts in scripts that MiniLM
// does not support.
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

// Sentences returns a judge that takes texts apart as the offline judge does: each sentence
// is a claim, but for those that decline or are a courtesy. It answers nothing else, and is
// for runs in which another judge rules on these claims.
func Sentences() judge.Judge {
	j := New(nil)
	return &Judge{
		answers: judge.NewAnswers(question.Read.By(j.read)),
		info:    assay.JudgeInfo{Provider: "sentences", Model: version, PromptHash: methodHash()},
	}
}

// Estimates reports whether there is an estimate for a task.
func Estimates(t judge.AnyTask) bool { return New(nil).Answers(t) }

// Answers reports whether the judge has an estimate for a task.
func (j *Judge) Answers(t judge.AnyTask) bool { return j.answers.Has(t) }

// Ask estimates the answer to a task. A task without an estimate is a *[judge.Error].
func (j *Judge) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return j.answers.Ask(ctx, t, s, given)
}

// Info identifies the method, its weights and the embedder.
func (j *Judge) Info() assay.JudgeInfo { return j.info }

// methodHash hashes the version and every weight, threshold and phrase.
func methodHash() string {
	h := sha256.New()
	p := known()
	fmt.Fprintln(h, version, p.Declining, p.Courtesies, p.Attribution, supportedFrom, matching, denying, unfound, levels, equivalentFrom)
	for _, m := range models {
		fmt.Fprintln(h, *m)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// vectors embeds the texts of a question in one batch. Without an embedder there are
// none.
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
		return nil, &judge.Error{Operation: operation, Message: "the embedder failed", Err: err}
	}
	return v, nil
}

// What the judge estimates, as messages and the page of results name it.
const (
	ofFaithfulness = "faithfulness"
	ofRelevance    = "relevance"
	ofEquivalence  = "equivalence"
	ofReverse      = "answer relevance"
	ofCompleteness = "completeness"
)

// unmeasured returns the error for a question that is not estimated in the language of a
// subject: only where the estimate was measured against people and is better than a plain
// baseline on the same items there is one. A subject without a language is English. The
// extraction of points and the reading of an answer give no score and are always estimated.
func unmeasured(of string, s judge.Subject) error {
	why := "never measured against people"
	switch {
	case s.Language == judge.English || s.Language == "":
		return nil
	case s.Language == judge.Chinese && of == ofRelevance:
		why = "little better than chance"
	}
	return &judge.DeclinedError{Reason: fmt.Sprintf("not estimated: the offline judge declines %s in this language (%s): "+
		"--judge PROVIDER:MODEL", of, why)}
}

// Ruling returns a judge that rules by thresholds from the labels of people, by task, where j
// would give its estimate: a claim is supported or not, an answer equivalent or not. Tasks with
// more levels than two keep their estimates, because a threshold tells two apart; so does a
// task in a language without a threshold.
func (j *Judge) Ruling(thresholds map[string]judge.Thresholds) judge.Judge {
	by := map[string]judge.Judge{}
	for task, from := range map[string]float64{question.Support.Name: supportedFrom, question.Compare.Name: equivalentFrom} {
		t := thresholds[task]
		if len(t) == 0 {
			continue
		}
		one := &Judge{embedder: j.embedder, info: j.info, support: j.support, thresholds: t}
		one.answers = judge.NewAnswers(question.Support.By(one.rule), question.Compare.By(one.compare))
		one.info.Parameters = map[string]string{}
		t.Describe(one.info.Parameters, from)
		by[task] = one
	}
	return judge.Delegating(j, by)
}
