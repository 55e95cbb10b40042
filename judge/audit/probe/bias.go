package probe

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/stats"
)

const (
	maxFlips = 0.03
	// tolerance is the largest change of a mean score, of 1, that does not matter.
	tolerance = 0.05
)

// rubric is the rubric of the marks.
var rubric = judge.Rubric{
	Name: "answer", Task: "Mark how well the answer answers the question, by the references and the passages.",
	Dimensions: []judge.Dimension{
		{Name: "correctness", Doc: "whether what the answer says is true by the references and passages", Weight: 1, Anchors: []string{
			"Most of what it says is wrong.", "A main statement is wrong.", "A detail is wrong.", "Everything that it says is right.",
		}},
		{Name: "completeness", Doc: "whether the answer says what the question asks for", Weight: 1, Anchors: []string{
			"It answers nothing of the question.", "It leaves out a main part.", "It leaves out a detail.", "It answers the whole question.",
		}},
	},
}

// Bias tests whether the rulings of a judge depend on what they should not. The error
// is that of ctx, of the options, or a *[judge.FatalError].
func Bias(ctx context.Context, j judge.Judge, o Options) (*Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	b := &biased{o: o, judge: j, rulings: rulings}
	if !judge.Able(j, question.Mark) {
		b.rulings--
	}
	items := o.items()
	for i := range items {
		b.shuffle(items, i)
	}
	for i, it := range items {
		b.rewrite(it, -1)
		b.rewrite(it, i/2%3)
	}
	step := func(ctx context.Context, i int) error { return b.steps[i](ctx) }
	if err := judge.ForEach(ctx, o.Concurrency, len(b.steps), step, o.Done); err != nil {
		return nil, err
	}
	r := &Report{Judge: j.Info(), Level: stats.DefaultLevel, Tests: []Test{b.position()}}
	for v := variant(1); v < variants; v++ {
		r.Tests = append(r.Tests, b.change(v))
	}
	r.conclude()
	return r, nil
}

// biased is the state of a suite. No two steps write to the same place.
type biased struct {
	o     Options
	judge judge.Judge
	// rulings is how many of the rulings of a score the judge gives: a judge that
	// estimates returns no marks.
	rulings  int
	steps    []func(context.Context) error
	shuffles []*shuffled
	rewrites []*rewritten
}

// shuffled is a question that was asked in two orders.
type shuffled struct {
	before, after []judge.Verdict
	err           error
}

// together is how many statements are asked about at once.
const together = 4

// shuffle asks about statements on four items at once, half of them corrupted, and again
// with passages and statements in another order.
func (b *biased) shuffle(items []Item, i int) {
	s := &shuffled{}
	b.shuffles = append(b.shuffles, s)
	var claims []judge.Claim
	var of []Item
	for k := range together {
		it := partner(items, i, k)
		of = append(of, it)
		text := it.Statements[(i+k)%3]
		if (i/2+k)%2 == 1 {
			text = it.Corrupted[(i+k)%3]
		}
		claims = append(claims, judge.Claim{Text: text})
	}
	rng := rand.New(rand.NewPCG(b.o.Seed, uint64(i)))
	passages, places := sources(of...), otherOrder(rng, together)
	turned := make([]judge.Claim, together)
	for to, from := range places {
		turned[to] = claims[from]
	}
	moved := otherOrder(rng, together)
	other := make([]judge.Source, together)
	for to, from := range moved {
		other[to] = judge.Source{Name: passages[to].Name, Text: passages[from].Text}
	}
	b.steps = append(b.steps, func(ctx context.Context) error {
		first, err := question.Support.Ask(ctx, b.judge, items[i].subject(), question.SupportInput{Claims: claims, Sources: passages})
		var second []judge.Finding
		if err == nil {
			second, err = question.Support.Ask(ctx, b.judge, items[i].subject(), question.SupportInput{Claims: turned, Sources: other})
		}
		switch {
		case judge.Over(ctx, err):
			return err
		case err != nil:
			s.err = err
			return nil
		}
		s.before, s.after = make([]judge.Verdict, together), make([]judge.Verdict, together)
		for to, from := range places {
			s.before[from], s.after[from] = first[from].Verdict, second[to].Verdict
		}
		return nil
	})
}

// otherOrder returns a permutation of n that is not the identity.
func otherOrder(rng *rand.Rand, n int) []int {
	for {
		order := rng.Perm(n)
		for i, at := range order {
			if i != at {
				return order
			}
		}
	}
}

func (b *biased) position() Test {
	t := Test{Name: "position", Doc: "verdicts that change when passages and claims are shuffled", Limit: fmt.Sprintf("≤ %.2g", maxFlips)}
	changed := 0.0
	for _, q := range b.shuffles {
		if q.err != nil {
			t.Unread += together
			continue
		}
		for k := range q.before {
			switch {
			case q.before[k] == judge.Unknown || q.after[k] == judge.Unknown:
				t.Unread++
				continue
			case q.before[k] != q.after[k]:
				changed++
			}
			t.N++
		}
	}
	if t.N > 0 {
		ci := stats.Wilson(changed, t.N, stats.DefaultLevel)
		t.Effect, t.Interval = changed/float64(t.N), &ci
	}
	t.conclude(t.N > 0 && t.Effect <= maxFlips)
	return t
}

// rewritten is an answer that was judged in several forms.
type rewritten struct {
	item string
	// scores holds a value in 0…1 for each form and each ruling, nil if there is none.
	scores [variants][rulings]*float64
}

// rulings is the number of rulings of a score; marks come last.
const rulings = 4

var rulingNames = [rulings]string{"supported", "equivalent", "points", "marks"}

// rewrite judges an answer in every form.
func (b *biased) rewrite(it Item, corrupted int) {
	w := &rewritten{item: it.ID}
	b.rewrites = append(b.rewrites, w)
	for v := range variants {
		b.steps = append(b.steps, func(ctx context.Context) error {
			c := assay.Case{ID: it.ID, Question: it.Question, Want: assay.Want{
				Answers: []string{it.Answer(-1)}, Ideal: &assay.Ideal{Answer: it.Answer(-1)},
			}}
			for _, s := range it.Statements {
				c.Want.Ideal.Points = append(c.Want.Ideal.Points, assay.Point{Text: s, Vital: true})
			}
			r := assay.Response{Answer: v.write(it, corrupted), Passages: []assay.Passage{{Text: it.Passage}}}
			plan := judge.Plan{Asks: judge.Asks{question.AnswerPassages, question.Equivalence, question.Points}, Rubric: rubric}
			if b.rulings == rulings {
				plan.Asks = append(plan.Asks, question.Marks)
			}
			a, err := judge.Assess(ctx, b.judge, plan, &c, &r)
			if err != nil {
				return err
			}
			w.scores[v] = [rulings]*float64{supported(a), equivalent(a), points(a), marks(a)}
			return nil
		})
	}
}

// change tests whether a form is scored like plain prose.
func (b *biased) change(v variant) Test {
	t := Test{Name: names[v], Doc: docs[v], Limit: fmt.Sprintf("%.0f %% interval within ±%.2g", 100*(2*stats.DefaultLevel-1), tolerance)}
	var all []stats.Sample
	parts := [rulings][]stats.Sample{}
	for _, w := range b.rewrites {
		sum, n := 0.0, 0
		for k := range rulings {
			before, after := w.scores[0][k], w.scores[v][k]
			if before == nil || after == nil {
				continue
			}
			d := *after - *before
			parts[k] = append(parts[k], stats.Sample{Value: d, Cluster: w.item})
			sum, n = sum+d, n+1
		}
		// A mean over fewer rulings is not comparable.
		if n < b.rulings {
			t.Unread++
			continue
		}
		all = append(all, stats.Sample{Value: sum / float64(n), Cluster: w.item})
	}
	e, within := equal(all)
	t.Effect, t.Interval, t.N = e.Effect, e.Interval, e.N
	t.conclude(within)
	for k, samples := range parts[:b.rulings] {
		e, _ := equal(samples)
		e.Name = rulingNames[k]
		t.Parts = append(t.Parts, e)
	}
	return t
}
