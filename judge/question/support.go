package question

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
)

// SupportInput is claims, and the sources that they are compared with.
type SupportInput struct {
	Claims  []judge.Claim
	Sources []judge.Source
}

// Support rules for each claim whether the sources bear it out. Which of them do so by
// themselves a model is asked apart, if it quotes several: see [Alone].
var Support = task(judge.Task[SupportInput, []judge.Finding]{
	Name: "support", Version: "v4", Model: support, SaysSure: true,
	Combine: judge.Each[SupportInput, judge.Finding]{
		Ballot: judge.Ballot[judge.Finding]{
			Label: func(f judge.Finding) (float64, string, bool) {
				return float64(f.Verdict), f.Why, f.Verdict != judge.Unknown
			},
			Unknown: unknownFinding,
			Votes:   func(f *judge.Finding) *judge.Votes { return &f.Votes },
		},
		Len: func(in SupportInput) int { return len(in.Claims) },
		Some: func(in SupportInput, items []int) SupportInput {
			return SupportInput{judge.Pick(in.Claims, items), in.Sources}
		},
	},
	StandIn: played(playSupport),
})

type supportData struct {
	Question string       `json:"question"`
	Sources  []sourceData `json:"sources"`
	Claims   []claimData  `json:"claims"`
}

type sourceData struct {
	ID   int    `json:"id"`
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

type claimData struct {
	ID      int    `json:"id"`
	Claim   string `json:"claim"`
	Sources []int  `json:"sources,omitempty"`
	Again   string `json:"again,omitempty"`
}

type supportItem struct {
	ruled
	Quotes []struct {
		Source int    `json:"source"`
		Quote  string `json:"quote"`
	} `json:"quotes"`
	// Against are the sources that say otherwise, if the sources conflict.
	Against []int  `json:"against"`
	Verdict string `json:"verdict"`
}

// The verdicts of a reply that say more than one of [judge.Verdict]: where the sources
// conflict the claim is supported, where they say a part of it it is not found.
const (
	conflict = "conflict"
	partly   = "partly"
)

// verdicts are the words of a reply with what they mean for a claim.
var verdicts = map[string]judge.Verdict{
	"supported": judge.Supported, "contradicted": judge.Contradicted, "not_found": judge.NotFound,
	conflict: judge.Supported, partly: judge.NotFound,
}

// agrees wants the same verdict by the same sources.
func (i supportItem) agrees(o supportItem) bool {
	return i.Verdict == o.Verdict && slices.Equal(i.says(), o.says())
}

// says lists the sources that are quoted and do not say otherwise, in ascending order.
func (i supportItem) says() []int {
	var out []int
	for _, q := range i.Quotes {
		if !slices.Contains(i.Against, q.Source) {
			out = append(out, q.Source)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// support rules on claims, twenty a call. A verdict other than not found stands
// only with a quote that its source holds, and a conflict with one of each side;
// one without is asked for once more, and unknown after that. Claims that are the same are
// asked about once. A claim within no source is not found, without a call.
func support(ctx context.Context, m judge.Asker, s judge.Subject, in SupportInput) ([]judge.Finding, error) {
	h := newMatter(in.Claims, in.Sources)
	out, err := collect(ctx, m, list[supportItem, judge.Finding]{
		subject: s, rulings: make([]judge.Finding, len(in.Claims)), numbers: h.asked, size: batchSize, unknown: unknownFinding,
		data: func(numbers []int, again map[int]string) any { return h.data(s, numbers, again, m.Draw()) },
		ruling: func(n int, r supportItem, again bool) (judge.Finding, string) {
			f, reason := h.finding(n, r)
			f.Sure = reason == "" && !again && confident(r.Confidence) && h.fits(n, f)
			return f, reason
		},
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		switch first := h.same[i]; {
		case first < 0:
			out[i] = judge.Finding{Verdict: judge.NotFound, Why: "there is no text to find it in"}
		case first != i:
			out[i] = out[first].Clone()
		}
	}
	return out, nil
}

func unknownFinding(why string) judge.Finding { return judge.Finding{Why: why} }

// A matter is what one task of support works on.
type matter struct {
	claims  []judge.Claim
	sources []judge.Source
	// texts are the sources as quotes are looked for in them, numbers what numbers they
	// hold, once that was asked.
	texts   []quotable
	numbers []numberSet
	// same returns for each claim the first that says the same of the same
	// sources, -1 if no source may be looked in.
	same []int
	// asked are the numbers of the claims that are asked about.
	asked []int
}

func newMatter(claims []judge.Claim, sources []judge.Source) *matter {
	h := &matter{claims: claims, sources: sources, texts: make([]quotable, len(sources)),
		numbers: make([]numberSet, len(sources)), same: make([]int, len(claims))}
	for i, s := range sources {
		h.texts[i] = newQuotable(s.Text)
	}
	first := map[string]int{}
	for i, c := range claims {
		within := h.within(i)
		if len(within) == 0 {
			h.same[i] = -1
			continue
		}
		key := fmt.Sprintf("%v %s", within, c.Text)
		at, known := first[key]
		if !known {
			at = i
			first[key] = i
			h.asked = append(h.asked, i+1)
		}
		h.same[i] = at
	}
	return h
}

// within lists the sources that a claim is compared with and that say anything.
func (h *matter) within(claim int) []int {
	out := []int{}
	for i := range h.sources {
		if w := h.claims[claim].Within; w != nil && !slices.Contains(w, i) || strings.TrimSpace(h.sources[i].Text) == "" {
			continue
		}
		out = append(out, i)
	}
	return out
}

// data writes the question about some claims, with the sources that they need.
func (h *matter) data(s judge.Subject, numbers []int, again map[int]string, draw int) supportData {
	d := supportData{Question: s.Question}
	needed := map[int]bool{}
	for _, n := range numbers {
		c := claimData{ID: n, Claim: h.claims[n-1].Text, Again: again[n]}
		for _, i := range h.within(n - 1) {
			needed[i] = true
			if h.claims[n-1].Within != nil {
				c.Sources = append(c.Sources, i+1)
			}
		}
		d.Claims = append(d.Claims, c)
	}
	for i, source := range h.sources {
		if needed[i] {
			d.Sources = append(d.Sources, sourceData{ID: i + 1, Name: source.Name, Text: source.Text})
		}
	}
	d.Sources = turn(d.Sources, draw)
	return d
}

// finding checks a reply. The reason says why it cannot be relied on.
func (h *matter) finding(n int, r supportItem) (judge.Finding, string) {
	f := judge.Finding{Verdict: verdicts[r.Verdict], Why: r.Why}
	if f.Verdict == judge.Supported {
		f.Degree = 1
	}
	if r.Verdict == "not_found" {
		return f, ""
	}
	quotes := h.quotes(n, r)
	if len(quotes) == 0 {
		return judge.Finding{}, fmt.Sprintf("it was ruled %q, but no quote stands word for word in a source that the claim is held against",
			r.Verdict)
	}
	switch r.Verdict {
	case conflict, "supported":
		for _, q := range quotes {
			if slices.Contains(r.Against, q.Source+1) {
				f.Contrary = append(f.Contrary, q)
			} else {
				f.Quotes = append(f.Quotes, q)
			}
		}
		switch {
		case r.Verdict == conflict && (f.Quotes == nil || f.Contrary == nil):
			return judge.Finding{}, `it was ruled "conflict": want a quote of a source that says the claim, and one of a source that says ` +
				`otherwise, whose number is in "against"`
		case r.Verdict != conflict && f.Contrary != nil:
			return judge.Finding{}, `it was ruled "supported", but a source that is quoted is in "against": want "conflict", or "against": []`
		}
		// Where the reply names one source alone, that one suffices; one of two quotes that its
		// source does not hold leaves that open.
		if f.Singly = len(r.says()) == 1 || len(h.within(n-1)) == 1; f.Singly {
			f.Quotes[0].Alone = true
		}
	case partly:
		f.Parts = quotes
	default:
		f.Quotes = quotes
	}
	return f, ""
}

// quotes returns the quotes of a reply that their sources hold, one a source.
func (h *matter) quotes(n int, r supportItem) (out []judge.Quote) {
	allowed := h.within(n - 1)
	for _, q := range r.Quotes {
		i := q.Source - 1
		if !slices.Contains(allowed, i) || !h.texts[i].has(q.Quote) {
			continue
		}
		if !slices.ContainsFunc(out, func(k judge.Quote) bool { return k.Source == i }) {
			out = append(out, judge.Quote{Source: i, Text: q.Quote})
		}
	}
	slices.SortStableFunc(out, func(a, b judge.Quote) int { return a.Source - b.Source })
	return out
}

// fits reports whether the numbers of a claim speak for the verdict: of a claim that is
// supported, the quotes have them all; of one that is contradicted, they lack one; of one
// that is not found, no source has them all. A claim without numbers fits.
func (h *matter) fits(n int, f judge.Finding) bool {
	claimed := numbersOf(h.claims[n-1].Text)
	if len(claimed) == 0 {
		return true
	}
	if f.Verdict == judge.NotFound {
		return !slices.ContainsFunc(h.within(n-1), func(i int) bool {
			if h.numbers[i] == nil {
				h.numbers[i] = numbersOf(h.sources[i].Text)
			}
			return claimed.in(h.numbers[i])
		})
	}
	quotes := make([]string, len(f.Quotes))
	for i, q := range f.Quotes {
		quotes[i] = q.Text
	}
	return claimed.in(numbersOf(quotes...)) == (f.Verdict == judge.Supported)
}
