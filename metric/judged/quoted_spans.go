package judged

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// The least length of a quotation; names and terms in quotes are shorter.
const (
	quotedWords = 3
	quotedRunes = 8
)

// QuotedSpans is the share of quotations that a passage holds word for word.
var QuotedSpans = define(metric.Def{
	Name:  "quoted_spans",
	Title: "Quotations found",
	Doc: "How many of the answer's quotations a passage that the answer cites holds word for word, with the other quotations listed. " +
		"It needs no judge.",
	Formula: "quotations found in a cited passage / quotations; " +
		"a quotation is text in double quotes of at least 3 words or 8 CJK characters",
	Edges: "If the answer cites no passage by number, all of them are searched. " +
		"Compared after NFKC and case folding, without the punctuation at a quotation's ends; the parts around an ellipsis are searched " +
		"separately. " +
		"An answer without a quotation has no value, and neither have passages without text; if nothing was retrieved it scores 0. " +
		"Recognised are \"…\", “…”, „…“, «…», 「…」 and 『…』 within a paragraph, not single quotes.",
	Source: "Ragas quoted_spans, which scores 0 without quotations",
	Group:  metric.Grounding,
	Reads:  readsBoth,
}, func(in metric.Input, _ metric.Params) (assay.Score, error) {
	quotes := quotations(in.Response.Answer)
	if len(quotes) == 0 {
		return assay.None("the answer quotes nothing"), nil
	}
	return search(in, func(t *tally) {
		passages := citedPassages(in.Response)
		for i, p := range passages {
			passages[i] = text.MatchForm(p)
		}
		for _, q := range quotes {
			t.found("not found", q, occurs(q, passages))
		}
	}), nil
})

// search is the share of texts that count finds in the passages, which may be
// none but do not all lack text.
func search(in metric.Input, count func(*tally)) assay.Score {
	if len(in.Response.Passages) > 0 && !hasText(in.Response.Passages) {
		return assay.None(assay.NoTexts)
	}
	var t tally
	count(&t)
	s := t.score()
	if len(in.Response.Passages) == 0 {
		s.Reason = nothing
	}
	return s
}

// found counts a text that was searched for, and notes it if it was not found.
func (t *tally) found(kind, text string, found bool) {
	t.add(1, indicator(found), true)
	if !found {
		t.note(kind, text, "")
	}
}

// citedPassages returns the texts of the passages that the answer cites, or of
// all if it cites none.
func citedPassages(r *assay.Response) []string {
	cited := make([]bool, len(r.Passages))
	any := false
	for _, c := range question.Cite(r.Answer, len(r.Passages)) {
		for _, p := range c.Cites {
			cited[p], any = true, true
		}
	}
	var out []string
	for i, p := range r.Passages {
		if cited[i] || !any {
			out = append(out, p.Text)
		}
	}
	return out
}

var (
	// quoted matches text in double quotes within a paragraph.
	quoted   = lazyregexp.New(`"([^"“”]+)"|[“„]([^“”„]+)[”“]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』`)
	ellipsis = lazyregexp.New(`\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…+|\.{3,})\s*`)
	citation = lazyregexp.New(`\s*[\[【]\d{1,3}(?:[\s,;–-]+\d{1,3})*[\]】]`)
)

// quotations returns the quotations of an answer that are long enough.
func quotations(answer string) []string {
	var out []string
	for paragraph := range strings.SplitSeq(answer, "\n\n") {
		for _, m := range quoted().FindAllStringSubmatch(paragraph, -1) {
			q := strings.TrimSpace(citation().ReplaceAllString(strings.Join(m[1:], ""), ""))
			if longEnough(q) {
				out = append(out, q)
			}
		}
	}
	return out
}

func longEnough(q string) bool {
	han := 0
	for _, r := range q {
		if text.IsCJK(r) {
			han++
		}
	}
	return han >= quotedRunes || han == 0 && len(strings.Fields(q)) >= quotedWords
}

// occurs reports whether one passage holds every part of a quotation.
func occurs(quote string, passages []string) bool {
	parts := ellipsis().Split(quote, -1)
	for i, p := range parts {
		parts[i] = text.MatchForm(strings.Trim(p, " \t\n.,;:!?。，、；：！？"))
	}
	for _, p := range passages {
		found := true
		for _, part := range parts {
			found = found && strings.Contains(p, part)
		}
		if found {
			return true
		}
	}
	return false
}
