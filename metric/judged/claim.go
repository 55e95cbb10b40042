package judged

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	noReference = "the case has no reference answer"
	noClaims    = "the answer makes no claim that can be checked"
	noMeaning   = "the reference answer makes no claim that can be checked"
	noText      = "the passages have no text"
	nothing     = "nothing was retrieved"
)

// said holds claims with the rulings on them, one each. Where there is nothing
// to rule on, instead is the score.
type said struct {
	claims   []judge.Claim
	findings []judge.Finding
	instead  *assay.Score
	// passages is set when the claims are held against the passages.
	passages bool
}

func none(s assay.Score) said { return said{instead: &s} }

// abstained is the score of a quality of content that there is none of.
func abstained(k judge.AnswerKind) assay.Score {
	reason := "the answer declines to answer"
	if k == judge.Empty {
		reason = "the answer is empty"
	}
	return assay.Score{State: assay.Abstained, Reason: reason}
}

// answerClaims gives the claims of the answer with the findings of a part.
func answerClaims(in metric.Input, part judge.Part[[]judge.Finding]) (said, error) {
	r, err := question.Answer.Of(in.Assessment).Get()
	switch {
	case err != nil:
		return said{}, err
	case r.Kind.Declines():
		return none(abstained(r.Kind)), nil
	case len(r.Claims) == 0:
		return none(assay.None(noClaims)), nil
	}
	return ruled(r.Claims, part)
}

// referenceClaims does so for the reference answer.
func referenceClaims(in metric.Input, part judge.Part[[]judge.Finding]) (said, error) {
	r, err := question.Reference.Of(in.Assessment).Get()
	switch {
	case len(in.Case.Want.Answers) == 0:
		return none(assay.None(noReference)), nil
	case err != nil:
		return said{}, err
	case len(r.Claims) == 0 || r.Kind.Declines():
		return none(assay.None(noMeaning)), nil
	}
	return ruled(r.Claims, part)
}

func ruled(claims []judge.Claim, part judge.Part[[]judge.Finding]) (said, error) {
	findings, err := part.Get()
	if err != nil {
		return said{}, err
	}
	if len(findings) != len(claims) {
		return said{}, fmt.Errorf("the judge gave %d rulings on %d claims", len(findings), len(claims))
	}
	return said{claims: claims, findings: findings}, nil
}

// answerGrounds gives the answer's claims against the passages.
func answerGrounds(in metric.Input) (said, error) {
	r, err := question.Answer.Of(in.Assessment).Get()
	if err == nil && !r.Kind.Declines() && len(r.Claims) > 0 {
		if s, ok := groundless(in, r.Claims); ok {
			return s, nil
		}
	}
	s, err := answerClaims(in, question.AnswerPassages.Of(in.Assessment))
	s.passages = true
	return s, err
}

// referenceGrounds gives the reference's claims against the passages.
func referenceGrounds(in metric.Input) (said, error) {
	r, err := question.Reference.Of(in.Assessment).Get()
	if err == nil && !r.Kind.Declines() && len(r.Claims) > 0 && len(in.Case.Want.Answers) > 0 {
		if s, ok := groundless(in, r.Claims); ok {
			return s, nil
		}
	}
	s, err := referenceClaims(in, question.ReferencePassages.Of(in.Assessment))
	s.passages = true
	return s, err
}

// groundless gives the rulings where there is nothing to look in: what is
// retrieved is nothing, or has no text.
func groundless(in metric.Input, claims []judge.Claim) (said, bool) {
	passages := in.Response.Passages
	if len(passages) == 0 {
		findings := make([]judge.Finding, len(claims))
		for i := range findings {
			findings[i] = judge.Finding{Verdict: judge.NotFound, Why: nothing}
		}
		return said{claims: claims, findings: findings}, true
	}
	if !hasText(passages) {
		return none(assay.None(noText)), true
	}
	return said{}, false
}

func hasText(passages []assay.Passage) bool {
	for _, p := range passages {
		if strings.TrimSpace(p.Text) != "" {
			return true
		}
	}
	return false
}

// shown is the number of passages that the judge saw.
func shown(in metric.Input) int { return min(in.Assessment.Passages, len(in.Response.Passages)) }

// credit gives how far a claim is supported, 0 to 1, when that is known.
func credit(f judge.Finding) (v float64, known bool) {
	if f.Verdict == judge.Unknown || math.IsNaN(f.Degree) {
		return 0, false
	}
	return clip(f.Degree), true
}

// supporters lists which of n passages support a claim: those that do so
// alone, or, when none does, those that do so together. What contradicts a
// claim does not support it.
func supporters(f judge.Finding, n int) (passages []int, alone bool) {
	if f.Verdict == judge.Contradicted {
		return nil, false
	}
	var together []int
	for _, q := range f.Quotes {
		switch {
		case q.Source < 0 || q.Source >= n:
		case q.Alone:
			passages = append(passages, q.Source)
		default:
			together = append(together, q.Source)
		}
	}
	if passages == nil {
		return together, false
	}
	return passages, true
}

// single gives how far a claim is supported by one of n passages alone. What an
// estimate leaves to a claim that is not supported is no joint support.
func single(f judge.Finding, n int) (v float64, known bool) {
	v, known = credit(f)
	if _, alone := supporters(f, n); f.Verdict == judge.Supported && !alone {
		return 0, known
	}
	return v, known
}

// supportParam chooses what bears a claim out.
var supportParam = metric.Param{
	Name: "support", Doc: "whether several passages together may support a claim, or one must do so alone", Default: "joined", Values: []string{"joined", "single"},
}

// supportOf gives the measure that the parameter asks for.
func supportOf(p metric.Params, n int) func(judge.Finding) (float64, bool) {
	if p.Word(supportParam.Name) == "single" {
		return func(f judge.Finding) (float64, bool) { return single(f, n) }
	}
	return credit
}

// tallied is the mean of what each finding is worth.
func tallied(s said, worth func(judge.Finding) (float64, bool)) assay.Score {
	var t tally
	for _, f := range s.findings {
		v, known := worth(f)
		t.add(1, v, known)
	}
	return t.score()
}

// score is the score that stands instead; of no state where there is none.
func (s said) score() assay.Score { return scoreOf(s.instead) }

func scoreOf(instead *assay.Score) assay.Score {
	if instead == nil {
		return assay.Score{}
	}
	return *instead
}
