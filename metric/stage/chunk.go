package stage

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

const (
	chunkEdge = "A chunk is relevant if it contains a labelled passage, is contained in one, or covers half of one; " +
		"in a case without labelled passages, if its document is labelled 1 or more. " +
		"Chunks of all sub-questions count together, each once. Not applicable if a case has neither label, or nothing relevant, " +
		"if a chunk has no text to compare, or if the trace does not report the stage. "
	ownChunk = "own definition: set measures of the output of a stage, with relevance as in passage_recall(match=coverage) and src_recall"

	noRelevance = "the case has neither labelled passages nor documents"
	noRelevant  = "nothing is labelled relevant"
	noChunkText = "some chunks have no text; report the text of each passage"
	// tolerance is the share of a labelled passage that a chunk must cover to
	// match it, as in passage_recall(match=coverage).
	tolerance = 0.5
)

// ChunkPrecision is the share of relevant chunks in the output of a stage.
var ChunkPrecision = chunks(metric.Def{
	Name:  "chunk_precision",
	Title: "Chunk precision",
	Doc: "How much of the output of a stage is relevant: " +
		"of the retriever, or with chunk_precision(stage=filter) of the filter.",
	Formula: "relevant chunks / chunks",
	Edges:   "A stage without output scores 0.",
}, func(r relevance) assay.Score {
	v, _ := r.overlap().Precision()
	return assay.Value(v)
})

// ChunkRecall is the share of labelled passages or documents in the output of a stage.
var ChunkRecall = chunks(metric.Def{
	Name:  "chunk_recall",
	Title: "Chunk recall",
	Doc: "How many of the labelled passages, or relevant documents, are in the output of a stage: " +
		"of the retriever, or with chunk_recall(stage=filter) of the filter.",
	Formula: "labels that some chunk is relevant for / labels",
	Edges:   "A stage without output scores 0.",
}, func(r relevance) assay.Score {
	v, _ := r.overlap().Recall()
	s := assay.Value(v)
	s.Evidence = r.missing
	return s
})

// ChunkF1 is the harmonic mean of chunk_precision and chunk_recall.
var ChunkF1 = chunks(metric.Def{
	Name:  "chunk_f1",
	Title: "Chunk F1",
	Doc: "Precision and recall of the output of a stage in one number: " +
		"of the retriever, or with chunk_f1(stage=filter) of the filter.",
	Formula: "2 P R / (P + R), with P chunk_precision and R chunk_recall of the same stage",
	Edges:   "Both 0 give 0.",
}, func(r relevance) assay.Score {
	v, _ := r.overlap().F1()
	return assay.Value(v)
})

// chunks defines a metric of the output of a stage.
func chunks(d metric.Def, value func(relevance) assay.Score) *metric.Def {
	d.Reads, d.Documents = metric.ReadPassages, assay.ByPassages
	d.Params = []metric.Param{{
		Name: "stage", Doc: "whose output is scored: the retriever's, or the filter's",
		Default: assay.StageRetrieve, Values: []string{assay.StageRetrieve, assay.StageFilter},
	}}
	d.Edges, d.Source = chunkEdge+d.Edges, ownChunk
	return define(d, func(in metric.Input, p metric.Params) assay.Score {
		passages, ok := output(in.Response, p.Word("stage"))
		if !ok {
			return assay.None("the trace does not report the output of the stage " + p.Word("stage"))
		}
		r, why := judged(in.Case.Want, passages)
		if why != "" {
			return assay.None(why)
		}
		return value(r)
	})
}

// output returns the output of a stage. Without a filter and without a trace of the
// retriever, the passages of the response are what was retrieved.
func output(r *assay.Response, stage string) ([]assay.Passage, bool) {
	if ps, ok := r.StagePassages(stage); ok {
		return ps, true
	}
	if stage == assay.StageRetrieve && r.Passages != nil && len(r.Stages(assay.StageFilter)) == 0 {
		return assay.Interleave([][]assay.Passage{r.Used()}), true
	}
	return nil, false
}

// relevance says which passages are relevant, and which labels they match.
type relevance struct {
	// of says whether each passage is relevant.
	of []bool
	// found of want labels match a passage; missing lists the others.
	found, want int
	missing     []assay.Evidence
}

// overlap counts the relevant passages and the found labels. There is at least one
// label.
func (r relevance) overlap() Overlap {
	o := Overlap{Listed: float64(len(r.of)), Found: float64(r.found), Labels: float64(r.want)}
	for _, is := range r.of {
		if is {
			o.Relevant++
		}
	}
	return o
}

// judged returns the relevance of passages by the labels, or why there is none.
func judged(w assay.Want, passages []assay.Passage) (r relevance, why string) {
	r.of = make([]bool, len(passages))
	switch {
	case w.Passages != nil:
		return judgedByText(w.Passages, passages)
	case w.Documents == nil:
		return r, noRelevance
	}
	found := map[string]bool{}
	for label, grade := range w.Documents {
		if grade >= 1 {
			found[label] = false
		}
	}
	if len(found) == 0 {
		return r, noRelevant
	}
	for i, p := range passages {
		if label, ok := assay.Label(w.Documents, p.ID, p.Document, p.Source); ok && w.Documents[label] >= 1 {
			r.of[i], found[label] = true, true
		}
	}
	r.tally(found)
	return r, ""
}

// judgedByText returns the relevance of passages by the labelled texts.
func judgedByText(want []string, passages []assay.Passage) (r relevance, why string) {
	if len(want) == 0 {
		return r, noRelevant
	}
	r.of = make([]bool, len(passages))
	forms := make([]string, len(passages))
	for i, p := range passages {
		if forms[i] = formOf(p.Text); forms[i] == "" {
			return r, noChunkText
		}
	}
	found := make(map[string]bool, len(want))
	for _, w := range want {
		form, least := formOf(w), text.MatchLengthFor(w)
		found[w] = found[w] || false
		for i, f := range forms {
			if text.Contains(f, form, least) || text.Coverage(form, []string{f}, least) >= tolerance {
				r.of[i], found[w] = true, true
			}
		}
	}
	r.tally(found)
	return r, ""
}

// tally counts the labels that were found.
func (r *relevance) tally(found map[string]bool) {
	for _, label := range slices.Sorted(maps.Keys(found)) {
		r.want++
		if found[label] {
			r.found++
		} else {
			r.missing = append(r.missing, assay.Evidence{Kind: "missing", Text: label})
		}
	}
}
