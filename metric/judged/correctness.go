package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const correctnessEdge = "An answer that declines scores 0, and has the state abstained when the case, or the reference itself, has no answer. " + firstEdge

// bothWays gives the answer's claims held against the reference answer, and the
// reference's against the answer; or the score that stands instead.
func bothWays(in metric.Input) (answer, reference said, err error) {
	reference, err = referenceClaims(in, question.ReferenceAnswer.Of(in.Assessment))
	if err != nil || reference.instead != nil {
		return reference, said{}, err
	}
	if s, declined, err := ifDeclined(in); err != nil || declined {
		return none(s), said{}, err
	}
	answer, err = answerClaims(in, question.AnswerReference.Of(in.Assessment))
	return answer, reference, err
}

// counts adds up how far claims are supported and how far not, and how many of
// them have no ruling.
func (s said) counts() (supported, not, unknown float64) {
	for _, f := range s.findings {
		v, known := credit(f)
		if !known {
			unknown++
			continue
		}
		supported += v
		not += 1 - v
	}
	return supported, not, unknown
}

// bothSides lists the claims of the answer that are wrong, and those of the
// reference that are missing.
func bothSides(answer, reference said) []assay.Evidence {
	return append(answer.unsupported(), reference.missing()...)
}
