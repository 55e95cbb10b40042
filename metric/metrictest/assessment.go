package metrictest

import (
	"errors"
	"math"
	"reflect"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// A shape is a kind of judge output.
type shape struct {
	name string
	// fails is set if a metric may have no score for such output.
	fails  bool
	change func(*judge.Assessment)
}

// shapes lists kinds of judge output, from ordinary to absurd. Each changes the
// assessment that [assess] returns.
var shapes = []shape{
	{"plain", false, func(*judge.Assessment) {}},
	{"estimated", false, estimated},
	{"declined", false, func(a *judge.Assessment) { answered(a, judge.Abstained, 0) }},
	{"empty", false, func(a *judge.Assessment) { answered(a, judge.Empty, 0) }},
	{"partial", false, func(a *judge.Assessment) { answered(a, judge.Partial, 1) }},
	{"no claims", false, func(a *judge.Assessment) { answered(a, judge.Answered, 0) }},
	{"reference without claims", false, func(a *judge.Assessment) {
		question.Reference.Set(a, judge.Known(judge.Reading{Kind: judge.Answered}))
		question.ReferencePassages.Set(a, judge.Known([]judge.Finding(nil)))
		question.ReferenceAlone.Set(a, judge.Known([]judge.Finding(nil)))
		question.ReferenceAnswer.Set(a, judge.Known([]judge.Finding(nil)))
	}},
	{"split votes", false, func(a *judge.Assessment) { eachFinding(a, func(_ int, f *judge.Finding) { f.For, f.Against = 2, 1 }) }},
	{"all supported", false, func(a *judge.Assessment) {
		eachFinding(a, func(_ int, f *judge.Finding) { *f = Ruled(judge.Supported, 0) })
	}},
	{"none supported", false, func(a *judge.Assessment) {
		eachFinding(a, func(_ int, f *judge.Finding) { *f = Ruled(judge.NotFound) })
	}},
	{"conflicts", false, func(a *judge.Assessment) {
		eachFinding(a, func(i int, f *judge.Finding) {
			*f = Ruled(judge.Supported, 0)
			f.Contrary = []judge.Quote{{Source: i + 1, Text: "words"}}
		})
	}},
	{"parts", false, func(a *judge.Assessment) {
		eachFinding(a, func(i int, f *judge.Finding) {
			*f = Ruled(judge.NotFound)
			f.Parts = []judge.Quote{{Source: i % 2, Text: "words"}}
		})
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
		each(a, func(_ int, v reflect.Value) { spoil(v, math.NaN(), nil) })
	}},
	{"out of range", true, func(a *judge.Assessment) {
		each(a, func(i int, v reflect.Value) {
			whole := int64(7*i - 9)
			spoil(v, float64(100*(i%2))-1.5, &whole)
		})
		eachCited(a, func(_ int, c *judge.Cited) { c.Cites = append(c.Cites, -1, 1<<40) })
		a.Rubric.Dimensions[0].Weight = -1
	}},
	{"infinite", true, func(a *judge.Assessment) {
		each(a, func(_ int, v reflect.Value) { spoil(v, math.Inf(1), nil) })
	}},
	{"too short", true, func(a *judge.Assessment) { resize(a, -1) }},
	{"too long", true, func(a *judge.Assessment) { resize(a, 2) }},
	{"nothing asked", true, func(a *judge.Assessment) { *a = judge.Assessment{} }},
	{"failed", true, func(a *judge.Assessment) {
		for _, q := range question.All {
			q.Fail(a, errFailed)
		}
	}},
	{"blank questions", true, func(a *judge.Assessment) { question.Questions.Set(a, judge.Known(make([]judge.Reversed, 3))) }},
	{"noncommittal", false, func(a *judge.Assessment) {
		eachOf(a, question.Questions, func(_ int, q *judge.Reversed) { q.Noncommittal = true })
	}},
	{"many claims", false, func(a *judge.Assessment) { answered(a, judge.Answered, 150) }},
}

var errFailed = errors.New("the judge failed")

// assess returns an ordinary assessment of a case and a response.
func assess(in metric.Input) *judge.Assessment {
	a := &judge.Assessment{Passages: len(in.Response.Passages), Rubric: judge.Rubric{Name: "style", Dimensions: []judge.Dimension{
		{Name: "clarity", Weight: 2, Anchors: []string{"none", "some", "full"}}, {Name: "tone", Weight: 1, Anchors: []string{"rude", "kind"}},
	}}}
	sample(a, in)
	return a
}

// estimated replaces yes-or-no verdicts by degrees.
func estimated(a *judge.Assessment) {
	a.Estimate = true
	eachFinding(a, func(i int, f *judge.Finding) {
		if f.Verdict != judge.Unknown {
			f.Degree = math.Abs(f.Degree - 0.1*float64(1+i%5))
		}
	})
	eachOf(a, question.Relevance, func(i int, g *judge.Grade) { g.Degree = float64(i%10) / 9 })
	eachOf(a, question.Points, func(i int, p *judge.Assignment) { p.Credit = float64(i%7) / 6 })
	question.Equivalence.Set(a, judge.Known(judge.Ruling{Degree: 0.37}))
}

// unknown removes the rulings with an index for which which returns true.
func unknown(a *judge.Assessment, which func(int) bool) {
	eachFinding(a, func(i int, f *judge.Finding) {
		if which(i) {
			*f = judge.Finding{Why: "the judge left it out"}
		}
	})
	eachOf(a, question.Relevance, func(i int, g *judge.Grade) {
		if which(i) {
			*g = judge.Grade{Why: "the judge left it out"}
		}
	})
	eachOf(a, question.Points, func(i int, p *judge.Assignment) {
		if which(i) {
			*p = judge.Assignment{}
		}
	})
}

// eachFinding changes every ruling on a claim or a sentence that was asked.
func eachFinding(a *judge.Assessment, change func(int, *judge.Finding)) {
	for _, q := range question.All {
		if of, ok := q.(*judge.Question[[]judge.Finding]); ok {
			eachOf(a, of, change)
		}
	}
	eachCited(a, func(i int, c *judge.Cited) {
		if len(c.Cites) > 0 {
			change(i, &c.Finding)
		}
	})
}

func eachCited(a *judge.Assessment, change func(int, *judge.Cited)) {
	eachOf(a, question.Citations, change)
	eachOf(a, question.CitationsAlone, change)
}

func eachOf[T any](a *judge.Assessment, q *judge.Question[[]T], change func(int, *T)) {
	p := q.Of(a)
	if !p.Asked() {
		return
	}
	list, _ := p.Get()
	list = slices.Clone(list)
	for i := range list {
		change(i, &list[i])
	}
	q.Set(a, judge.Known(list))
}

// each changes a copy of every answer; if the answer is a list, each of its elements.
func each(a *judge.Assessment, change func(int, reflect.Value)) {
	for _, q := range question.All {
		q.Change(a, func(answer any) {
			v := reflect.ValueOf(answer).Elem()
			if v.Kind() != reflect.Slice {
				change(0, v)
				return
			}
			v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
			for i := range v.Len() {
				change(i, v.Index(i))
			}
		})
	}
}

// spoil sets the floating-point fields of a ruling, and its integer fields if
// whole is not nil.
func spoil(v reflect.Value, float float64, whole *int64) {
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			f.SetFloat(float)
		case reflect.Int:
			if whole != nil {
				f.SetInt(*whole)
			}
		case reflect.Struct:
			spoil(f, float, whole)
		}
	}
}

// resize makes every list longer or shorter than the question asks for.
func resize(a *judge.Assessment, by int) {
	for _, q := range question.All {
		q.Change(a, func(answer any) {
			v := reflect.ValueOf(answer).Elem()
			if v.Kind() != reflect.Slice || v.Type() == reflect.TypeFor[[]judge.Cited]() || q.ID() == question.Questions.ID() {
				return
			}
			n := max(v.Len()+by, 0)
			list := reflect.MakeSlice(v.Type(), n, n)
			reflect.Copy(list, v)
			v.Set(list)
		})
	}
}

// checkJudge removes the assessment: all of it, each part that the metric asks
// for, and all parts that it does not ask for.
func checkJudge(report reporter, variants []metric.Metric) {
	for _, m := range variants {
		want := score(m, labelled())
		in := labelled()
		in.Assessment = nil
		if s := score(m, in); len(m.Def.Asks) == 0 {
			if !reflect.DeepEqual(s, want) {
				report("%s asks nothing of a judge and reads what one says: %+v", m.Name, s)
			}
			continue
		} else if s.State != assay.JudgeError || s.Reason == "" {
			report("%s without a judge: %+v: want %s with a reason", m.Name, s, assay.JudgeError)
		}
		all, rest := labelled(), labelled()
		for _, q := range question.All {
			if !m.Asks().Has(q.ID()) {
				q.Fail(rest.Assessment, errFailed)
				continue
			}
			q.Fail(all.Assessment, errFailed)
			in := labelled()
			q.Fail(in.Assessment, errFailed)
			// The metric may not need this part for this input, but then the score must not change.
			if s := score(m, in); s.State != assay.JudgeError && !reflect.DeepEqual(s, want) {
				report("%s, %s failed: %+v: want %s, or %+v as before", m.Name, q, s, assay.JudgeError, want)
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
