package judged

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// checkerEdge tells what the metrics of RAGChecker have in common.
const checkerEdge = claimsEdge + nothingEdge + firstEdge + unknownEdge +
	"Support may be joint, so that what follows holds with the headline faithfulness; support=single looks at one passage at a time, as RAGChecker does, and the two differ by multi_chunk_only. "

// A checked claim of an answer is held against the passages and against the
// reference answer.
type checked struct {
	// faithful and right are how far the passages and the reference support it.
	faithful, right           float64
	knowsFaithful, knowsRight bool
	finding                   judge.Finding
}

// compared gives the answer's claims held against both.
func compared(in metric.Input, p metric.Params) (said, []checked, error) {
	if len(in.Case.Want.Answers) == 0 {
		return none(assay.None(noReference)), nil, nil
	}
	grounds, err := answerGrounds(in)
	if err != nil || grounds.instead != nil {
		return grounds, nil, err
	}
	truth, err := answerClaims(in, question.AnswerReference.Of(in.Assessment))
	if err != nil {
		return said{}, nil, err
	}
	faithful := supportOf(p, shown(in))
	out := make([]checked, len(grounds.claims))
	for i := range out {
		c := &out[i]
		c.finding = grounds.findings[i]
		c.faithful, c.knowsFaithful = faithful(c.finding)
		c.right, c.knowsRight = credit(truth.findings[i])
	}
	return grounds, out, nil
}

// product gives a·b where what is not known may not matter: nothing times
// anything is nothing.
func product(a float64, knowsA bool, b float64, knowsB bool) (v float64, known bool) {
	if knowsA && a == 0 || knowsB && b == 0 {
		return 0, true
	}
	return a * b, knowsA && knowsB
}

// checker defines a metric that is the mean of what each claim is worth.
func checker(d metric.Def, worth func(checked) (float64, bool), kind string) *metric.Def {
	d.Edges = checkerEdge + d.Edges
	d.Better = metric.Lower
	d.Needs, d.Reads, d.Asks = metric.NeedAnswers, readsBoth, judge.Asks{question.Answer, question.AnswerPassages, question.AnswerReference}
	d.Params = append(d.Params, supportParam)
	return define(d, func(p metric.Params) formula {
		return func(in metric.Input) (assay.Score, error) {
			s, claims, err := compared(in, p)
			if err != nil || s.instead != nil {
				return s.score(), err
			}
			var t tally
			var evidence []assay.Evidence
			for i, c := range claims {
				v, known := worth(c)
				t.add(1, v, known)
				evidence = noted(evidence, s, i, kind, v, known)
			}
			out := t.score()
			out.Evidence = evidence
			return out, nil
		}
	})
}

// noted adds a claim that counts for more than a half, or that is unknown.
func noted(evidence []assay.Evidence, s said, i int, kind string, v float64, known bool) []assay.Evidence {
	switch {
	case !known:
		kind = "unknown"
	case v <= 0.5:
		return evidence
	}
	return append(evidence, assay.Evidence{Kind: kind, Text: reasoned(s.claims[i].Text, s.findings[i].Why), Where: s.where(i)})
}

// passageNumber names a passage for a reader.
func passageNumber(i int) string { return fmt.Sprintf("passage %d", i+1) }
