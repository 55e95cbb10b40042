package question

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// Read takes a text apart: how it answers the question, and the claims that it
// makes. The text is an answer or a reference answer.
var Read = task(judge.Task[string, judge.Reading]{
	Name: "claims", Version: "v3", Model: read, SaysSure: true, StandIn: played(playRead),
	Combine: judge.Extracted[string, judge.Reading]{
		Ballot: judge.Ballot[judge.Reading]{
			Label: func(r judge.Reading) (float64, string, bool) {
				return float64(r.Kind), "the kind of the text is not known", true
			},
			Votes: func(r *judge.Reading) *judge.Votes { return &r.Votes },
		},
		Agreement: sameClaims,
		Open: func(r judge.Reading) judge.Reading {
			r.Kind = judge.KindUnknown
			return r
		},
	},
})

// sameClaims is the share of the claims of two readings that both have.
func sameClaims(a, b judge.Reading) float64 {
	if len(a.Claims)+len(b.Claims) == 0 {
		return 1
	}
	forms := map[string]bool{}
	for _, c := range a.Claims {
		forms[quoteForm(c.Text)] = true
	}
	both := 0
	for _, c := range b.Claims {
		if forms[quoteForm(c.Text)] {
			both++
		}
	}
	return 2 * float64(both) / float64(len(a.Claims)+len(b.Claims))
}

// Answer is the reading of the answer: its kind and its claims, which index
// AnswerPassages, AnswerReference and Truth.
var Answer = about(judge.Question[judge.Reading]{
	Name: "answer", Title: "claims of the answer", Tasks: []judge.AnyTask{Read},
	Find: func(ctx context.Context, h *judge.Hearing) (judge.Reading, error) {
		return readText(ctx, h, h.Response.Answer)
	},
})

// Reference is the reading of the first reference answer; its claims index
// ReferencePassages and ReferenceAnswer.
var Reference = about(judge.Question[judge.Reading]{
	Name: "reference", Title: "claims of the reference", Tasks: []judge.AnyTask{Read}, When: hasAnswers,
	Find: func(ctx context.Context, h *judge.Hearing) (judge.Reading, error) {
		return readText(ctx, h, h.Case.Want.Answers[0])
	},
})

// readText reads a text; an empty one says nothing, and that is known. What one
// that declines says beside it is no claim to check.
func readText(ctx context.Context, h *judge.Hearing, s string) (judge.Reading, error) {
	if strings.TrimSpace(s) == "" {
		return judge.Reading{Kind: judge.Empty}, nil
	}
	r, err := Read.Ask(ctx, h.Judge, h.Subject, s)
	if r.Kind.Declines() {
		r.Claims = nil
	}
	return r, err
}

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
	Sentence int `json:"sentence"`
	// Status is one of the constants below.
	Status string `json:"status"`
	Claim  string `json:"claim"`
}

const (
	// statusClaim is a proposition to check, statusAside what is not worth checking.
	statusClaim = "claim"
	statusAside = "aside"
	// statusAmbiguous is a sentence that can be read in two ways.
	statusAmbiguous = "ambiguous"
)

// read takes a text apart, twenty sentences a call. The sentences are found
// here, so that they are the same for every judge and every draw; none of them
// gets lost: one that the judge leaves out is asked for once more, and taken as
// a claim as it stands after that. So is one with a number that none of its claims
// has; if the second reply leaves it out too, a warning says so.
func read(ctx context.Context, m judge.Asker, s judge.Subject, of string) (judge.Reading, error) {
	r := &reader{model: m, subject: s}
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
	err := judge.ForEach(ctx, atOnce, len(batches), func(ctx context.Context, i int) (err error) {
		parts[i], err = r.read(ctx, batches[i])
		return err
	}, nil)
	if err != nil {
		return judge.Reading{}, err
	}
	out := r.reading(parts)
	if n := len(out.Ambiguous); n > 0 {
		judge.Warn(ctx, fmt.Sprintf("%d sentences of the text can be read in two ways and are not checked, such as %q", n,
			text.Shorten(out.Ambiguous[0], 80)))
	}
	return out, nil
}

type reader struct {
	model     judge.Asker
	subject   judge.Subject
	sentences []string
	// numbers are those of the sentences that say anything, from 1.
	numbers []int
}

// A part is what was read of some sentences.
type part struct {
	kind  judge.AnswerKind
	items []claimItem
	// whole is set if the first reply said everything that was asked.
	whole bool
}

// read asks about some sentences, and once more about those left out.
func (r *reader) read(ctx context.Context, batch []int) (part, error) {
	p, err := r.ask(ctx, batch, "")
	if err != nil {
		return part{}, err
	}
	if err := r.cover(ctx, &p, batch); err != nil {
		return part{}, err
	}
	missing := p.missing(batch)
	p.whole = p.whole && (len(missing) == 0 || p.kind.Declines())
	if len(missing) > 0 && !p.kind.Declines() {
		more, err := r.ask(ctx, missing, "an earlier reply left these sentences out: every sentence needs at least one item")
		switch {
		case judge.Over(ctx, err):
			return part{}, err
		case err == nil:
			p.items = append(p.items, more.items...)
		}
		if missing = p.missing(batch); len(missing) > 0 {
			judge.Warn(ctx, fmt.Sprintf("the judge took no claim from %d sentences; they are checked as they stand", len(missing)))
		}
	}
	for _, n := range missing {
		status := statusClaim
		if p.kind.Declines() {
			status = statusAside
		}
		p.items = append(p.items, claimItem{n, status, r.sentences[n-1]})
	}
	return p, nil
}

// cover asks once more about sentences whose claims leave out a number, and takes the new
// claims of those that then have it.
func (r *reader) cover(ctx context.Context, p *part, batch []int) error {
	short := slices.DeleteFunc(slices.Clone(batch), func(n int) bool { return r.covered(p.items, n) })
	if len(short) == 0 {
		return nil
	}
	p.whole = false
	more, err := r.ask(ctx, short, "the claims of an earlier reply leave out a number of these sentences: every number is in a claim")
	if judge.Over(ctx, err) {
		return err
	}
	left := 0
	for _, n := range short {
		of := func(i claimItem) bool { return i.Sentence == n }
		if !slices.ContainsFunc(more.items, of) || !r.covered(more.items, n) {
			left++
			continue
		}
		p.items = slices.DeleteFunc(p.items, of)
		for _, i := range more.items {
			if of(i) {
				p.items = append(p.items, i)
			}
		}
	}
	if left > 0 {
		judge.Warn(ctx, fmt.Sprintf("the claims of %d sentences seem to leave out a number of the sentence", left))
	}
	return nil
}

// covered reports whether the claims of a sentence have all of its numbers. One without a
// claim is covered: it is an aside, ambiguous or missing.
func (r *reader) covered(items []claimItem, n int) bool {
	var claims []string
	for _, i := range items {
		if i.Sentence == n && i.Status == statusClaim {
			claims = append(claims, i.Claim)
		}
	}
	return claims == nil || numbersOf(r.sentences[n-1]).in(numbersOf(claims...))
}

func (p part) missing(batch []int) []int {
	return slices.DeleteFunc(slices.Clone(batch), func(n int) bool {
		return slices.ContainsFunc(p.items, func(i claimItem) bool { return i.Sentence == n })
	})
}

// ask makes one call, and one for each half of the sentences if the reply breaks off.
func (r *reader) ask(ctx context.Context, batch []int, again string) (part, error) {
	const before = 3
	d := claimsData{Question: r.subject.Question, Again: again}
	first := batch[0] - 1
	d.Before = strings.Join(r.sentences[max(0, first-before):first], " ")
	for _, n := range batch {
		d.Sentences = append(d.Sentences, sentenceData{ID: n, Text: r.sentences[n-1]})
	}
	a, err := r.model.Put(ctx, r.subject, d, decoded(func(reply itemsOf[claimItem]) error {
		for i, item := range reply.Items {
			if !slices.Contains(batch, item.Sentence) {
				return fmt.Errorf("item %d: sentence %d: want the number of a sentence of the material", i+1, item.Sentence)
			}
			if strings.TrimSpace(item.Claim) == "" {
				return fmt.Errorf("item %d: the claim is blank: want a statement", i+1)
			}
		}
		return nil
	}))
	if len(a.Items) > 0 && a.Listed(err) != nil && again == "" && len(batch) > 1 && !judge.Over(ctx, err) {
		// Half of the sentences may fit into a reply.
		var halves [2]part
		for i, half := range [][]int{batch[:len(batch)/2], batch[len(batch)/2:]} {
			if halves[i], err = r.ask(ctx, half, "an earlier reply broke off: every sentence needs at least one item"); err != nil {
				return part{}, err
			}
		}
		return part{kind: kindOf(halves[:]), items: slices.Concat(halves[0].items, halves[1].items)}, nil
	}
	if judge.Over(ctx, err) || a.Listed(err) != nil {
		return part{}, judge.GivesUp(ctx, err)
	}
	object := a.Object
	if object == nil {
		object = a.Partial
	}
	// A kind that cannot be read stays unknown: the claims stand without it.
	var reply struct {
		Kind judge.AnswerKind `json:"kind"`
	}
	_ = json.Unmarshal(object, &reply)
	p := part{whole: true, kind: reply.Kind}
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
	out.Sure = out.Kind != judge.KindUnknown && !slices.ContainsFunc(parts, func(p part) bool { return !p.whole })
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
		case i.Status == statusAmbiguous:
			out.Ambiguous = append(out.Ambiguous, i.Claim)
			out.Sure = false
		case i.Status != statusClaim:
			out.Asides = append(out.Asides, i.Claim)
		case !seen[form]:
			seen[form] = true
			out.Claims = append(out.Claims, judge.Claim{Text: i.Claim, Sentence: i.Sentence})
		}
	}
	return out
}

// kindOf returns the kind of a text from those of its parts. A part that gives
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

// playRead takes every sentence for one claim.
func playRead(r claimsData) object {
	items := []object{}
	declined, told := 0, 0
	for i, s := range r.Sentences {
		status := statusAside
		switch {
		case !standin.Declines(s.Text) && !standin.Greets(s.Text) && s.Text != "":
			status = statusClaim
			told++
		case standin.Declines(s.Text):
			declined++
		}
		items = append(items, object{"id": i + 1, "claim": s.Text, "sentence": s.ID, "status": status})
	}
	kind := "answered"
	switch {
	case len(r.Sentences) == 0:
		kind = "empty"
	case told == 0 && declined > 0:
		kind = "abstained"
	case declined > 0:
		kind = "partial"
	}
	return object{"kind": kind, "items": items}
}
