package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// goldPassages returns the right passages of the facts: those of the index that carry
// them, else the labelled texts. ok is false if some fact has none.
func (a *Attributor) goldPassages(facts []fact) (gold []assay.Passage, ok bool) {
	each := make([][]assay.Passage, len(facts))
	for i := range facts {
		f := &facts[i]
		if f.kind == keyword || f.kind == answer {
			// Many passages have a word, few of them as the answer.
			return nil, false
		}
		each[i], _ = a.library.lookup(f)
		if len(each[i]) > 0 {
			continue
		}
		switch {
		case f.kind == passage:
			each[i] = []assay.Passage{{ID: fmt.Sprintf("labelled passage %d", f.at+1), Text: f.text}}
		case f.kind == point && f.source.Text != "":
			each[i] = []assay.Passage{f.source}
		default:
			return nil, false
		}
	}
	// The first passage of each fact comes before the second of any.
	return assay.Interleave(each), len(facts) > 0
}

// goldFirst puts the right passages before the others of a list and cuts it to its
// length, so that nothing else changes: the right passages alone would remove noise too,
// and blame the retriever for it. The list always has room for the first least of them.
func goldFirst(gold, list []assay.Passage, least int) []assay.Passage {
	out := slices.Clone(gold)
	for _, p := range list {
		if !slices.ContainsFunc(gold, p.Same) {
			out = append(out, p)
		}
	}
	return out[:min(len(out), max(len(list), least))]
}

// lists returns the output of a stage for each of n sub-questions; if the trace has
// another number of lists, the whole output for each.
func lists(r *assay.Response, stage string, n int) [][]assay.Passage {
	each, ok := r.StagePassagesEach(stage)
	if ok && len(each) == n {
		return each
	}
	all := assay.Interleave(each)
	if !ok {
		all = r.Used()
	}
	out := make([][]assay.Passage, n)
	for i := range out {
		out[i] = all
	}
	return out
}

// goldAnswer returns an answer that is right by the labels, "" if there is none.
func goldAnswer(w assay.Want) string {
	switch {
	case w.Ideal != nil && strings.TrimSpace(w.Ideal.Answer) != "":
		return w.Ideal.Answer
	case len(w.Answers) > 0 && len(w.Keywords) == 0:
		return w.Answers[0]
	case len(w.Answers) == 0 && len(w.Keywords) == 0:
		return ""
	}
	// All labels at once: the reference answer, and a form of every keyword.
	parts := slices.Clone(w.Answers[:min(len(w.Answers), 1)])
	for _, k := range w.Keywords {
		first, _, _ := strings.Cut(k, "|")
		parts = append(parts, strings.TrimSpace(first))
	}
	return strings.Join(parts, "\n")
}
