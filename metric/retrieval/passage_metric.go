package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// PassageHit is 1 if at least one reference passage was found, else 0.
var PassageHit = passages(metric.Def{
	Name:    "passage_hit",
	Title:   "Passage hit",
	Doc:     "Whether at least one reference passage is in what was retrieved.",
	Formula: "1 if any of the first k chunks matches a reference passage, else 0",
	Cutoff:  metric.RequiredCutoff,
}, func(m *matches, _ int) assay.Score {
	return assay.Value(float64(min(m.countFound(), 1)))
})

// PassageRecall is the share of reference passages that were found.
var PassageRecall = passages(metric.Def{
	Name:  "passage_recall",
	Title: "Passage recall",
	Doc: "How many of the reference passages are in what was retrieved. Read it together with passage_coverage: a " +
		"chunk border through a passage makes it a miss here.",
	Formula: "reference passages that some chunk among the first k matches / reference passages",
	Cutoff:  metric.RequiredCutoff,
}, func(m *matches, _ int) assay.Score {
	s := assay.Value(ratio(m.countFound(), len(m.want)))
	s.Evidence = m.missing()
	return s
})

// PassagePrecision is the share of chunks that match a reference passage.
var PassagePrecision = passages(metric.Def{
	Name:  "passage_precision",
	Title: "Passage precision", Capped: true,
	Doc:     "How many of the first k chunks contain, or are part of, a reference passage.",
	Formula: "chunks among the first k that match any reference passage / k",
	Edges:   "A chunk that repeats a passage counts. The denominator is k even if fewer were returned.",
	Cutoff:  metric.RequiredCutoff,
}, func(m *matches, k int) assay.Score {
	n := 0
	for _, of := range m.of {
		if len(of) > 0 {
			n++
		}
	}
	return assay.Value(float64(n) / float64(k))
})

// PassageMRR is the reciprocal rank of the first chunk that matches a reference passage.
var PassageMRR = passages(metric.Def{
	Name:    "passage_mrr",
	Title:   "Passage MRR",
	Doc:     "How high the first chunk ranks that contains, or is part of, a reference passage.",
	Formula: "1 / rank of the first chunk that matches a reference passage, 0 if there is none",
	Cutoff:  metric.OptionalCutoff,
}, func(m *matches, _ int) assay.Score {
	for i, of := range m.of {
		if len(of) > 0 {
			return assay.Value(1 / float64(i+1))
		}
	}
	return assay.Value(0)
})

// PassageNDCG is nDCG where a chunk is relevant if it matches a new reference passage.
var PassageNDCG = passages(metric.Def{
	Name:  "passage_ndcg",
	Title: "Passage nDCG",
	Doc:   "How close the order of chunks is to one that brings a new reference passage at every rank.",
	Formula: "Σ new / log2(rank + 1) over the first k chunks, divided by the same sum over min(k, reference " +
		"passages) ranks of 1; new is 1 for a chunk that matches a passage not matched above",
	Edges: "A chunk that only repeats earlier passages gains nothing. A chunk that brings several at once gains " +
		"1, so that a ranking of few chunks may stay below 1.",
	Cutoff: metric.OptionalCutoff,
}, func(m *matches, k int) assay.Score {
	sum, best := 0.0, 0.0
	for i, n := range m.novel() {
		sum += float64(n) / Discount(i+1)
	}
	for i := range cutoff(m.want, k) {
		best += 1 / Discount(i+1)
	}
	return assay.Value(sum / best)
})

// PassageCoverage is the share of the text of the reference passages that was retrieved.
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
