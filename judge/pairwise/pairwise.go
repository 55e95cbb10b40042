// Package pairwise has a judge compare the answers of two runs case by case. Every pair is
// put twice, with either answer first, so that a judge's liking for a place cancels out and
// is measured.
package pairwise

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
	"github.com/assay-eval/assay/judge/question"
)

// Options say how pairs are judged.
type Options struct {
	// Language is that of the prompts; "" is that of each case.
	Language judge.Language
	// Depth is how many passages of each response are shown where a case has no reference
	// answer; 0 shows all.
	Depth int
	// Concurrency is the largest number of cases that are judged at a time; at least 1.
	Concurrency int
	// Done hears of progress; it may be nil.
	Done func(done, total int)
}

// A Duel is a case with the records of two runs.
type Duel struct{ Old, New assay.Record }

// Judge returns the preference of each of n duels. at returns a duel by its index. A pair that
// the judge could not rule on is unjudged. The error is fatal, that of at, or that of ctx.
func Judge(ctx context.Context, j judge.Judge, o Options, n int, at func(i int) (Duel, error)) ([]assay.Preference, error) {
	out := make([]assay.Preference, n)
	err := judge.ForEach(ctx, o.Concurrency, n, func(ctx context.Context, i int) error {
		d, err := at(i)
		if err == nil {
			out[i], err = o.one(ctx, j, d)
		}
		return err
	}, o.Done)
	return out, err
}

// one judges one duel; one with words that seem to address the judge with and without them. It
// is unjudged if they make a difference.
func (o Options) one(ctx context.Context, j judge.Judge, d Duel) (assay.Preference, error) {
	p, err := o.rule(ctx, j, d)
	if err != nil || p.How != assay.PreferenceJudged {
		return p, err
	}
	clean, found := o.defused(d)
	if found == nil {
		return p, nil
	}
	p.Addressed = true
	without, err := o.rule(ctx, j, clean)
	switch {
	case err != nil:
		return p, err
	case without.How == assay.PreferenceUnjudged:
		return unjudged(p, fmt.Sprintf("a response seems to address the judge, and without those words there is no ruling (%s): %s",
			without.Reasons[0], strings.Join(found, "; "))), nil
	case without.Value != p.Value:
		return unjudged(p, "a response seems to address the judge, and without those words it rules otherwise: "+
			strings.Join(found, "; ")), nil
	}
	return p, nil
}

// defused returns a duel without what seems to address the judge in the texts that it sees, and
// what that was.
func (o Options) defused(d Duel) (clean Duel, found []string) {
	for _, r := range []*assay.Record{&d.Old, &d.New} {
		seen := *r.Response
		if o.Depth > 0 && len(seen.Passages) > o.Depth {
			seen.Passages = seen.Passages[:o.Depth]
		}
		if len(references(d)) > 0 {
			seen.Passages = nil
		}
		seen, parts := attack.Defuse(seen)
		r.Response, found = &seen, append(found, parts...)
	}
	return d, found
}

// rule has the judge rule on one duel.
func (o Options) rule(ctx context.Context, j judge.Judge, d Duel) (assay.Preference, error) {
	p := assay.Preference{Case: d.Old.Case.Base(), Cluster: cmp.Or(d.New.Case.Group, d.Old.Case.Group)}
	if decided(&p, d) {
		return p, nil
	}
	old, young := d.Old.Response, d.New.Response
	plan := judge.Plan{Language: o.Language}
	s := judge.Subject{Question: d.Old.Case.Question, Language: plan.LanguageFor(&d.Old.Case)}
	in := question.PreferInput{References: references(d)}
	if len(in.References) == 0 {
		in.Passages = passages(old.Passages, young.Passages, o.Depth)
	}
	var choices [2]judge.Choice
	var g errgroup.Group // a reply of one order is kept though the other failed
	for k, answers := range [2][2]string{{old.Answer, young.Answer}, {young.Answer, old.Answer}} {
		in := in
		in.First, in.Second = answers[0], answers[1]
		g.Go(func() (err error) {
			choices[k], err = question.Prefer.Ask(ctx, j, s, in)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		if judge.Over(ctx, err) {
			return p, err
		}
		return unjudged(p, judge.Reason(err)), nil
	}
	p.How = assay.PreferenceJudged
	p.Orders = &[2]int{choices[0].First, choices[1].First}
	p.Reasons = [2]string{choices[0].Why, choices[1].Why}
	p.Value = float64(choices[1].First-choices[0].First) / 2
	return p, nil
}

// decided fills in a preference that needs no ruling, or on which no ruling would stand.
func decided(p *assay.Preference, d Duel) bool {
	switch {
	case answerless(d.Old) || answerless(d.New):
		*p = unjudged(*p, "a run has no answer to the case")
		return true
	case d.Old.Failure != nil || d.New.Failure != nil:
		p.How = assay.PreferenceFailed
		switch {
		case d.New.Failure == nil:
			p.Value = 1
		case d.Old.Failure == nil:
			p.Value = -1
		}
		return true
	case d.Old.Case.Question != d.New.Case.Question:
		*p = unjudged(*p, "the runs asked different questions under this id")
		return true
	}
	answers := [2]string{plain(d.Old.Response.Answer), plain(d.New.Response.Answer)}
	for _, a := range []string{d.Old.Response.Answer, d.New.Response.Answer} {
		if part := attack.Forged(a); part != "" {
			*p = unjudged(*p, fmt.Sprintf("an answer imitates the judge's material or reply: %q", text.Shorten(part, 80)))
			return true
		}
	}
	p.Declined = [2]bool{answers[0] == "", answers[1] == ""}
	if answers[0] == answers[1] {
		p.How = assay.PreferenceEqual
		return true
	}
	return false
}

// answerless reports whether a record has no answer although the target did not fail: a
// baseline file keeps none, and a search engine gives none, or its server withheld it.
func answerless(r assay.Record) bool {
	return r.Failure == nil && (r.Response == nil || r.Response.NoAnswer || r.Response.Withheld != "")
}

func unjudged(p assay.Preference, why string) assay.Preference {
	p.How, p.Value, p.Orders, p.Reasons = assay.PreferenceUnjudged, 0, nil, [2]string{why}
	return p
}

// plain is an answer as it is compared for equality: without differences in white space.
func plain(answer string) string { return strings.Join(strings.Fields(answer), " ") }

// references returns the reference answers of a case. Runs of different versions of a dataset
// may have different ones: all of them then, in an order that depends on neither run.
func references(d Duel) []string {
	a, b := answers(d.Old.Case), answers(d.New.Case)
	if slices.Equal(a, b) {
		return a
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// answers returns the reference answers, or else the ideal answer.
func answers(c assay.Case) []string {
	if len(c.Want.Answers) == 0 && c.Want.Ideal != nil && c.Want.Ideal.Answer != "" {
		return []string{c.Want.Ideal.Answer}
	}
	return c.Want.Answers
}

// passages joins those of two responses, each text once, from the best rank in either. The
// order does not tell which run found them: it is the same if the two change places.
func passages(a, b []assay.Passage, depth int) []string {
	rank := map[string]int{}
	for _, list := range [][]assay.Passage{a, b} {
		for i, s := range judge.SourcesOf(list, depth) {
			if was, seen := rank[s.Text]; strings.TrimSpace(s.Text) != "" && (!seen || i < was) {
				rank[s.Text] = i
			}
		}
	}
	out := make([]string, 0, len(rank))
	for t := range rank {
		out = append(out, t)
	}
	slices.SortFunc(out, func(x, y string) int { return cmp.Or(cmp.Compare(rank[x], rank[y]), cmp.Compare(x, y)) })
	return out
}
