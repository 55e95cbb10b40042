package judged

import (
	"regexp"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// What is long enough to be a quotation, not a name or a term in quotes.
const (
	quotedWords = 3
	quotedRunes = 8
)

// QuotedSpans is the share of quotations that are in a passage word for word.
var QuotedSpans = define(metric.Def{
	Name:    "quoted_spans",
	Title:   "Quotations found",
	Doc:     "How many of the answer's quotations stand word for word in a passage that the answer cites, with those that do not listed. It needs no judge.",
	Formula: "quotations found in a cited passage / quotations; a quotation is what stands in double quotes and has at least 3 words or 8 CJK characters",
	Edges: "Where the answer cites no passage by number, all of them are searched. Compared after NFKC and case folding, without the punctuation at a quotation's ends; the parts around an ellipsis are searched each. " +
		"An answer without a quotation has no value, nor have passages without text; with nothing retrieved it scores 0. Read are \"…\", “…”, „…“, «…», 「…」 and 『…』 within a paragraph, no single quotes.",
	Source: "Ragas quoted_spans, which scores 0 without quotations",
	Group:  metric.Grounding,
	Reads:  readsBoth,
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		quotes := quotations(in.Response.Answer)
		switch {
		case len(quotes) == 0:
			return assay.None("the answer quotes nothing"), nil
		case len(in.Response.Passages) > 0 && !hasText(in.Response.Passages):
			return assay.None(noText), nil
		}
		passages := citedPassages(in.Response)
		for i, p := range passages {
			passages[i] = text.MatchForm(p)
		}
		var t tally
		var evidence []assay.Evidence
		for _, q := range quotes {
			v := 0.0
			if occurs(q, passages) {
				v = 1
			} else {
				evidence = append(evidence, assay.Evidence{Kind: "not found", Text: q})
			}
			t.add(1, v, true)
		}
		s := t.score()
		s.Evidence = evidence
		if len(in.Response.Passages) == 0 {
			s.Reason = nothing
		}
		return s, nil
	}
})

// citedPassages gives the texts of the passages that the answer cites, or of
// all when it cites none.
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
	// quoted finds what stands in double quotes, within a paragraph.
	quoted   = regexp.MustCompile(`"([^"“”]+)"|[“„]([^“”„]+)[”“]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』`)
	ellipsis = regexp.MustCompile(`\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…+|\.{3,})\s*`)
	citation = regexp.MustCompile(`\s*[\[【]\d{1,3}(?:[\s,;–-]+\d{1,3})*[\]】]`)
)

// quotations gives what an answer quotes and is long enough.
func quotations(answer string) []string {
	var out []string
	for paragraph := range strings.SplitSeq(answer, "\n\n") {
		for _, m := range quoted.FindAllStringSubmatch(paragraph, -1) {
			q := strings.TrimSpace(citation.ReplaceAllString(strings.Join(m[1:], ""), ""))
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

// occurs reports whether every part of a quotation stands in one passage.
func occurs(quote string, passages []string) bool {
	parts := ellipsis.Split(quote, -1)
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
