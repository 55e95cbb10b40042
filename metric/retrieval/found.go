package retrieval

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// A Reach is how far a run looks for the expected evidence.
type Reach struct {
	// K is the largest cutoff of its retrieval metrics. Chunks is set if it counts passages: all
	// metrics with that cutoff do.
	K      int
	Chunks bool
	// Level is the lowest grade that all of them count as relevant.
	Level int
}

const everything = math.MaxInt32

// Everywhere looks at all that was retrieved.
var Everywhere = Reach{K: everything, Level: 1}

// ReachOf returns the reach of metrics. One without a cutoff looks at all.
func ReachOf(metrics []metric.Metric) (r Reach) {
	for _, m := range metrics {
		if m.Def.Needs&(metric.NeedDocuments|metric.NeedPassages) == 0 || m.Def.Reads&metric.ReadPassages == 0 {
			continue
		}
		own, k := 1, cmp.Or(m.Params.K, everything)
		if m.Params.Word(levelParam.Name) != "" {
			own = level(m.Params)
		}
		if r.Level == 0 || own < r.Level {
			r.Level = own
		}
		if k > r.K || k == r.K && !m.Def.Chunks {
			r.K, r.Chunks = k, m.Def.Chunks
		}
	}
	if r.Level == 0 {
		return Everywhere
	}
	return r
}

// Found counts the expected documents and passages of a case within reach: all ranks that it has, and
// at least as many as there are expected documents. Documents count only if passages
// name their documents; passages count if they are long enough to match, and only if the
// response has the texts. The result is nil if nothing can be counted.
func Found(c *assay.Case, r *assay.Response, reach Reach) *assay.Retrieved {
	if r == nil || r.Passages == nil {
		return nil
	}
	out := &assay.Retrieved{}
	in := metric.Input{Case: c, Response: r}
	k := reach.K
	if len(c.Want.Documents) > 0 && !anonymous(r.Passages) {
		ranking := newRanking(in, byDocument)
		out.Of = ranking.Relevant(reach.Level)
		k = max(k, out.Of)
		if reach.Chunks {
			first := *r
			first.Passages = cutoff(r.Passages, k)
			ranking = newRanking(metric.Input{Case: c, Response: &first}, byDocument)
		}
		out.Found = ranking.Found(k, reach.Level)
		out.Missed = out.Of - out.Found
	}
	if k < everything {
		out.K = k
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
