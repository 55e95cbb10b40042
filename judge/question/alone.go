package question

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// AnswerAlone says of the answer's claims, besides, which passages bear them out by themselves.
var AnswerAlone = singly("answer_passages_alone", "support of the answer by single passages", AnswerPassages, Answer)

// ReferenceAlone says of the reference's claims, besides, which passages bear them out by themselves.
var ReferenceAlone = singly("reference_passages_alone", "support of the reference by single passages", ReferencePassages, Reference)

// CitationsAlone says of the sentences of the answer, besides, which of the passages that they
// cite bear them out by themselves.
var CitationsAlone = about(judge.Question[[]judge.Cited]{
	Name: "citations_alone", Title: "support of the sentences by single passages that they cite", Tasks: Citations.Tasks,
	After: judge.Asks{Citations}, When: Citations.When,
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Cited, error) {
		cited, err := Citations.Of(h.Said).Get()
		if err != nil {
			return nil, err
		}
		in := SupportInput{Sources: judge.SourcesOf(h.Response.Passages, 0)}
		var found []judge.Finding
		for _, c := range cited {
			in.Claims = append(in.Claims, judge.Claim{Text: text.WithoutCitations(c.Text), Sentence: c.Sentence})
			found = append(found, c.Finding)
		}
		if found, err = Alone(ctx, h.Judge, h.Subject, in, found); err != nil {
			return nil, err
		}
		cited = slices.Clone(cited)
		for i := range cited {
			cited[i].Finding = found[i]
		}
		return cited, nil
	},
})

// singly defines the question which passages suffice alone, of claims whose support is known.
func singly(
	name, title string, of *judge.Question[[]judge.Finding], reading *judge.Question[judge.Reading],
) *judge.Question[[]judge.Finding] {
	return about(judge.Question[[]judge.Finding]{
		Name: name, Title: title, Tasks: of.Tasks, After: judge.Asks{reading, of}, When: of.When,
		Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Finding, error) {
			r, err := reading.Of(h.Said).Get()
			if err != nil {
				return nil, err
			}
			found, err := of.Of(h.Said).Get()
			if err != nil {
				return nil, err
			}
			return Alone(ctx, h.Judge, h.Subject, SupportInput{r.Claims, h.Sources}, found)
		},
	})
}

// Alone adds to findings on claims which of the quoted sources bear a claim out by themselves.
// A judge that said so with its ruling is not asked: see [judge.Finding.Singly]. Another is
// asked about the claim again, once with each of these as its only source. Where one of these
// rulings is unknown the finding is, so that what rests on it is bounded and not guessed.
func Alone(ctx context.Context, j judge.Judge, s judge.Subject, in SupportInput, found []judge.Finding) ([]judge.Finding, error) {
	if len(found) != len(in.Claims) {
		return nil, &judge.Error{Operation: Support.Name, Message: fmt.Sprintf("%d findings: want %d, one a claim", len(found), len(in.Claims))}
	}
	out := make([]judge.Finding, len(found))
	var again []single
	for i, f := range found {
		out[i] = f.Clone()
		if f.Singly || f.Verdict != judge.Supported {
			continue
		}
		out[i].Singly = true
		for _, source := range quotedSources(f, len(in.Sources)) {
			again = append(again, single{i, source})
		}
	}
	if len(again) == 0 {
		return out, nil
	}
	// By source, so that a call about some of them shows few sources.
	slices.SortStableFunc(again, func(a, b single) int { return cmp.Compare(a.source, b.source) })
	asked := SupportInput{Sources: in.Sources}
	for _, one := range again {
		c := in.Claims[one.claim]
		c.Within = []int{one.source}
		asked.Claims = append(asked.Claims, c)
	}
	rulings, err := Support.Ask(ctx, j, s, asked)
	if err != nil {
		return nil, err
	}
	for n, one := range again {
		switch r := rulings[n]; r.Verdict {
		case judge.Supported:
			for k := range out[one.claim].Quotes {
				q := &out[one.claim].Quotes[k]
				q.Alone = q.Alone || q.Source == one.source
			}
		case judge.Unknown:
			why := strings.TrimPrefix(r.Why, "unknown: ")
			out[one.claim] = judge.Finding{Why: fmt.Sprintf("unknown: whether %s says it alone: %s", in.Sources[one.source].Name, why)}
		}
	}
	return out, nil
}

// A single is one source that a claim is quoted from, by their places in their lists.
type single struct{ claim, source int }

// quotedSources lists those of n sources that a finding quotes, in ascending order.
func quotedSources(f judge.Finding, n int) []int {
	var out []int
	for _, q := range f.Quotes {
		if q.Source >= 0 && q.Source < n {
			out = append(out, q.Source)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
