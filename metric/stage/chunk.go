package stage

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

const (
	chunkEdge = "A chunk is relevant when it contains a labelled passage, is contained in one, or covers half of one; in a case without labelled passages, when its document is labelled 1 or more. " +
		"Chunks of all sub-questions count together, each once. Not applicable when a case has neither label, or nothing relevant, when the chunks carry no text to compare, or when the trace does not tell of the stage. "
	ownChunk = "own definition: set measures over what a stage puts out, with relevance as in passage_recall(match=coverage) and src_recall"

	noRelevance = "the case has neither labelled passages nor documents"
	noRelevant  = "nothing is labelled relevant"
	noChunkText = "the chunks carry no text"
	// tolerance is the share of a labelled passage that a chunk must cover to
	// match it, as in passage_recall(match=coverage).
	tolerance = 0.5
)

var stageParam = []metric.Param{{
	Name: "stage", Doc: "whose output is meant: what was retrieved, or what the filter kept of it",
	Default: assay.StageRetrieve, Values: []string{assay.StageRetrieve, assay.StageFilter},
}}

// chunks defines a metric of what a stage put out.
func chunks(d metric.Def, value func(relevance) assay.Score) *metric.Def {
	d.Reads, d.Params = metric.ReadPassages, stageParam
	d.Edges, d.Source = strings.TrimSpace(chunkEdge+d.Edges), ownChunk
	d.New = func(p metric.Params) metric.Func {
		at := p.Word("stage")
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			passages, ok := output(in.Response, at)
			if !ok {
				return assay.None("the trace does not tell what the stage " + at + " put out"), nil
			}
			r, why := judged(in.Case.Want, passages)
			if why != "" {
				return assay.None(why), nil
			}
			return value(r), nil
		}
	}
	return define(d)
}

// output gives what a stage put out. Without a filter and without a trace of
// the retriever, the passages of the response are what was retrieved.
func output(r *assay.Response, stage string) ([]assay.Passage, bool) {
	if ps, ok := r.StagePassages(stage); ok {
		return ps, true
	}
	if stage == assay.StageRetrieve && r.Passages != nil && len(r.Stages(assay.StageFilter)) == 0 {
		return assay.Interleave([][]assay.Passage{r.Passages}), true
	}
	return nil, false
}

// A relevance tells which passages are relevant, and what of the labels they
// find.
type relevance struct {
	// of tells of each passage whether it is relevant.
	of []bool
	// found of want labels are found by some passage; missing lists the others.
	found, want int
	missing     []assay.Evidence
}

// overlap counts passages and labels that belong together. There is a label
// wherever there is a relevance, so that no measure of it is undefined.
func (r relevance) overlap() Overlap {
	o := Overlap{Listed: float64(len(r.of)), Found: float64(r.found), Labels: float64(r.want)}
	for _, is := range r.of {
		if is {
			o.Relevant++
		}
	}
	return o
}

// judged tells the relevance of passages by the labels; why is not empty when
// there is none to tell.
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
		if label, ok := assay.Label(w.Documents, p.Document, p.Source); ok && w.Documents[label] >= 1 {
			r.of[i], found[label] = true, true
		}
	}
	r.tally(found)
	return r, ""
}

// judgedByText tells the relevance of passages by the labelled texts.
func judgedByText(want []string, passages []assay.Passage) (r relevance, why string) {
	if len(want) == 0 {
		return r, noRelevant
	}
	r.of = make([]bool, len(passages))
	forms := make([]string, len(passages))
	some := len(passages) == 0
	for i, p := range passages {
		forms[i] = text.MatchForm(p.Text)
		some = some || forms[i] != ""
	}
	if !some {
		return r, noChunkText
	}
	found := make(map[string]bool, len(want))
	for _, w := range want {
		form, least := text.MatchForm(w), text.MatchLengthFor(w)
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
