package model

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

type claimsData struct {
	Question  string         `json:"question"`
	Before    string         `json:"before,omitempty"`
	Sentences []sentenceData `json:"sentences"`
	Again     string         `json:"again,omitempty"`
}

type sentenceData struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

type claimItem struct {
	Sentence    int    `json:"sentence"`
	Checkworthy bool   `json:"checkworthy"`
	Claim       string `json:"claim"`
}

// Read takes a text apart, twenty sentences a call. The sentences are found
// here, so that they are the same for every judge and every draw; none of them
// gets lost: one that the judge leaves out is asked for once more, and taken as
// a claim as it stands after that.
func (j *Judge) Read(ctx context.Context, s judge.Subject, of string) (judge.Reading, error) {
	r := &reader{judge: j, subject: s}
	for i, span := range text.Sentences(of) {
		r.sentences = append(r.sentences, span.Of(of))
		if strings.ContainsFunc(span.Of(of), isLetterOrDigit) {
			r.numbers = append(r.numbers, i+1)
		}
	}
	if len(r.numbers) == 0 {
		return judge.Reading{Kind: judge.Empty}, nil
	}
	batches := slices.Collect(slices.Chunk(r.numbers, batchSize))
	parts := make([]part, len(batches))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i, batch := range batches {
		g.Go(func() (err error) {
			parts[i], err = r.read(ctx, batch)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return judge.Reading{}, err
	}
	return r.reading(parts), nil
}

type reader struct {
	judge     *Judge
	subject   judge.Subject
	sentences []string
	// numbers are those of the sentences that say anything, from 1.
	numbers []int
}

// A part is what was read of some sentences.
type part struct {
	kind  judge.AnswerKind
	items []claimItem
}

// read asks about some sentences, and once more about those left out.
func (r *reader) read(ctx context.Context, batch []int) (part, error) {
	p, err := r.ask(ctx, batch, "")
	if err != nil {
		return part{}, err
	}
	missing := p.missing(batch)
	if len(missing) > 0 && !p.kind.Declines() {
		more, err := r.ask(ctx, missing, "an earlier reply left these sentences out: every sentence needs at least one item")
		switch {
		case over(ctx, err):
			return part{}, err
		case err == nil:
			p.items = append(p.items, more.items...)
		}
		if missing = p.missing(batch); len(missing) > 0 {
			judge.Warn(ctx, fmt.Sprintf("the judge took no claim from %d sentences; they are checked as they stand", len(missing)))
		}
	}
	for _, n := range missing {
		p.items = append(p.items, claimItem{Sentence: n, Checkworthy: !p.kind.Declines(), Claim: r.sentences[n-1]})
	}
	return p, nil
}

func (p part) missing(batch []int) []int {
	return slices.DeleteFunc(slices.Clone(batch), func(n int) bool {
		return slices.ContainsFunc(p.items, func(i claimItem) bool { return i.Sentence == n })
	})
}

// ask makes one call.
func (r *reader) ask(ctx context.Context, batch []int, again string) (part, error) {
	const task, before = "claims", 3
	d := claimsData{Question: r.subject.Question, Again: again}
	first := batch[0] - 1
	d.Before = strings.Join(r.sentences[max(0, first-before):first], " ")
	for _, n := range batch {
		d.Sentences = append(d.Sentences, sentenceData{ID: n, Text: r.sentences[n-1]})
	}
	a, err := r.judge.ask(ctx, task, r.subject, d, func(raw json.RawMessage) error {
		var reply struct {
			Items []claimItem `json:"items"`
		}
		if err := json.Unmarshal(raw, &reply); err != nil {
			return err
		}
		for i, item := range reply.Items {
			if !slices.Contains(batch, item.Sentence) {
				return fmt.Errorf("item %d: sentence %d: want the number of a sentence of the material", i+1, item.Sentence)
			}
			if strings.TrimSpace(item.Claim) == "" {
				return fmt.Errorf("item %d: the claim is blank: want a statement", i+1)
			}
		}
		return nil
	})
	if over(ctx, err) || err != nil && len(a.Items) == 0 {
		return part{}, give(ctx, task, err)
	}
	object := a.JSON
	if object == nil {
		object = a.Partial
	}
	// A kind that cannot be read stays unknown: the claims stand without it.
	var reply struct {
		Kind string `json:"kind"`
	}
	var p part
	if json.Unmarshal(object, &reply) == nil && p.kind.UnmarshalText([]byte(reply.Kind)) != nil {
		p.kind = judge.KindUnknown
	}
	for _, item := range decode[claimItem](a.Items) {
		item.Claim = strings.TrimSpace(item.Claim)
		if !slices.Contains(batch, item.Sentence) {
			item.Sentence = 0
		}
		if item.Claim != "" {
			p.items = append(p.items, item)
		}
	}
	return p, nil
}

// reading joins what was read of the batches.
func (r *reader) reading(parts []part) judge.Reading {
	out := judge.Reading{Kind: kindOf(parts)}
	var items []claimItem
	for _, p := range parts {
		items = append(items, p.items...)
	}
	// Claims whose sentence is not known come last.
	slices.SortStableFunc(items, func(a, b claimItem) int {
		if (a.Sentence == 0) != (b.Sentence == 0) {
			return cmp.Compare(b.Sentence, a.Sentence)
		}
		return cmp.Compare(a.Sentence, b.Sentence)
	})
	seen := map[string]bool{}
	for _, i := range items {
		form := quoteForm(i.Claim)
		switch {
		case !i.Checkworthy:
			out.Asides = append(out.Asides, i.Claim)
		case !seen[form]:
			seen[form] = true
			out.Claims = append(out.Claims, judge.Claim{Text: i.Claim, Sentence: i.Sentence})
		}
	}
	return out
}

// kindOf gives the kind of a text from those of its parts. A part that gives
// nothing of what is asked does not undo one that does: long answers go on.
func kindOf(parts []part) judge.AnswerKind {
	for _, k := range []judge.AnswerKind{judge.Partial, judge.Answered, judge.KindUnknown, judge.Abstained} {
		if slices.ContainsFunc(parts, func(p part) bool { return p.kind == k }) {
			return k
		}
	}
	return judge.Empty
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
