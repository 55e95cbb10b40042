package judged

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// CitationPrecision is the share of citations that bear their sentence out.
var CitationPrecision = define(metric.Def{
	Name:    "citation_precision",
	Title:   "Citation precision",
	Doc:     "How many of the answer's citations are right: the sentence is borne out by what it cites, and not without this one. Citing everything does not pay.",
	Formula: "citations c of a sentence that what it cites supports, where c supports it alone or the others do not without c / citations",
	Edges:   citationEdge + "An answer that cites nothing has no value, and a citation_recall of 0. " + unknownEdge,
	Source:  alce + ", which drops sentences with a wrong number from the denominator",
	Reads:   readsBoth,
	Asks:    judge.Asks{question.Answer, question.Citations},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		sentences, instead, err := citings(in)
		switch {
		case err != nil || instead != nil:
			return scoreOf(instead), err
		case !cites(sentences):
			return assay.None("the answer cites nothing"), nil
		}
		var t tally
		var evidence []assay.Evidence
		for _, c := range sentences {
			for _, p := range c.Cites {
				v := 0.0
				if c.needed(p) {
					v = c.supported
				}
				t.add(1, v, c.known)
				if c.known && v < 0.5 {
					kind := "unsupported"
					if c.supported >= 0.5 {
						kind = "redundant"
					}
					evidence = append(evidence, assay.Evidence{Kind: kind, Text: reasoned(start(c.Text), c.Finding.Why), Where: fmt.Sprintf("sentence %d, [%d]", c.Sentence, p+1)})
				}
			}
			for _, n := range c.Invalid {
				t.add(1, 0, true)
				evidence = append(evidence, assay.Evidence{Kind: "no such passage", Text: start(c.Text), Where: fmt.Sprintf("sentence %d, [%d]", c.Sentence, n)})
			}
		}
		s := t.score()
		s.Evidence = evidence
		return s, nil
	}
})
