package retrieval

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Reach returns how far a run looks for the expected evidence: the largest cutoff of its
// retrieval metrics, 0 if one of them has none, and the lowest grade that all of them count
// as relevant.
func Reach(metrics []metric.Metric) (k, grade int) {
	const all = math.MaxInt
	for _, m := range metrics {
		if m.Def.Needs&(metric.NeedDocuments|metric.NeedPassages) == 0 || m.Def.Reads&metric.ReadPassages == 0 {
			continue
		}
		own, far := 1, m.Params.K
		if m.Params.Word(levelParam.Name) != "" {
			own = level(m.Params)
		}
		if grade == 0 || own < grade {
			grade = own
		}
		if far == 0 {
			far = all
		}
		k = max(k, far)
	}
	if k == all {
		k = 0
	}
	return k, max(1, grade)
}

// Found counts the expected documents and passages of a case among the first k passages of
// a response; k is 0 for all. Documents count from the given grade on, and only if passages
// name their documents; passages count if they are long enough to match, and only if the
// response has the texts. The result is nil if nothing can be counted.
func Found(c *assay.Case, r *assay.Response, k, level int) *assay.Retrieved {
	if r == nil || r.Passages == nil {
		return nil
	}
	out := &assay.Retrieved{K: k}
	in := metric.Input{Case: c, Response: r}
	if len(c.Want.Documents) > 0 && !anonymous(r.Passages) {
		ranking := newRanking(in, byDocument)
		if out.Of = ranking.Relevant(level); k > 0 {
			out.Of = min(out.Of, k)
		}
		out.Found = min(ranking.Found(k, level), out.Of)
		out.Missed = out.Of - out.Found
	}
	if len(c.Want.Passages) > 0 && !slices.ContainsFunc(cutoff(r.Passages, k), func(p assay.Passage) bool { return p.Text == "" }) {
		m := newMatches(in, k, 0, false)
		for i, found := range m.found {
			if utf8.RuneCountInString(m.want[i]) >= m.min[i] {
				out.Of++
			}
			if found {
				out.Found++
			}
		}
	}
	if out.Of == 0 {
		return nil
	}
	return out
}
