package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	nuggetSource = "AutoNuggetizer, TREC 2024 RAG (Pradeep et al., SIGIR 2025)"
	nuggetEdge   = "Nuggets are the points of the case's ideal answer. " + pointsEdge + unknownEdge +
		"An estimate of 0.75 and above counts as made. It rewards length, and tells systems apart rather than single answers."
)

// nuggets defines a score over the points of the ideal answer: over the vital
// ones only, and with no credit for a point that is made in part, as asked.
func nuggets(d metric.Def, vital, strict bool) *metric.Def {
	d.Edges = nuggetEdge
	if vital {
		d.Edges = "Without a vital point there is no value: nugget_strict and nugget_all have one. " + nuggetEdge
	}
	d.Source = nuggetSource
	d.Needs, d.Reads, d.Asks = metric.NeedIdeal, metric.ReadAnswer, judge.Asks{question.Points}
	return define(d, func(metric.Params) formula {
		return func(in metric.Input) (assay.Score, error) {
			all, err := points(in)
			if err != nil || len(all) == 0 {
				return assay.None(noPoints), err
			}
			var t tally
			var counted []assigned
			for _, p := range all {
				if vital && !p.Vital {
					continue
				}
				v := p.credit
				if strict {
					v = 0
					if p.credit >= fully {
						v = 1
					}
				}
				t.add(1, v, p.known)
				counted = append(counted, p)
			}
			if counted == nil {
				return assay.None("the ideal answer has no vital point"), nil
			}
			s := t.score()
			s.Evidence = missed(counted)
			return s, nil
		}
	})
}
