package suite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/stats"
)

// Bias tests whether the rulings of a judge depend on what they should not. Its size is the
// number of items in each language.
var Bias = &Suite{
	Unit: "items", Size: 10, Least: 4, Most: 10,
	prepare: func(j judge.Judge, o Options) ([]step, func(*Report)) {
		b := &biased{judge: j, items: Items()[:2*o.Size], seed: o.Seed, rubric: load[judge.Rubric]("rubric.yaml")}
		b.scored = slices.DeleteFunc(slices.Clone(scored), func(s scoring) bool { return len(able(j, judge.Asks{s.question})) == 0 })
		for i := range b.items {
			b.shuffle(i)
		}
		for i, it := range b.items {
			b.rewrite(it, -1)
			b.rewrite(it, i/2%3)
		}
		return b.steps, b.conclude
	},
}

const (
	maxFlips = 0.03
	// tolerance is the largest change of a mean score, of 1, that does not matter.
	tolerance = 0.05
)

// biased is the state of the suite.
type biased struct {
	judge  judge.Judge
	items  []Item
	seed   uint64
	rubric judge.Rubric
	// scored are the rulings of a score that the judge gives: a judge that estimates returns
	// no marks.
	scored   []scoring
	steps    []step
	shuffles []*shuffled
	rewrites []*rewritten
}

func (b *biased) conclude(r *Report) {
	b.position(r)
	for v, f := range forms()[1:] {
		b.change(r, f, v+1)
	}
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
func (b *biased) shuffle(i int) {
	s := &shuffled{}
	b.shuffles = append(b.shuffles, s)
	var asked, again question.SupportInput
	for k := range together {
		it := b.items[(i+2*k)%len(b.items)] // of the same language
		claims := it.Statements
		if (i/2+k)%2 == 1 {
			claims = it.Corrupted
		}
		asked.Claims = append(asked.Claims, judge.Claim{Text: claims[(i+k)%3]})
		asked.Sources = append(asked.Sources, judge.Source{Name: fmt.Sprintf("passage %d", k+1), Text: it.Passage})
	}
	rng := rand.New(rand.NewPCG(b.seed, uint64(i)))
	places := otherOrder(rng, together)
	again.Claims = judge.Pick(asked.Claims, places)
	again.Sources = judge.Pick(asked.Sources, otherOrder(rng, together))
	for k := range again.Sources {
		again.Sources[k].Name = asked.Sources[k].Name
	}
	subject := judge.Subject{Question: b.items[i].Question, Language: b.items[i].Language}
	b.steps = append(b.steps, func(ctx context.Context) error {
		first, err := question.Support.Ask(ctx, b.judge, subject, asked)
		var second []judge.Finding
		if err == nil {
			second, err = question.Support.Ask(ctx, b.judge, subject, again)
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
		if order := rng.Perm(n); !slices.IsSorted(order) {
			return order
		}
	}
}

func (b *biased) position(r *Report) {
	t := Test{Part: Part{Name: "position"}, Doc: "verdicts that change when passages and claims are shuffled", Limit: fmt.Sprintf("≤ %.2g", maxFlips)}
	for _, q := range b.shuffles {
		if q.err != nil {
			t.Unread += together
			continue
		}
		for k := range q.before {
			if q.before[k] == judge.Unknown || q.after[k] == judge.Unknown {
				t.Unread++
				continue
			}
			t.count(ones(q.before[k] != q.after[k]), 1)
		}
	}
	if t.N > 0 {
		ci := stats.Wilson(float64(t.hits), t.N, stats.DefaultLevel)
		t.Effect, t.Interval = float64(t.hits)/float64(t.N), &ci
	}
	r.add(t, t.Effect <= maxFlips)
}

// rewritten is an answer that was judged in several forms.
type rewritten struct {
	item string
	// scores holds for each form a value in 0…1 for each of the rulings, NaN if there is none.
	scores [][]float64
}

// A scoring is a ruling of a score. Its value is NaN, or an error, if there is none.
type scoring struct {
	name     string
	question judge.AnyQuestion
	value    func(a *judge.Assessment) (float64, error)
}

var scored = []scoring{
	{"supported", question.AnswerPassages, supported},
	{"equivalent", question.Equivalence, func(a *judge.Assessment) (float64, error) {
		r, err := question.Equivalence.Of(a).Get()
		return r.Degree, err
	}},
	{"points", question.Points, points},
	{"marks", question.Marks, func(a *judge.Assessment) (float64, error) {
		m, err := question.Marks.Of(a).Get()
		if err != nil {
			return 0, err
		}
		return judge.RubricScore(a.Rubric, m)
	}},
}

// rewrite judges an answer in every form.
func (b *biased) rewrite(it Item, corrupted int) {
	w := &rewritten{item: it.ID, scores: make([][]float64, len(forms()))}
	b.rewrites = append(b.rewrites, w)
	plan := judge.Plan{Rubric: b.rubric}
	for _, s := range b.scored {
		plan.Asks = append(plan.Asks, s.question)
	}
	for v, f := range forms() {
		b.steps = append(b.steps, func(ctx context.Context) error {
			c := assay.Case{ID: it.ID, Question: it.Question, Want: assay.Want{
				Answers: []string{it.Answer(-1)}, Ideal: &assay.Ideal{Answer: it.Answer(-1)},
			}}
			for _, s := range it.Statements {
				c.Want.Ideal.Points = append(c.Want.Ideal.Points, assay.Point{Text: s, Vital: true})
			}
			r := assay.Response{Answer: f.write(it, corrupted), Passages: []assay.Passage{{Text: it.Passage}}}
			a, err := judge.Assess(ctx, b.judge, plan, &c, &r)
			if err != nil {
				return err
			}
			for _, s := range b.scored {
				score, err := s.value(a)
				if err != nil {
					score = math.NaN()
				}
				w.scores[v] = append(w.scores[v], score)
			}
			return nil
		})
	}
}

// change tests whether a form is scored like plain prose.
func (b *biased) change(r *Report, f form, v int) {
	t := Test{Part: Part{Name: f.Name}, Doc: f.Doc,
		Limit: fmt.Sprintf("%.0f %% interval within ±%.2g", 100*equalLevel, tolerance)}
	var all []stats.Sample
	parts := make([][]stats.Sample, len(b.scored))
	for _, w := range b.rewrites {
		sum, n := 0.0, 0
		for k := range parts {
			d := w.scores[v][k] - w.scores[0][k]
			if math.IsNaN(d) {
				continue
			}
			parts[k] = append(parts[k], stats.Sample{Value: d, Cluster: w.item})
			sum, n = sum+d, n+1
		}
		// A mean over fewer rulings is not comparable.
		if n < len(parts) {
			t.Unread++
			continue
		}
		all = append(all, stats.Sample{Value: sum / float64(n), Cluster: w.item})
	}
	within := t.equal(all)
	for k, samples := range parts {
		p := Part{Name: b.scored[k].name, By: "ruling"}
		p.equal(samples)
		t.Parts = append(t.Parts, p)
	}
	r.add(t, within)
}

// equalLevel is the level of the interval of an equivalence test.
const equalLevel = 2*stats.DefaultLevel - 1

// equal makes the effect the mean of differences, and tests whether it is equivalent to 0.
func (p *Part) equal(differences []stats.Sample) (equivalent bool) {
	p.N = len(differences)
	e, ok := stats.TOST(differences, tolerance, 1-stats.DefaultLevel)
	if !ok {
		for _, d := range differences {
			p.Effect += d.Value / float64(len(differences))
		}
		return false
	}
	if p.Effect = e.Mean; e.SE > 1e-12 {
		p.Interval, p.Level = &e.CI, equalLevel
	}
	return e.Equivalent
}

// maxUnknown is the share of claims without a ruling above which there is no value.
const maxUnknown = 0.2

// supported is the share of the answer's claims that the passages support; NaN if too
// many rulings are missing or the answer makes no claim.
func supported(a *judge.Assessment) (float64, error) {
	found, err := question.AnswerPassages.Of(a).Get()
	held, ruled := 0.0, 0
	for _, f := range found {
		if f.Verdict != judge.Unknown {
			ruled++
			held += f.Degree
		}
	}
	if float64(len(found)-ruled) > maxUnknown*float64(len(found)) {
		return math.NaN(), err
	}
	return held / float64(ruled), err
}

// points is the mean credit for the points of the ideal answer; NaN if one is not known.
func points(a *judge.Assessment) (float64, error) {
	p, err := question.Points.Of(a).Get()
	sum := 0.0
	for _, one := range p {
		if !one.Known {
			return math.NaN(), err
		}
		sum += one.Credit
	}
	return sum / float64(len(p)), err
}
