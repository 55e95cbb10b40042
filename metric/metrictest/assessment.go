package metrictest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// A shape is a way in which a judge may answer.
type shape struct {
	name string
	// fails is set when a metric that reads it may have no score.
	fails  bool
	change func(*judge.Assessment)
}

// shapes are what a judge may say, from the ordinary to the absurd. Each changes
// the assessment that [assess] makes.
var shapes = []shape{
	{"plain", false, func(*judge.Assessment) {}},
	{"estimated", false, estimated},
	{"declined", false, func(a *judge.Assessment) { answered(a, judge.Abstained, 0) }},
	{"empty", false, func(a *judge.Assessment) { answered(a, judge.Empty, 0) }},
	{"partial", false, func(a *judge.Assessment) { answered(a, judge.Partial, 1) }},
	{"no claims", false, func(a *judge.Assessment) { answered(a, judge.Answered, 0) }},
	{"reference without claims", false, func(a *judge.Assessment) {
		a.Reference = judge.Known(judge.Reading{Kind: judge.Answered})
		a.ReferencePassages, a.ReferenceAnswer = judge.Known([]judge.Finding(nil)), judge.Known([]judge.Finding(nil))
	}},
	{"split votes", false, func(a *judge.Assessment) { eachFinding(a, func(_ int, f *judge.Finding) { f.For, f.Against = 2, 1 }) }},
	{"all supported", false, func(a *judge.Assessment) {
		eachFinding(a, func(_ int, f *judge.Finding) { *f = ruled(judge.Supported, 0) })
	}},
	{"none supported", false, func(a *judge.Assessment) {
		eachFinding(a, func(_ int, f *judge.Finding) { *f = ruled(judge.NotFound) })
	}},
	{"quotes from nowhere", false, func(a *judge.Assessment) {
		eachFinding(a, func(i int, f *judge.Finding) {
			f.Quotes = append(f.Quotes, judge.Quote{Source: -1, Alone: true}, judge.Quote{Source: 1 << 40, Alone: i%2 == 0})
		})
	}},
	{"few unknown", true, func(a *judge.Assessment) { unknown(a, func(i int) bool { return i%7 == 6 }) }},
	{"some unknown", true, func(a *judge.Assessment) { unknown(a, func(i int) bool { return i == 0 }) }},
	{"all unknown", true, func(a *judge.Assessment) { unknown(a, func(int) bool { return true }) }},
	{"no kind", true, func(a *judge.Assessment) { answered(a, judge.KindUnknown, 3) }},
	{"not a number", true, func(a *judge.Assessment) {
		nan := math.NaN()
		eachFinding(a, func(_ int, f *judge.Finding) { f.Degree = nan })
		eachOf(&a.Relevance, func(_ int, g *judge.Grade) { g.Degree = nan })
		eachOf(&a.Points, func(_ int, p *judge.Assignment) { p.Credit = nan })
		eachOf(&a.Marks, func(_ int, m *judge.Mark) { m.Level = nan })
		eachOf(&a.KeyQuestions, func(_ int, m *judge.Mark) { m.Level = nan })
		a.Equivalence = judge.Known(judge.Ruling{Degree: nan})
	}},
	{"out of range", true, func(a *judge.Assessment) {
		eachFinding(a, func(i int, f *judge.Finding) { f.Degree = float64(i) - 1.5 })
		eachOf(&a.Relevance, func(i int, g *judge.Grade) { g.Level, g.Degree = 7*i-9, math.Inf(1) })
		eachOf(&a.Points, func(_ int, p *judge.Assignment) { p.Credit = -3 })
		eachOf(&a.Marks, func(_ int, m *judge.Mark) { m.Level = 99 })
		eachOf(&a.KeyQuestions, func(_ int, m *judge.Mark) { m.Level = 99 })
		eachOf(&a.Citations, func(_ int, c *judge.Cited) { c.Cites = append(c.Cites, -1, 1<<40) })
		a.Equivalence = judge.Known(judge.Ruling{Degree: 5})
		a.Rubric.Dimensions[0].Weight = -1
	}},
	{"too short", true, func(a *judge.Assessment) { resize(a, -1) }},
	{"too long", true, func(a *judge.Assessment) { resize(a, 2) }},
	{"nothing asked", true, func(a *judge.Assessment) { *a = judge.Assessment{} }},
	{"failed", true, func(a *judge.Assessment) {
		for _, p := range parts {
			p.fail(a)
		}
	}},
	{"blank questions", true, func(a *judge.Assessment) { a.Questions = judge.Known(make([]judge.Reversed, 3)) }},
	{"noncommittal", false, func(a *judge.Assessment) {
		eachOf(&a.Questions, func(_ int, q *judge.Reversed) { q.Noncommittal = true })
	}},
	{"many claims", false, func(a *judge.Assessment) { answered(a, judge.Answered, 150) }},
}

// A part of an assessment, with the question that it answers.
type part struct {
	ask  judge.Ask
	fail func(*judge.Assessment)
}

var errFailed = errors.New("the judge failed")

func failing[T any](ask judge.Ask, of func(*judge.Assessment) *judge.Part[T]) part {
	return part{ask, func(a *judge.Assessment) { *of(a) = judge.Failed[T](errFailed) }}
}

var parts = []part{
	failing(judge.AskAnswer, func(a *judge.Assessment) *judge.Part[judge.Reading] { return &a.Answer }),
	failing(judge.AskReference, func(a *judge.Assessment) *judge.Part[judge.Reading] { return &a.Reference }),
	failing(judge.AskAnswerPassages, func(a *judge.Assessment) *judge.Part[[]judge.Finding] { return &a.AnswerPassages }),
	failing(judge.AskReferencePassages, func(a *judge.Assessment) *judge.Part[[]judge.Finding] { return &a.ReferencePassages }),
	failing(judge.AskAnswerReference, func(a *judge.Assessment) *judge.Part[[]judge.Finding] { return &a.AnswerReference }),
	failing(judge.AskReferenceAnswer, func(a *judge.Assessment) *judge.Part[[]judge.Finding] { return &a.ReferenceAnswer }),
	failing(judge.AskRelevance, func(a *judge.Assessment) *judge.Part[[]judge.Grade] { return &a.Relevance }),
	failing(judge.AskEquivalence, func(a *judge.Assessment) *judge.Part[judge.Ruling] { return &a.Equivalence }),
	failing(judge.AskQuestions, func(a *judge.Assessment) *judge.Part[[]judge.Reversed] { return &a.Questions }),
	failing(judge.AskPoints, func(a *judge.Assessment) *judge.Part[[]judge.Assignment] { return &a.Points }),
	failing(judge.AskTruth, func(a *judge.Assessment) *judge.Part[[]judge.Finding] { return &a.Truth }),
	failing(judge.AskCitations, func(a *judge.Assessment) *judge.Part[[]judge.Cited] { return &a.Citations }),
	failing(judge.AskMarks, func(a *judge.Assessment) *judge.Part[[]judge.Mark] { return &a.Marks }),
	failing(judge.AskKeyQuestions, func(a *judge.Assessment) *judge.Part[[]judge.Mark] { return &a.KeyQuestions }),
}

// assess makes an ordinary assessment of a case and a response: three claims of
// the answer, two of the reference, rulings of every kind.
func assess(in metric.Input) *judge.Assessment {
	n := len(in.Response.Passages)
	a := &judge.Assessment{Passages: n, Rubric: judge.Rubric{Name: "style", Dimensions: []judge.Dimension{
		{Name: "clarity", Weight: 2, Anchors: []string{"none", "some", "full"}}, {Name: "tone", Weight: 1, Anchors: []string{"rude", "kind"}},
	}}}
	answered(a, judge.Answered, 3)
	a.Reference = judge.Known(reading(judge.Answered, 2))
	a.ReferencePassages, a.ReferenceAnswer = judge.Known(findings(2, n)), judge.Known(findings(2, 1))
	grades := make([]judge.Grade, n)
	for i := range grades {
		level := (i*2 + 3) % 4
		grades[i] = judge.Grade{Known: true, Level: level, Degree: float64(level) / 3, Why: "it says so"}
	}
	a.Relevance = judge.Known(grades)
	a.Equivalence = judge.Known(judge.Ruling{Holds: true, Degree: 1})
	a.Questions = judge.Known([]judge.Reversed{{Question: "Who built it?"}, {Question: "When was it built?", Noncommittal: true}, {}})
	if ideal := in.Case.Want.Ideal; ideal != nil {
		given := make([]judge.Assignment, len(ideal.Points))
		for i := range given {
			given[i] = judge.Assignment{Known: true, Credit: float64((i+2)%3) / 2, Why: "it is said"}
		}
		a.Points = judge.Known(given)
	}
	a.Marks = judge.Known([]judge.Mark{{Level: 1, Quote: "built", Why: "plain"}, {Level: 0}})
	a.KeyQuestions = judge.Known([]judge.Mark{{Level: 4}, {Level: 2, Why: "half of it is asked"}, {Level: 3}, {Level: 4}})
	return a
}

// answered sets what the answer says, and what rests on it.
func answered(a *judge.Assessment, k judge.AnswerKind, claims int) {
	a.Answer = judge.Known(reading(k, claims))
	a.AnswerPassages, a.AnswerReference, a.Truth = judge.Known(findings(claims, a.Passages)), judge.Known(findings(claims, 1)), judge.Known(findings(claims, 2))
	cited := make([]judge.Cited, min(claims, 20))
	for i := range cited {
		c := judge.Cited{Sentence: i + 1, Text: fmt.Sprintf("Sentence %d.", i+1), Finding: judge.Finding{Why: "it cites no passage"}}
		if i%3 != 2 && a.Passages > 0 {
			c.Cites = []int{0}
			if a.Passages > 1 {
				c.Cites = append(c.Cites, 1)
			}
			c.Finding = findings(i+1, a.Passages)[i]
		}
		if i%3 == 1 {
			c.Invalid = []int{0, 99}
		}
		cited[i] = c
	}
	a.Citations = judge.Known(cited)
}

func reading(k judge.AnswerKind, claims int) judge.Reading {
	r := judge.Reading{Kind: k}
	for i := range claims {
		r.Claims = append(r.Claims, judge.Claim{Text: fmt.Sprintf("claim %d", i+1), Sentence: i + 1})
	}
	return r
}

// findings makes rulings on n claims against some sources: supported by one,
// contradicted, supported by two together, not found, and so on. Without a
// source nothing is found.
func findings(n, sources int) []judge.Finding {
	out := make([]judge.Finding, n)
	for i := range out {
		switch {
		case sources == 0 || i%4 == 3:
			out[i] = ruled(judge.NotFound)
		case i%4 == 1:
			out[i] = ruled(judge.Contradicted, i%sources)
		case i%4 == 2 && sources > 1:
			out[i] = ruled(judge.Supported, 0, 1)
		default:
			out[i] = ruled(judge.Supported, i%sources)
		}
	}
	return out
}

// ruled is a ruling that the sources bear out, alone when there is one.
func ruled(v judge.Verdict, sources ...int) judge.Finding {
	f := judge.Finding{Verdict: v, Why: "because"}
	if v == judge.Supported {
		f.Degree = 1
	}
	for _, s := range sources {
		f.Quotes = append(f.Quotes, judge.Quote{Source: s, Text: "words", Alone: len(sources) == 1})
	}
	return f
}

// estimated makes degrees of what was yes or no.
func estimated(a *judge.Assessment) {
	a.Estimate = true
	eachFinding(a, func(i int, f *judge.Finding) {
		if f.Verdict != judge.Unknown {
			f.Degree = math.Abs(f.Degree - 0.1*float64(1+i%5))
		}
	})
	eachOf(&a.Relevance, func(i int, g *judge.Grade) { g.Degree = float64(i%10) / 9 })
	eachOf(&a.Points, func(i int, p *judge.Assignment) { p.Credit = float64(i%7) / 6 })
	a.Equivalence = judge.Known(judge.Ruling{Degree: 0.37})
}

// unknown takes back the rulings that which chooses.
func unknown(a *judge.Assessment, which func(int) bool) {
	eachFinding(a, func(i int, f *judge.Finding) {
		if which(i) {
			*f = judge.Finding{Why: "the judge left it out"}
		}
	})
	eachOf(&a.Relevance, func(i int, g *judge.Grade) {
		if which(i) {
			*g = judge.Grade{Why: "the judge left it out"}
		}
	})
	eachOf(&a.Points, func(i int, p *judge.Assignment) {
		if which(i) {
			*p = judge.Assignment{}
		}
	})
}

// eachFinding changes every ruling on a claim or a sentence that was asked.
func eachFinding(a *judge.Assessment, change func(int, *judge.Finding)) {
	for _, p := range []*judge.Part[[]judge.Finding]{&a.AnswerPassages, &a.ReferencePassages, &a.AnswerReference, &a.ReferenceAnswer, &a.Truth} {
		eachOf(p, change)
	}
	eachOf(&a.Citations, func(i int, c *judge.Cited) {
		if len(c.Cites) > 0 {
			change(i, &c.Finding)
		}
	})
}

func eachOf[T any](p *judge.Part[[]T], change func(int, *T)) {
	if !p.Asked() {
		return
	}
	list, _ := p.Get()
	list = slices.Clone(list)
	for i := range list {
		change(i, &list[i])
	}
	*p = judge.Known(list)
}

// resize makes every list longer or shorter than what was asked.
func resize(a *judge.Assessment, by int) {
	for _, p := range []*judge.Part[[]judge.Finding]{&a.AnswerPassages, &a.ReferencePassages, &a.AnswerReference, &a.ReferenceAnswer, &a.Truth} {
		resized(p, by)
	}
	resized(&a.Relevance, by)
	resized(&a.Points, by)
	resized(&a.Marks, by)
	resized(&a.KeyQuestions, by)
}

func resized[T any](p *judge.Part[[]T], by int) {
	list, _ := p.Get()
	if n := len(list) + by; n < len(list) {
		*p = judge.Known(list[:max(n, 0)])
	} else {
		*p = judge.Known(append(slices.Clone(list), make([]T, by)...))
	}
}

// checkJudge takes away what the judge said: all of it, each part that the
// metric asks for, and each that it does not.
func checkJudge(report reporter, variants []metric.Metric) {
	for _, m := range variants {
		want := score(m, labelled())
		in := labelled()
		in.Assessment = nil
		if s := score(m, in); m.Def.Asks == 0 {
			if !reflect.DeepEqual(s, want) {
				report("%s asks nothing of a judge and reads what one says: %+v", m.Name, s)
			}
			continue
		} else if s.State != assay.JudgeError || s.Reason == "" {
			report("%s without a judge: %+v: want %s with a reason", m.Name, s, assay.JudgeError)
		}
		all, rest := labelled(), labelled()
		for _, p := range parts {
			if m.Def.Asks&p.ask == 0 {
				p.fail(rest.Assessment)
				continue
			}
			p.fail(all.Assessment)
			in := labelled()
			p.fail(in.Assessment)
			// A part may not be needed, but then it changes nothing.
			if s := score(m, in); s.State != assay.JudgeError && !reflect.DeepEqual(s, want) {
				report("%s, %s failed: %+v: want %s, or %+v as before", m.Name, p.ask, s, assay.JudgeError, want)
			}
		}
		if s := score(m, all); s.State != assay.JudgeError || s.Reason == "" || s.Value != 0 {
			report("%s, all that it asks failed: %+v: want %s with a reason", m.Name, s, assay.JudgeError)
		}
		if s := score(m, rest); !reflect.DeepEqual(s, want) {
			report("%s does not say all that it asks of a judge: %+v with, %+v without", m.Name, want, s)
		}
	}
}
