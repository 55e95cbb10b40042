package judged

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	noReference      = "the case has no reference answer"
	noClaims         = "the answer makes no claim that can be checked"
	noReferenceClaim = "the reference answer makes no claim that can be checked"
	nothing          = "nothing was retrieved"
)

// rulings are claims with one finding each.
type rulings struct {
	claims   []judge.Claim
	findings []judge.Finding
	// instead is the score where there is nothing to rule on, else nil.
	instead *assay.Score
	// passages is set if the claims are checked against the passages, inAnswer if they are
	// checked against the answer.
	passages, inAnswer bool
	// ofAnswer is set if they are the claims of the answer.
	ofAnswer bool
	response *assay.Response
}

func none(s assay.Score) rulings { return rulings{instead: &s} }

// abstained is the score of an answer without content.
func abstained(k judge.AnswerKind) assay.Score {
	reason := "the answer declines to answer"
	if k == judge.Empty {
		reason = "the answer is empty"
	}
	return assay.Score{State: assay.Abstained, Reason: reason}
}

// A check says which claims are checked against what. What is called InEach tells besides which
// passages support a claim alone; a model is asked apart for that.
type check struct {
	needs   metric.Need
	reads   metric.Part
	asks    judge.Asks
	rulings func(metric.Input, metric.Params) (rulings, error)
}

var (
	answerInPassages = check{
		0, readsBoth, judge.Asks{question.Answer, question.AnswerPassages},
		func(in metric.Input, p metric.Params) (rulings, error) {
			if wantsSingle(p) {
				return answerClaims(in, question.AnswerAlone.Of(in.Assessment), true)
			}
			return answerClaims(in, question.AnswerPassages.Of(in.Assessment), true)
		},
	}
	answerInEach        = held(0, readsBoth, question.Answer, question.AnswerAlone, answerClaims, true)
	answerInTruth       = held(metric.NeedIdeal, metric.ReadAnswer, question.Answer, question.Truth, answerClaims, false)
	referenceInPassages = held(metric.NeedAnswers, metric.ReadPassages, question.Reference, question.ReferencePassages, referenceClaims, true)
	referenceInEach     = held(metric.NeedAnswers, metric.ReadPassages, question.Reference, question.ReferenceAlone, referenceClaims, true)
)

// held checks the claims of a reading by the findings of one question.
func held(needs metric.Need, reads metric.Part, reading judge.AnyQuestion, of *judge.Question[[]judge.Finding],
	claims func(metric.Input, judge.Part[[]judge.Finding], bool) (rulings, error), passages bool) check {
	return check{needs, reads, judge.Asks{reading, of}, func(in metric.Input, _ metric.Params) (rulings, error) {
		return claims(in, of.Of(in.Assessment), passages)
	}}
}

// define adds a metric of the rulings. score is called if there are any.
func (c check) define(d metric.Def, score func(metric.Input, metric.Params, rulings) assay.Score) *metric.Def {
	d.Needs, d.Reads, d.Asks = c.needs, c.reads, c.asks
	return define(d, func(in metric.Input, p metric.Params) (assay.Score, error) {
		r, err := c.rulings(in, p)
		if err != nil || r.instead != nil {
			return r.score(), err
		}
		return score(in, p, r), nil
	})
}

// score is the score where there is nothing to rule on, or the zero Score.
func (r rulings) score() assay.Score {
	if r.instead == nil {
		return assay.Score{}
	}
	return *r.instead
}

// answerClaims returns the claims of the answer with the findings of a part,
// which are about the passages or about another text.
func answerClaims(in metric.Input, part judge.Part[[]judge.Finding], passages bool) (rulings, error) {
	r, err := question.Answer.Of(in.Assessment).Get()
	switch {
	case err != nil:
		return rulings{}, err
	case r.Kind.Declines():
		return none(abstained(r.Kind)), nil
	case len(r.Claims) == 0:
		return none(assay.None(noClaims)), nil
	}
	out, err := withFindings(in, r.Claims, part, passages)
	out.ofAnswer = true
	return out, err
}

// referenceClaims is answerClaims for the claims of the reference answer. The findings are
// about the passages or about the answer.
func referenceClaims(in metric.Input, part judge.Part[[]judge.Finding], passages bool) (rulings, error) {
	r, err := question.Reference.Of(in.Assessment).Get()
	switch {
	case len(in.Case.Want.Answers) == 0:
		return none(assay.None(noReference)), nil
	case err != nil:
		return rulings{}, err
	case len(r.Claims) == 0 || r.Kind.Declines():
		return none(assay.None(noReferenceClaim)), nil
	}
	out, err := withFindings(in, r.Claims, part, passages)
	out.inAnswer = !passages
	return out, err
}

// withFindings adds the findings. The judge is not asked about passages without
// text: where nothing was retrieved, no claim is found.
func withFindings(in metric.Input, claims []judge.Claim, part judge.Part[[]judge.Finding], passages bool) (rulings, error) {
	if passages && !hasText(in.Response.Passages) {
		if len(in.Response.Passages) > 0 {
			return none(assay.None(assay.NoTexts)), nil
		}
		absent := judge.Finding{Verdict: judge.NotFound, Why: nothing}
		return rulings{claims: claims, findings: slices.Repeat([]judge.Finding{absent}, len(claims)), response: in.Response}, nil
	}
	findings, err := part.Get()
	if err != nil {
		return rulings{}, err
	}
	if len(findings) != len(claims) {
		return rulings{}, fmt.Errorf("the judge gave %d rulings on %d claims", len(findings), len(claims))
	}
	return rulings{claims: claims, findings: findings, passages: passages, response: in.Response}, nil
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

// credit is how far a claim is supported, 0 to 1, if that is known.
func credit(f judge.Finding) (v float64, known bool) {
	if f.Verdict == judge.Unknown || math.IsNaN(f.Degree) {
		return 0, false
	}
	return clip(f.Degree), true
}

// supporters returns which of n passages support a claim: those that do so
// alone, or, if there are none, those that do so together. A passage that
// contradicts the claim is not among them.
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

// single is how far one of n passages alone supports a claim. The partial
// degree that an estimate gives to an unsupported claim counts as single
// support.
func single(f judge.Finding, n int) (v float64, known bool) {
	v, known = credit(f)
	if _, alone := supporters(f, n); f.Verdict == judge.Supported && !alone {
		return 0, known
	}
	return v, known
}

// aloneOnly is the value of the parameter support that asks for single passages.
const aloneOnly = "single"

var supportParam = metric.Param{
	Name: "support", Doc: "whether several passages together may support a claim (joined), or one must do so alone (single)",
	Default: "joined", Values: []string{"joined", aloneOnly}, Asks: map[string]judge.Asks{aloneOnly: {question.AnswerAlone}},
}

// wantsSingle reports whether one passage must support a claim alone.
func wantsSingle(p metric.Params) bool { return p.Word(supportParam.Name) == aloneOnly }

// supportOf returns credit or single, as the parameter says.
func supportOf(p metric.Params, n int) func(judge.Finding) (float64, bool) {
	if wantsSingle(p) {
		return func(f judge.Finding) (float64, bool) { return single(f, n) }
	}
	return credit
}

// mean is the mean worth of the findings, with the claims that kind names as
// evidence.
func (r rulings) mean(worth func(judge.Finding) (float64, bool), kind func(judge.Finding) string) assay.Score {
	t := tally{evidence: r.list(kind)}
	for _, f := range r.findings {
		v, known := worth(f)
		t.add(1, v, known)
	}
	return t.score()
}

// those is the share of the findings that is holds for, with their claims as evidence of the kind.
func (r rulings) those(kind string, is func(judge.Finding) bool) assay.Score {
	return r.mean(func(f judge.Finding) (float64, bool) {
		_, known := credit(f)
		return indicator(is(f)), known
	}, func(f judge.Finding) string {
		if is(f) {
			return kind
		}
		return ""
	})
}
