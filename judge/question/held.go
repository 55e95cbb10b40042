package question

import (
	"context"
	"strings"

	"github.com/assay-eval/assay/judge"
)

// AnswerPassages holds the answer's claims against the passages. Together with
// ReferencePassages it is one task: the passages are most of what it costs.
var AnswerPassages = about(judge.Question[[]judge.Finding]{
	Name: answerPassages, Title: "support of the answer by the passages", Tasks: []judge.AnyTask{Support}, After: judge.Asks{Answer},
	When: hasPassages,
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
		return againstPassages(ctx, h, answerPassages)
	},
})

// ReferencePassages holds the reference's claims against the passages.
var ReferencePassages = about(judge.Question[[]judge.Finding]{
	Name: referencePassages, Title: "support of the reference by the passages", Tasks: []judge.AnyTask{Support}, After: judge.Asks{Reference},
	When: func(h *judge.Hearing) bool { return hasPassages(h) && hasAnswers(h) },
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
		return againstPassages(ctx, h, referencePassages)
	},
})

// AnswerReference holds the answer's claims against the reference.
var AnswerReference = about(judge.Question[[]judge.Finding]{
	Name: "answer_reference", Title: "support of the answer by the reference", Tasks: []judge.AnyTask{Support}, After: judge.Asks{Answer},
	When: hasAnswers,
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
		return held(ctx, h, Answer, judge.Source{Name: "the reference", Text: h.Case.Want.Answers[0]})
	},
})

// ReferenceAnswer holds the reference's claims against the answer.
var ReferenceAnswer = about(judge.Question[[]judge.Finding]{
	Name: "reference_answer", Title: "support of the reference by the answer", Tasks: []judge.AnyTask{Support}, After: judge.Asks{Reference},
	When: hasAnswers,
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
		return held(ctx, h, Reference, judge.Source{Name: "the answer", Text: h.Response.Answer})
	},
})

// Truth holds the answer's claims against the ideal answer and the passages that
// it was written from.
var Truth = about(judge.Question[[]judge.Finding]{
	Name: "truth", Title: "support of the answer by the ideal answer", Tasks: []judge.AnyTask{Support}, After: judge.Asks{Answer},
	When: hasIdeal,
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
		ideal := h.Case.Want.Ideal
		return held(ctx, h, Answer, append(judge.SourcesOf(ideal.Passages, 0), judge.Source{Name: "the ideal answer", Text: ideal.Answer})...)
	},
})

const (
	answerPassages    = "answer_passages"
	referencePassages = "reference_passages"
)

// held holds the claims of a reading against sources.
func held(ctx context.Context, h *judge.Hearing, reading *judge.Question[judge.Reading], sources ...judge.Source) ([]judge.Finding, error) {
	r, err := reading.Of(h.Said).Get()
	if err != nil {
		return nil, err
	}
	return hold(ctx, h, r.Claims, sources)
}

// againstPassages holds the claims of both readings, where both are asked for,
// against the passages. One that failed does not take the other with it.
func againstPassages(ctx context.Context, h *judge.Hearing, question string) ([]judge.Finding, error) {
	readings := map[string]*judge.Question[judge.Reading]{answerPassages: Answer, referencePassages: Reference}
	if _, err := readings[question].Of(h.Said).Get(); err != nil {
		return nil, err
	}
	found, err := judge.Once(ctx, h, "support by the passages", func() (map[string][]judge.Finding, error) {
		var claims []judge.Claim
		of := map[string][2]int{}
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
	})
	return found[question], err
}

// hold asks for the support of claims. Without claims there is nothing to ask,
// and without a text to look in nothing is found.
func hold(ctx context.Context, h *judge.Hearing, claims []judge.Claim, sources []judge.Source) ([]judge.Finding, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	for _, s := range sources {
		if strings.TrimSpace(s.Text) != "" {
			findings, err := Support.Ask(ctx, h.Judge, h.Subject, SupportInput{claims, sources})
			return judge.EachOf(Support.Name, len(claims), findings, err)
		}
	}
	out := make([]judge.Finding, len(claims))
	for i := range out {
		out[i] = judge.Finding{Verdict: judge.NotFound, Why: "there is no text to find it in"}
	}
	return out, nil
}
