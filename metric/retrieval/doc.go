// Package retrieval scores what a target retrieved. Each file has one metric or a
// family of metrics, in three separate groups:
//
//   - document metrics (recall@k, ndcg@k …) compare the ranking of documents
//     with judgments, as trec_eval does;
//   - source metrics (src_recall@k …) compare the documents that chunks come from;
//   - passage metrics (passage_recall@k …) and keyword_recall compare texts.
//
// The formulas of the first group are methods of [Ranking]. This package builds a
// Ranking from a case and its response, metric/treceval builds it from run files.
package retrieval

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

var set metric.Set

// Defs returns the definitions of the package.
func Defs() []*metric.Def { return set.Defs() }

// A Formula scores one ranking.
type Formula func(r *Ranking) assay.Score

// formulas maps the document metrics to their formulas.
var formulas = map[*metric.Def]func(metric.Params) Formula{}

// FormulaOf returns the formula of a document metric, for rankings that do not come
// from a response; ok is false for other metrics.
func FormulaOf(m metric.Metric) (f Formula, ok bool) {
	newFormula, ok := formulas[m.Def]
	if !ok {
		return nil, false
	}
	return newFormula(m.Params), true
}

// documents defines a metric of ranked documents.
func documents(d metric.Def, f func(metric.Params) Formula) *metric.Def {
	d.Group = metric.Retrieval
	d.New = scored(byDocument, "document", f)
	def := define(d)
	formulas[def] = f
	return def
}

// sources defines a metric of ranked sources.
func sources(d metric.Def, f func(metric.Params) Formula) *metric.Def {
	d.Group = metric.Source
	d.New = scored(bySource, "source", f)
	return define(d)
}

func define(d metric.Def) *metric.Def {
	d.Needs, d.Reads, d.Documents = metric.NeedDocuments, metric.ReadPassages, assay.ByDocuments
	d.Edges += " Not applicable if no passage names a document."
	return set.Define(d)
}

// scored builds the function of a metric from a formula and the way passages are
// named. What is the noun for these names in notes.
func scored(by naming, what string, f func(metric.Params) Formula) func(metric.Params) metric.Func {
	return func(p metric.Params) metric.Func {
		formula := f(p)
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			if anonymous(in.Response.Passages) {
				return assay.None(assay.NoNames), nil
			}
			r := newRanking(in, by)
			return noted(formula(&r.Ranking), r.notes(what)), nil
		}
	}
}

// anonymous reports whether there are passages and none of them has a name by which its
// document could be known.
func anonymous(passages []assay.Passage) bool {
	for i := range passages {
		if p := &passages[i]; p.Document != "" || p.Source != "" || p.ID != "" {
			return false
		}
	}
	return len(passages) > 0
}

// noted appends notes to the reason of a score that has a value.
func noted(s assay.Score, notes []string) assay.Score {
	if s.State != assay.Scored {
		return s
	}
	if s.Reason != "" {
		notes = append([]string{s.Reason}, notes...)
	}
	s.Reason = strings.Join(notes, "; ")
	return s
}

// levelParam is the parameter of metrics with binary relevance.
var levelParam = metric.Param{Name: "level", Doc: "the lowest grade that counts as relevant", Default: "1", Min: 1, Max: 1000}

func level(p metric.Params) int { return int(p.Number(levelParam.Name)) }

const (
	noRelevant = "no document is judged relevant"
	noResult   = "nothing was retrieved"
	// duplicateEdge says how document metrics treat duplicates.
	duplicateEdge = " A document returned twice keeps its first rank."
	notMeasured   = "Not applicable if no document is judged relevant." + duplicateEdge
)

// binary builds the formula of a metric with binary relevance that is undefined
// without a relevant document.
func binary(value func(r *Ranking, k, level int) float64) func(metric.Params) Formula {
	return func(p metric.Params) Formula {
		k, lv := p.K, level(p)
		return func(r *Ranking) assay.Score {
			if r.Relevant(lv) == 0 {
				return assay.None(noRelevant)
			}
			return assay.Value(value(r, k, lv))
		}
	}
}

// graded builds the formula of a metric with graded relevance that is undefined
// without a relevant document.
func graded(value func(r *Ranking, k int, gain Gain) float64) func(metric.Params) Formula {
	return func(p metric.Params) Formula {
		k, gain := p.K, gains[p.Word(gainParam.Name)]
		return func(r *Ranking) assay.Score {
			if r.Relevant(1) == 0 {
				return assay.None(noRelevant)
			}
			return assay.Value(value(r, k, gain))
		}
	}
}

// ofSet builds the formula of a metric of the whole list that ignores its order
// and is undefined without a relevant document or for an empty list.
func ofSet(value func(r *Ranking, p metric.Params, level int) float64) func(metric.Params) Formula {
	return func(p metric.Params) Formula {
		lv := level(p)
		return func(r *Ranking) assay.Score {
			switch {
			case r.Relevant(lv) == 0:
				return assay.None(noRelevant)
			case r.Len() == 0:
				return assay.None(noResult)
			}
			return assay.Value(value(r, p, lv))
		}
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
