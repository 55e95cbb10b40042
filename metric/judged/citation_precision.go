package judged

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// CitationPrecision is the share of citations that support their sentence.
var CitationPrecision = citations(question.CitationsAlone, metric.Def{
	Name:  "citation_precision",
	Title: "Citation precision",
	Doc: "How many of the answer's citations are right: the citations of a sentence support it, and would not without this one. " +
		"Citing everything lowers it.",
	Formula: "citations c of a sentence that its citations support, where c supports it alone or the others do not without c / citations",
	Edges:   "An answer that cites nothing has no value, and a citation_recall of 0. ",
	Source:  alce + ", which drops sentences with a wrong number from the denominator",
}, func(_ metric.Params, sentences []sentence) assay.Score {
	if !cites(sentences) {
		return assay.None(noCitation)
	}
	var t tally
	for _, s := range sentences {
		where := func(n int) string { return fmt.Sprintf("sentence %d, [%d]", s.Sentence, n) }
		for _, p := range s.Cites {
			v, kind := 0.0, "redundant"
			if s.needs(p) {
				v = s.supported
			}
			if s.supported < 0.5 {
				kind = "unsupported"
			}
			t.add(1, v, s.known)
			if s.known && v < 0.5 {
				t.evidence = append(t.evidence, assay.Evidence{Kind: kind, Text: withReason(excerpt(s.Text), s.Finding.Why),
					Where: where(p + 1), Spans: s.spans})
			}
		}
		for _, n := range s.Invalid {
			t.add(1, 0, true)
			t.note("no such passage", excerpt(s.Text), where(n))
		}
	}
	return t.score()
})
