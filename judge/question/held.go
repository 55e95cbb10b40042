package question

import (
	"context"
	"strings"

	"github.com/assay-eval/assay/judge"
)

// AnswerPassages holds the answer's claims against the passages. Together with
// ReferencePassages it is one task: the passages are most of what it costs.
var AnswerPassages = passages(answerPassages, "support of the answer by the passages", Answer, hasPassages)

// ReferencePassages holds the reference's claims against the passages.
var ReferencePassages = passages(referencePassages, "support of the reference by the passages", Reference,
	func(h *judge.Hearing) bool { return hasPassages(h) && hasAnswers(h) })

// AnswerReference holds the answer's claims against the reference.
var AnswerReference = held("answer_reference", "support of the answer by the reference", Answer, hasAnswers,
	func(h *judge.Hearing) []judge.Source {
		return []judge.Source{{Name: "the reference", Text: h.Case.Want.Answers[0]}}
	})

// ReferenceAnswer holds the reference's claims against the answer.
var ReferenceAnswer = held("reference_answer", "support of the reference by the answer", Reference, hasAnswers,
	func(h *judge.Hearing) []judge.Source {
		return []judge.Source{{Name: "the answer", Text: h.Response.Answer}}
	})

// Truth holds the answer's claims against the ideal answer and the passages that
// it was written from.
var Truth = held("truth", "support of the answer by the ideal answer", Answer, hasIdeal, func(h *judge.Hearing) []judge.Source {
	ideal := h.Case.Want.Ideal
	return append(judge.SourcesOf(ideal.Passages, 0), judge.Source{Name: "the ideal answer", Text: ideal.Answer})
})

const (
	answerPassages    = "answer_passages"
	referencePassages = "reference_passages"
)

// held defines the question which claims of a reading some sources bear out.
func held(
	name, title string, reading *judge.Question[judge.Reading], when func(*judge.Hearing) bool, sources func(*judge.Hearing) []judge.Source,
) *judge.Question[[]judge.Finding] {
	return about(judge.Question[[]judge.Finding]{
		Name: name, Title: title, Tasks: []judge.AnyTask{Support}, After: judge.Asks{reading}, When: when,
		Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
			r, err := reading.Of(h.Said).Get()
			if err != nil {
				return nil, err
			}
			return hold(ctx, h, r.Claims, sources(h))
		},
	})
}

// passages defines the question which claims of a reading the passages bear out.
func passages(
	name, title string, reading *judge.Question[judge.Reading], when func(*judge.Hearing) bool,
) *judge.Question[[]judge.Finding] {
	return about(judge.Question[[]judge.Finding]{
		Name: name, Title: title, Tasks: []judge.AnyTask{Support}, After: judge.Asks{reading}, When: when,
		Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
			if _, err := reading.Of(h.Said).Get(); err != nil {
				return nil, err
			}
			found, err := judge.Once(ctx, h, "support by the passages", func() (map[string][]judge.Finding, error) { return byPassages(ctx, h) })
			return found[name], err
		},
	})
}

// byPassages holds the claims of both readings, where both are asked for, against the passages.
// One that failed does not take the other with it.
func byPassages(ctx context.Context, h *judge.Hearing) (map[string][]judge.Finding, error) {
	var claims []judge.Claim
	of := map[string][2]int{}
	readings := map[string]*judge.Question[judge.Reading]{answerPassages: Answer, referencePassages: Reference}
	for _, name := range []string{answerPassages, referencePassages} {
		if r, err := readings[name].Of(h.Said).Get(); err == nil && h.Asks(name) {
			of[name] = [2]int{len(claims), len(claims) + len(r.Claims)}
			claims = append(claims, r.Claims...)
		}
	}
	findings, err := hold(ctx, h, claims, h.Sources)
	if err != nil {
		return nil, err
	}
	out := map[string][]judge.Finding{}
	for name, at := range of {
		out[name] = findings[at[0]:at[1]:at[1]]
	}
	return out, nil
}

// hold asks for the support of claims. Without claims there is nothing to ask,
// and without a text to look in nothing is found.
func hold(ctx context.Context, h *judge.Hearing, claims []judge.Claim, sources []judge.Source) ([]judge.Finding, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	for _, s := range sources {
		if strings.TrimSpace(s.Text) != "" {
			return Support.Ask(ctx, h.Judge, h.Subject, SupportInput{claims, sources})
		}
	}
	out := make([]judge.Finding, len(claims))
	for i := range out {
		out[i] = judge.Finding{Verdict: judge.NotFound, Why: "there is no text to find it in"}
	}
	return out, nil
}
