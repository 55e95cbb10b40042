package question

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
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

const (
	// supports is the share of a claim's words that one sentence must have to
	// bear it out, touches the share from which a sentence that differs in a
	// number or a negation contradicts it, together the share that two
	// sentences must have between them.
	supports, touches, together = 0.7, 0.7, 0.95
)

// playSupport looks for a sentence that has the words of the claim.
func playSupport(r supportData) object {
	sources := make([][]standin.Sentence, len(r.Sources))
	for i, s := range r.Sources {
		sources[i] = standin.Sentences(s.Text)
	}
	items := []object{}
	for _, c := range r.Claims {
		o := r.find(standin.Read(c.Claim), sources, func(i int) bool {
			return len(c.Sources) == 0 || slices.Contains(c.Sources, r.Sources[i].ID)
		})
		o["id"] = c.ID
		if o["against"] == nil {
			o["against"] = []any{}
		}
		items = append(items, o)
	}
	return object{"items": items}
}

// A hit is a sentence of a source.
type hit struct {
	source int
	standin.Sentence
}

func (h hit) quote(r supportData) object {
	return object{"source": r.Sources[h.source].ID, "quote": h.Text}
}

func (r supportData) find(c standin.Reading, sources [][]standin.Sentence, in func(int) bool) object {
	var found, denies []object
	var against []any
	var parts []hit
	most := 0.
	for i, all := range sources {
		if !in(i) {
			continue
		}
		var said, denied *standin.Sentence
		for k, s := range all {
			parts = append(parts, hit{i, s})
			share := c.Share(s.Reading)
			most = max(most, share)
			switch {
			case share >= supports && s.Agrees(c) && said == nil:
				said = &all[k]
			case share >= touches && !s.Agrees(c) && (c.Denies != s.Denies || len(s.Numbers) > 0) && denied == nil:
				denied = &all[k]
			}
		}
		if said != nil {
			found = append(found, hit{i, *said}.quote(r))
		} else if denied != nil {
			denies, against = append(denies, hit{i, *denied}.quote(r)), append(against, r.Sources[i].ID)
		}
	}
	switch {
	case found != nil && denies != nil:
		return object{"verdict": conflict, "quotes": append(found, denies...), "against": against,
			"why": "one sentence has these words, another with another number or a negation", "confidence": 90}
	case found != nil:
		return object{"verdict": "supported", "quotes": found, "why": "a sentence has these words", "confidence": playConfidence(most - supports)}
	case denies != nil:
		return object{"verdict": "contradicted", "quotes": denies, "why": "a sentence has these words with another number or a negation",
			"confidence": playConfidence(most - touches)}
	}
	if two := r.two(c, parts); two != nil {
		return object{"verdict": "supported", "quotes": two, "why": "two sentences have these words between them", "confidence": 80}
	}
	return object{"verdict": "not_found", "quotes": []object{}, "why": "no sentence has these words",
		"confidence": playConfidence(supports - most)}
}

// two looks for two sentences of different sources that have the words and the
// numbers between them: the one that has most, and the one that has most of
// the rest.
func (r supportData) two(c standin.Reading, parts []hit) []object {
	first := mostOf(c, parts, -1)
	if first == nil {
		return nil
	}
	rest := standin.Reading{Words: map[string]bool{}, Numbers: map[string]bool{}}
	for w := range c.Words {
		if !first.Words[w] {
			rest.Words[w] = true
		}
	}
	for n := range c.Numbers {
		if !first.Numbers[n] {
			rest.Numbers[n] = true
		}
	}
	second := mostOf(rest, parts, first.source)
	if second == nil || first.Denies != c.Denies || second.Denies || !second.Has(rest) {
		return nil
	}
	missing := float64(len(rest.Words)) * (1 - rest.Share(second.Reading))
	if len(c.Words) == 0 || 1-missing/float64(len(c.Words)) < together {
		return nil
	}
	return []object{first.quote(r), second.quote(r)}
}

func mostOf(c standin.Reading, parts []hit, not int) *hit {
	var out *hit
	most := 0.
	for i, p := range parts {
		if share := c.Share(p.Reading); p.source != not && share > most {
			out, most = &parts[i], share
		}
	}
	return out
}
