package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	idealEdge  = "Scores against different versions of an ideal answer are not comparable. "
	idealOwn   = "own definition: claims against a frozen ideal answer and the passages that it was written from"
	pointsEdge = "An ideal answer without a point gives no value. An empty answer makes none and scores 0. "
	truthDoc   = "the ideal answer or the passages that it was written from"
)

// FactualAccuracy is the share of correct claims among those that the ground
// truth mentions.
var FactualAccuracy = truthShare(metric.Def{
	Name:  "factual_accuracy",
	Title: "Factual accuracy", LabelQuestion: assay.LabelRight,
	Doc: "How much of what the answer claims is right, of what the ground truth mentions at all, with the contradicted claims listed. " +
		"Claims beyond the ground truth do not count, however many there are: see grounded_precision.",
	Formula: "s / (s + c), with s claims of the answer that " + truthDoc + " support, and c those that they contradict",
	Edges:   "Where the ground truth mentions no claim there is no value. ",
}, accuracy)

// GroundedPrecision is the share of claims that the ground truth supports.
var GroundedPrecision = truthShare(metric.Def{
	Name:  "grounded_precision",
	Title: "Grounded precision",
	Doc: "How much of what the answer claims the ground truth supports. " +
		"Claims beyond it count against the answer, unlike in factual_accuracy.",
	Formula: "s / n, with s claims of the answer that " + truthDoc + " support, and n claims with a ruling",
}, grounded)

// AdditionRate is the share of claims that the ground truth does not mention.
var AdditionRate = truthShare(metric.Def{
	Name:  "addition_rate",
	Title: "Addition rate",
	Doc: "How much of what the answer claims the ground truth does not mention: " +
		"it may be right or made up, and was not asked for.",
	Formula: "e / n, with e claims of the answer that " + truthDoc + " neither support nor contradict, and n claims with a ruling",
	Better:  metric.Lower,
}, func(t truth) (part, whole float64) { return t.extra, t.known() })

// truthShare defines a metric that is a share of the answer's claims, checked
// against the ideal answer and the passages that it was written from.
func truthShare(d metric.Def, of func(truth) (part, whole float64)) *metric.Def {
	d.Edges, d.Source = claimsEdge+d.Edges+idealEdge+unknownEdge, idealOwn
	return answerInTruth.define(d, func(_ metric.Input, _ metric.Params, r rulings) assay.Score { return r.share(of) })
}

// truth counts the claims that the ground truth supports, contradicts, and does
// not mention.
type truth struct{ supported, contradicted, extra, unknown float64 }

// known counts the claims with a ruling.
func (t truth) known() float64 { return t.supported + t.contradicted + t.extra }

func accuracy(t truth) (part, whole float64) { return t.supported, t.supported + t.contradicted }
func grounded(t truth) (part, whole float64) { return t.supported, t.known() }

// share is part/whole, with the bounds that unknown claims leave if each may be
// a part or not.
func (r rulings) share(of func(truth) (part, whole float64)) assay.Score {
	var t truth
	for _, f := range r.findings {
		v, known := credit(f)
		switch {
		case !known:
			t.unknown++
			continue
		case f.Verdict == judge.Contradicted:
			t.contradicted += 1 - v
		default:
			t.extra += 1 - v
		}
		t.supported += v
	}
	part, whole := of(t)
	n, all := len(r.findings), whole+t.unknown
	s := assay.None("the ground truth mentions none of the answer's claims")
	if whole > 0 || tooMany(int(t.unknown), n) {
		s = bounded(part/whole, part/all, (part+t.unknown)/all, int(t.unknown), n)
	}
	s.Evidence = r.list(unsupported)
	return s
}

// GroundedF1 is the harmonic mean of grounded precision and completeness.
var GroundedF1 = define(metric.Def{
	Name:  "grounded_f1",
	Title: "Grounded F1",
	Doc: "How close the answer comes to the ideal answer, in one number: it says what the ideal answer says, and nothing that " +
		"the ground truth does not have, be it wrong or invented. The main score for answers where ideal answers exist.",
	Formula: "2GC / (G + C), 0 when both are 0, with G grounded_precision and C completeness",
	Edges: "An answer that declines scores 0, and is abstained if the case has no answer. If G or C has no value there is none. " +
		pointsEdge + idealEdge + "The rule for missing rulings holds for claims and for points: " + unknownEdge,
	Source: idealOwn,
	Needs:  metric.NeedIdeal,
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.Answer, question.Points, question.Truth},
}, func(in metric.Input, p metric.Params) (assay.Score, error) {
	if s, declined, err := ifDeclined(in); err != nil || declined {
		return s, err
	}
	r, err := answerInTruth.rulings(in, p)
	if err != nil {
		return assay.Score{}, err
	}
	precise := r.score()
	if r.instead == nil {
		precise = r.share(grounded)
	}
	complete, err := completeness(in, p)
	if err != nil {
		return assay.Score{}, err
	}
	return harmonic(precise, complete), nil
})
