package entail

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// DefaultThreshold is the probability from which a claim counts as supported where labels
// do not say: that of HHEM, MiniCheck and AlignScore, by their authors.
const DefaultThreshold = 0.5

// contradictedFrom is the probability from which a claim that is not supported counts as
// contradicted.
const contradictedFrom = 0.5

// version changes whenever the same scores may give another ruling.
const version = "entail-1"

// Config describes a judge.
type Config struct {
	Scorer Scorer
	// Provider and Model name the scorer, Form says how it is asked: whatever changes a
	// score changes one of the three.
	Provider, Model, Form string
	// Window is the number of words of a window; 0 gives the scorer whole texts.
	Window int
	// Thresholds are the probabilities from which a claim is supported; a language without
	// one has [DefaultThreshold].
	Thresholds judge.Thresholds
}

// A Judge rules on the support of claims. It is safe for concurrent use.
type Judge struct {
	cfg     Config
	answers judge.Answers
}

var _ judge.Judge = (*Judge)(nil)

// New returns a judge.
func New(c Config) (*Judge, error) {
	switch {
	case c.Scorer == nil:
		return nil, errors.New("entailment judge: needs a scorer")
	case c.Window < 0:
		return nil, fmt.Errorf("entailment judge: a window of %d words: expected 1 or more, or 0 for whole texts", c.Window)
	}
	j := &Judge{cfg: c}
	j.answers = judge.NewAnswers(question.Support.By(j.rule))
	return j, nil
}

// Task is the name of the task that the judge answers.
func Task() string { return question.Support.Operation() }

// Info identifies the scorer, its form and the windows. A scorer gives the same score each
// time, so there is one pass. The threshold is part of the info, though a certificate that
// was measured with another one fits: see [assay.Certificate.Fits].
func (j *Judge) Info() assay.JudgeInfo {
	form := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(version+" "+j.cfg.Form)))
	p := map[string]string{"window": strconv.Itoa(j.cfg.Window)}
	j.cfg.Thresholds.Describe(p, DefaultThreshold)
	info := assay.JudgeInfo{
		Provider: j.cfg.Provider, Model: j.cfg.Model, Prompts: map[string]string{Task(): form}, Passes: 1, Parameters: p,
	}
	return info.About(nil)
}

// Answers reports whether a task is the one that the judge answers.
func (j *Judge) Answers(t judge.AnyTask) bool { return j.answers.Has(t) }

// Ask answers the task support. Any other is a *[judge.Error].
func (j *Judge) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return j.answers.Ask(ctx, t, s, given)
}

// A place is where a pair is from.
type place struct {
	source int
	window text.Span
	pair   int
}

// rule scores each claim with the windows of each source that it is compared with.
func (j *Judge) rule(ctx context.Context, s judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	parts := make([][]text.Span, len(in.Sources))
	for i, source := range in.Sources {
		parts[i] = windows(source.Text, j.cfg.Window)
	}
	var pairs []Pair
	numbers := map[Pair]int{}
	places := make([][]place, len(in.Claims))
	for i, c := range in.Claims {
		for k, source := range in.Sources {
			if c.Within != nil && !slices.Contains(c.Within, k) {
				continue
			}
			for _, w := range parts[k] {
				p := Pair{strings.ToValidUTF8(w.Of(source.Text), "\uFFFD"), strings.ToValidUTF8(c.Text, "\uFFFD")}
				n, known := numbers[p]
				if !known {
					n = len(pairs)
					numbers[p], pairs = n, append(pairs, p)
				}
				places[i] = append(places[i], place{k, w, n})
			}
		}
	}
	var scores []Score
	if len(pairs) > 0 {
		var err error
		if scores, err = j.cfg.Scorer.Score(ctx, pairs); err != nil {
			return nil, judge.GivesUp(ctx, inTerms(err))
		}
	}
	threshold, _ := j.cfg.Thresholds.Of(s, DefaultThreshold)
	out := make([]judge.Finding, len(in.Claims))
	for i, c := range in.Claims {
		rule := func(threshold float64) judge.Finding { return find(c, in.Sources, places[i], scores, threshold) }
		out[i] = rule(threshold.At)
		out[i].Ends = judge.Ends(threshold, rule)
	}
	return out, ctx.Err()
}

// inTerms puts an error into the terms of judges.
func inTerms(err error) error {
	var e *llm.Error
	if errors.As(err, &e) && e.Fatal() {
		return &judge.FatalError{Err: err}
	}
	return &judge.Error{Operation: Task(), Message: err.Error(), Err: err}
}

// A best is the highest score of a source.
type best struct {
	place
	Score
}

// find rules on a claim. Its score is the greatest probability of any window of any source;
// each source from the threshold on supports it alone. It is contradicted if it is not
// supported and a window says so with at least even odds. Where one source supports it and a
// window of another contradicts it, the sources conflict.
func find(c judge.Claim, sources []judge.Source, at []place, scores []Score, threshold float64) judge.Finding {
	if len(at) == 0 {
		return judge.Finding{Verdict: judge.NotFound, Why: "there is no text to find it in"}
	}
	bySource := map[int]best{}
	// denials are the windows that contradict, the strongest of each source.
	denials := map[int]best{}
	var denied *best
	unknown := ""
	f := judge.Finding{Verdict: judge.NotFound}
	entailed := 0.
	for _, p := range at {
		s := scores[p.pair]
		if s.Why != "" {
			unknown = s.Why
			continue
		}
		if known, ok := bySource[p.source]; !ok || s.Entailed > known.Entailed {
			bySource[p.source] = best{p, s}
		}
		entailed = max(entailed, s.Entailed)
		if s.Contradicted == nil {
			continue
		}
		if denied == nil || *s.Contradicted > *denied.Contradicted {
			denied = &best{p, s}
		}
		if known, ok := denials[p.source]; *s.Contradicted >= contradictedFrom && (!ok || *s.Contradicted > *known.Contradicted) {
			denials[p.source] = best{p, s}
		}
	}
	f.Score = &entailed
	f.Why = fmt.Sprintf("entailment %.4f, the greatest of %s; support from %.2f on", entailed, counted(len(at)), threshold)
	switch {
	case entailed >= threshold && len(bySource) > 0:
		f.Verdict, f.Degree, f.Singly = judge.Supported, 1, true
		for _, k := range slices.Sorted(maps.Keys(bySource)) {
			if b := bySource[k]; b.Entailed >= threshold {
				f.Quotes = append(f.Quotes, judge.Quote{Source: k, Text: nearest(c.Text, sources[k].Text, b.window), Alone: true})
			}
		}
		for _, k := range slices.Sorted(maps.Keys(denials)) {
			if bySource[k].Entailed < threshold {
				f.Contrary = append(f.Contrary, judge.Quote{Source: k, Text: nearest(c.Text, sources[k].Text, denials[k].window)})
			}
		}
		f.Why += "; quoted is where a score came from: of its window the sentence that shares most words with the claim"
	case unknown != "":
		return judge.Finding{Why: "unknown: " + unknown}
	case denied != nil && *denied.Contradicted >= contradictedFrom && *denied.Contradicted > entailed:
		f.Verdict = judge.Contradicted
		f.Quotes = []judge.Quote{{
			Source: denied.source, Text: nearest(c.Text, sources[denied.source].Text, denied.window), Alone: true,
		}}
		f.Why = fmt.Sprintf("contradiction %.4f, entailment %.4f; quoted is where the score came from: of its window the sentence that "+
			"shares most words with the claim", *denied.Contradicted, entailed)
	}
	return f
}

func counted(windows int) string {
	if windows == 1 {
		return "one window"
	}
	return fmt.Sprintf("%d windows", windows)
}

// nearest returns the sentence of a window that shares most words with a claim, the first of
// several.
func nearest(claim, source string, window text.Span) string {
	wanted := map[string]bool{}
	for w := range text.Words(strings.ToLower(claim)) {
		wanted[w] = true
	}
	within := window.Of(source)
	quote, most := strings.TrimSpace(within), -1
	for _, s := range text.Sentences(within) {
		shared := map[string]bool{}
		for w := range text.Words(strings.ToLower(s.Of(within))) {
			if wanted[w] {
				shared[w] = true
			}
		}
		if len(shared) > most {
			quote, most = s.Of(within), len(shared)
		}
	}
	return quote
}
