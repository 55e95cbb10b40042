package judged_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// A draw is a case with an assessment of drawn rulings.
type draw struct {
	// unknown lets rulings be missing, estimate makes degrees of them.
	unknown, estimate bool
}

func (d draw) finding(t *rapid.T, sources int, label string) judge.Finding {
	verdicts := []judge.Verdict{judge.Supported, judge.Supported, judge.Contradicted, judge.NotFound}
	if d.unknown {
		verdicts = append(verdicts, judge.Unknown)
	}
	f := judge.Finding{Verdict: rapid.SampledFrom(verdicts).Draw(t, label), Why: label}
	if f.Verdict == judge.Supported {
		f.Degree = 1
		for range rapid.IntRange(1, 3).Draw(t, label+" quotes") {
			f.Quotes = append(f.Quotes, judge.Quote{Source: rapid.IntRange(0, max(sources-1, 0)).Draw(t, label+" source"),
				Alone: rapid.Bool().Draw(t, label+" alone")})
		}
	}
	if d.estimate && f.Verdict != judge.Unknown {
		f.Degree = rapid.Float64Range(0, 1).Draw(t, label+" degree")
	}
	return f
}

func (d draw) findings(t *rapid.T, n, sources int, label string) judge.Part[[]judge.Finding] {
	out := make([]judge.Finding, n)
	for i := range out {
		out[i] = d.finding(t, sources, fmt.Sprint(label, i))
	}
	return judge.Known(out)
}

// input draws a case of at least one claim on each side, and all parts.
func (d draw) input(t *rapid.T) metric.Input {
	passages := rapid.IntRange(1, 5).Draw(t, "passages")
	claims, meant := rapid.IntRange(1, 12).Draw(t, "claims"), rapid.IntRange(1, 8).Draw(t, "reference")
	x := asked(passages)
	// A text that the embedder of these tests can read.
	x.Case.Want.Answers = []string{"0.5"}
	a := x.Assessment
	a.Estimate = d.estimate
	question.Answer.Set(a, says(judge.Answered, claims))
	question.Reference.Set(a, says(judge.Answered, meant))
	setBoth(a, question.AnswerPassages, question.AnswerAlone, d.findings(t, claims, passages, "grounds"))
	question.AnswerReference.Set(a, d.findings(t, claims, 1, "truth"))
	setBoth(a, question.ReferencePassages, question.ReferenceAlone, d.findings(t, meant, passages, "there"))
	question.ReferenceAnswer.Set(a, d.findings(t, meant, 1, "made"))
	question.Truth.Set(a, d.findings(t, claims, 2, "ideal"))
	x.Case.Want.Ideal = &assay.Ideal{}
	var given []judge.Assignment
	var grades []judge.Grade
	known := func(label string) bool { return !d.unknown || rapid.IntRange(0, 4).Draw(t, label) > 0 }
	for i := range rapid.IntRange(1, 8).Draw(t, "points") {
		x.Case.Want.Ideal.Points = append(x.Case.Want.Ideal.Points, assay.Point{Text: fmt.Sprint(i), Vital: rapid.Bool().Draw(t, "vital")})
		g := judge.Assignment{Known: known("assigned"), Credit: float64(rapid.IntRange(0, 2).Draw(t, "credit")) / 2}
		given = append(given, g)
	}
	for range passages {
		level := rapid.IntRange(0, 3).Draw(t, "grade")
		grades = append(grades, judge.Grade{Known: known("graded"), Level: level, Degree: float64(level) / 3})
	}
	question.Points.Set(a, judge.Known(given))
	question.Relevance.Set(a, judge.Known(grades))
	var cited []judge.Cited
	for i := range claims {
		c := judge.Cited{Sentence: i + 1, Text: "A sentence."}
		for p := range passages {
			if rapid.Bool().Draw(t, "cited") {
				c.Cites = append(c.Cites, p)
			}
		}
		if len(c.Cites) > 0 {
			c.Finding = d.finding(t, passages, fmt.Sprint("cited ", i))
		}
		cited = append(cited, c)
	}
	setBoth(a, question.Citations, question.CitationsAlone, judge.Known(cited))
	question.Equivalence.Set(a, judge.Known(judge.Ruling{Holds: true, Degree: 1}))
	question.Questions.Set(a, judge.Known([]judge.Reversed{{Question: "0.5"}}))
	a.Rubric.Dimensions = []judge.Dimension{{Name: "d", Weight: 1, Anchors: []string{"", ""}}}
	question.Marks.Set(a, judge.Known([]judge.Mark{{Level: 1}}))
	answerable := rapid.Bool().Draw(t, "answerable")
	x.Case.Want.Answerable = &answerable
	return x
}

// names lists every metric with each of its parameters' values.
func names() []string {
	var out []string
	for _, d := range catalog.Defs() {
		out = append(out, d.Name)
		for _, p := range d.Params {
			for _, v := range p.Values {
				out = append(out, fmt.Sprintf("%s(%s=%s)", d.Name, p.Name, v))
			}
		}
	}
	return out
}

// With no ruling missing the identities of RAGChecker hold, for joint support
// and for single passages, for rulings and for estimates.
func TestIdentities(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		x := draw{estimate: rapid.Bool().Draw(rt, "estimate")}.input(rt)
		for _, by := range []string{"joined", "single"} {
			of := func(name string) float64 {
				s := scored(t, fmt.Sprintf(name, by), x)
				if s.State != assay.Scored {
					rt.Fatalf("%s: %+v", name, s)
				}
				return s.Value
			}
			faithful, made, known := of("faithfulness(support=%s)"), of("hallucination(support=%s)"), of("self_knowledge(support=%s)")
			if sum := faithful + made + known; math.Abs(sum-1) > 1e-9 {
				rt.Fatalf("%s: faithfulness %v + hallucination %v + self-knowledge %v = %v: expected 1", by, faithful, made, known, sum)
			}
			precision := scored(t, "factual_correctness(precision)", x).Value
			noise := of("noise_sensitivity(mode=relevant,support=%s)") + of("noise_sensitivity(mode=irrelevant,support=%s)")
			if sum := noise + made; math.Abs(sum-(1-precision)) > 1e-9 {
				rt.Fatalf("%s: noise %v + hallucination %v = %v: expected %v", by, noise, made, sum, 1-precision)
			}
		}
		joined, single := scored(t, "faithfulness", x).Value, scored(t, "faithfulness(single)", x).Value
		if only := scored(t, "multi_chunk_only", x).Value; math.Abs(joined-single-only) > 1e-9 {
			rt.Fatalf("faithfulness %v, single %v, several only %v", joined, single, only)
		}
		if recall, claims := scored(t, "context_recall", x).Value, scored(t, "claim_recall", x).Value; claims > recall+1e-9 {
			rt.Fatalf("claim recall %v is above context recall %v", claims, recall)
		}
	})
}

// The order in which a judge lists claims does not matter.
func TestOrderOfClaims(t *testing.T) {
	t.Parallel()
	all := names()
	rapid.Check(t, func(rt *rapid.T) {
		x := draw{unknown: rapid.Bool().Draw(rt, "unknown")}.input(rt)
		y := x
		y.Assessment = x.Assessment.Clone()
		a := y.Assessment
		reverse(a, question.AnswerPassages)
		reverse(a, question.AnswerAlone)
		reverse(a, question.AnswerReference)
		reverse(a, question.Truth)
		reverse(a, question.ReferencePassages)
		reverse(a, question.ReferenceAlone)
		reverse(a, question.ReferenceAnswer)
		reverse(a, question.Points)
		ideal := *x.Case.Want.Ideal
		ideal.Points = slices.Clone(ideal.Points)
		slices.Reverse(ideal.Points)
		c := *x.Case
		c.Want.Ideal = &ideal
		y.Case = &c
		for _, name := range all {
			one, other := scored(t, name, x), scored(t, name, y)
			if one.State != other.State || math.Abs(one.Value-other.Value) > 1e-9 || math.Abs(one.Lower-other.Lower) > 1e-9 ||
				math.Abs(one.Upper-other.Upper) > 1e-9 {
				rt.Fatalf("%s: %+v, and in reverse %+v", name, one, other)
			}
		}
	})
}

func reverse[T any](a *judge.Assessment, q *judge.Question[[]T]) {
	list, _ := q.Of(a).Get()
	list = slices.Clone(list)
	slices.Reverse(list)
	q.Set(a, judge.Known(list))
}

// Every value lies within its bounds and its range; the bounds hold whatever
// the missing rulings turn out to be; and taking a ruling away never raises the
// lower bound or lowers the upper one.
func TestBounds(t *testing.T) {
	t.Parallel()
	all := names()
	rapid.Check(t, func(rt *rapid.T) {
		x := draw{}.input(rt)
		y := x
		y.Assessment = x.Assessment.Clone()
		forget := func(label string) bool { return rapid.IntRange(0, 6).Draw(rt, label) == 0 }
		a := y.Assessment
		for _, q := range []*judge.Question[[]judge.Finding]{
			question.AnswerPassages, question.AnswerAlone, question.AnswerReference, question.Truth, question.ReferencePassages,
			question.ReferenceAlone, question.ReferenceAnswer,
		} {
			without(a, q, func(f *judge.Finding) {
				if forget("ruling") {
					*f = judge.Finding{}
				}
			})
		}
		without(a, question.Points, func(p *judge.Assignment) { p.Known = p.Known && !forget("point") })
		without(a, question.Relevance, func(g *judge.Grade) { g.Known = g.Known && !forget("grade") })
		for _, q := range []*judge.Question[[]judge.Cited]{question.Citations, question.CitationsAlone} {
			without(a, q, func(c *judge.Cited) {
				if len(c.Cites) > 0 && forget("sentence") {
					c.Finding = judge.Finding{}
				}
			})
		}
		for _, name := range all {
			whole, part := scored(t, name, x), scored(t, name, y)
			if part.State == assay.Scored && !(part.Lower <= part.Value && part.Value <= part.Upper && part.Lower >= 0 && part.Upper <= 1) {
				rt.Fatalf("%s: %+v: expected the value within bounds in 0…1", name, part)
			}
			if whole.State != assay.Scored || part.State == assay.NotApplicable || part.Upper == 0 && part.State == assay.JudgeError {
				continue
			}
			if part.Lower > whole.Value+1e-9 || part.Upper < whole.Value-1e-9 {
				rt.Fatalf("%s: %v to %v with rulings missing, and %v with them", name, part.Lower, part.Upper, whole.Value)
			}
		}
	})
}

func without[T any](a *judge.Assessment, q *judge.Question[[]T], change func(*T)) {
	list, _ := q.Of(a).Get()
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	q.Set(a, judge.Known(list))
}

// No metric has a score when all that it asks for failed, and one part that
// failed never makes a score that was not there before.
func TestFailedParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		x := draw{}.input(rt)
		if rapid.Bool().Draw(rt, "declined") {
			question.Answer.Set(x.Assessment, says(judge.Abstained, 0))
		}
		for _, name := range names() {
			m, err := catalog.Parse(name)
			if err != nil {
				rt.Fatal(err)
			}
			was, all := m.Score(t.Context(), x), x.Assessment.Clone()
			for _, q := range m.Asks() {
				q.Fail(all, errJudge)
				y := x
				y.Assessment = x.Assessment.Clone()
				q.Fail(y.Assessment, errJudge)
				if s := m.Score(t.Context(), y); s.State == assay.Scored && !reflect.DeepEqual(s, was) {
					rt.Fatalf("%s: %+v although %s failed, %+v before", name, s, q, was)
				}
			}
			if len(m.Def.Asks) == 0 {
				continue
			}
			y := x
			y.Assessment = all
			if s := m.Score(t.Context(), y); s.State != assay.JudgeError && s.State != assay.NotApplicable {
				rt.Fatalf("%s: %+v although all failed", name, s)
			}
		}
	})
}
