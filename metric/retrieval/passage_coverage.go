package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// PassageCoverage is how much of the reference passages was retrieved.
var PassageCoverage = passages(metric.Def{
	Name:  "passage_coverage",
	Title: "Passage coverage",
	Doc:   "How much of the text of the reference passages is in what was retrieved, also when chunk borders cut it.",
	Formula: "mean over reference passages of the share of its runes that lie in stretches of at least min_len " +
		"runes which some chunk among the first k has too",
	Source: "own definition: common blocks of at least min_len runes",
	Cutoff: metric.RequiredCutoff,
	Params: passageParams[:1],
}, func(m *matches, _ int) assay.Score {
	sum := 0.0
	var partly []assay.Evidence
	for i, w := range m.want {
		c := text.Coverage(w, m.chunks, m.min[i])
		sum += c
		if c < 1 {
			kind := "partly"
			if c == 0 {
				kind = "missing"
			}
			partly = append(partly, assay.Evidence{Kind: kind, Text: w})
		}
	}
	s := assay.Value(sum / float64(len(m.want)))
	s.Evidence = partly
	return s
})
