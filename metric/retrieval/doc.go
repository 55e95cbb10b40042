// Package retrieval scores what a target retrieved, one file a metric or a family of
// metrics, in three groups that are kept apart:
//
//   - metrics of documents (recall@k, ndcg@k …) compare the ranking of documents
//     with judgments, as trec_eval does;
//   - metrics of sources (src_recall@k …) look at the documents of chunks;
//   - metrics of passages (passage_recall@k …) and keyword_recall compare texts.
//
// The formulas of the first group are methods of [Ranking], which is built from a case
// and its response here, and from run files in metric/treceval.
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

// formulas are the formulas of the metrics of documents.
var formulas = map[*metric.Def]func(metric.Params) Formula{}

// FormulaOf returns the formula of a metric of documents, for rankings that do not come
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

// sources defines a metric of the ranking of sources.
func sources(d metric.Def, f func(metric.Params) Formula) *metric.Def {
	d.Group = metric.Source
	d.New = scored(bySource, "source", f)
	return define(d)
}

func define(d metric.Def) *metric.Def {
	d.Needs, d.Reads = metric.NeedDocuments, metric.ReadPassages
	return set.Define(d)
}

// scored makes a metric of a formula and the naming of passages, which what
// describes.
func scored(by naming, what string, f func(metric.Params) Formula) func(metric.Params) metric.Func {
	return func(p metric.Params) metric.Func {
		formula := f(p)
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			r := newRanking(in, by)
			return noted(formula(&r.Ranking), r.notes(what)), nil
		}
	}
}

// noted adds notes to the reason of a score that has a value.
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

// levelParam is the parameter of metrics of binary relevance.
var levelParam = metric.Param{Name: "level", Doc: "the lowest grade that counts as relevant", Default: "1", Min: 1, Max: 1000}

func level(p metric.Params) int { return int(p.Number(levelParam.Name)) }

const (
	noRelevant = "no document is judged relevant"
	noResult   = "nothing was retrieved"
	// duplicateEdge says how metrics of documents treat duplicates.
	duplicateEdge = " A document returned twice keeps its first rank."
	notMeasured   = "Not applicable if no document is judged relevant." + duplicateEdge
)

// binary makes the formula of a metric that is undefined without a relevant
// document.
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

// graded makes the formula of a metric of grades that is undefined without a
// relevant document.
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

// ofSet makes the formula of a metric of the whole list, whatever its order,
// that is undefined without a relevant document and for an empty list.
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
