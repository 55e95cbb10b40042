package retrieval

import (
	"context"
	"math"
	"strconv"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Ideals returns rankings of which one has the best value of any metric: all judged documents,
// those that are relevant, those that are relevant at a level, and one without a judgment.
func (r *Ranking) Ideals(level int) []*Ranking {
	var out []*Ranking
	for _, grades := range [][]int{r.Judged, r.Judged[:r.Relevant(1)], r.Judged[:r.Relevant(max(1, level))], {Unjudged}} {
		out = append(out, &Ranking{Grades: grades, Judged: r.Judged, MaxGrade: r.MaxGrade})
	}
	return out
}

var byName = sync.OnceValue(func() *metric.Catalog { return metric.NewCatalog(set.Defs()...) })

// Best returns a function of the documents that a case labels and of the highest grade of the
// dataset: the best value that the metric can have; ok is false if no ranking has one. The
// function is nil for metrics that labels of documents alone do not bound.
func Best(name string) func(labels map[string]int, top int) (best float64, ok bool) {
	m, err := byName().Parse(name)
	if err != nil || m.Def.Needs != metric.NeedDocuments {
		return nil
	}
	lv, _ := strconv.Atoi(m.Params.Word(levelParam.Name))
	return func(labels map[string]int, top int) (best float64, ok bool) {
		judged := Ranking{Judged: judgedGrades(labels)}
		// Documents of equal grades are alike.
		named := make(map[string]int, len(labels))
		for i, grade := range judged.Judged {
			named[strconv.Itoa(i)] = grade
		}
		in := metric.Input{Case: &assay.Case{Want: assay.Want{Documents: named}}, MaxGrade: top}
		for _, ideal := range judged.Ideals(lv) {
			in.Response = &assay.Response{Passages: make([]assay.Passage, len(ideal.Grades))}
			for i, grade := range ideal.Grades {
				in.Response.Passages[i].Document = strconv.Itoa(i)
				if grade == Unjudged {
					in.Response.Passages[i].Document = "none"
				}
			}
			s := m.Score(context.Background(), in)
			if s.State == assay.Scored && (!ok || s.Value > best == (m.Def.Better == metric.Higher)) {
				best, ok = s.Value, true
			}
		}
		if end := m.Def.Range[1]; m.Def.Better == metric.Higher && math.Abs(best-end) < 1e-9 {
			best = end // a sum is rounded
		}
		return best, ok
	}
}
