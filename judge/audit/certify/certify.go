package certify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// Options are the options of [Run].
type Options struct {
	// Questions names the questions that the judge is asked; nil means all.
	Questions []string
	// Items is how many items of each question and language are asked about; 0 means all.
	Items int
	// Seed selects the sample, and starts the resampling.
	Seed uint64
	// Concurrency is how many batches are asked at once.
	Concurrency int
	// Language is that in which the judge is asked; "" is that of each item.
	Language judge.Language
	// Unpriced is set if the price of a model is not known.
	Unpriced bool
	// Done takes the progress in batches; it may be nil.
	Done func(done, total int)
	// Now is the clock that dates certificates and times the judge.
	Now func() time.Time
	// Version is that of assay.
	Version string
}

// A Report is the result of [Run].
type Report struct {
	Certificates []assay.Certificate `json:"certificates"`
	// Omitted are questions that were not certified, with the reason.
	Omitted []Omission `json:"omitted,omitempty"`
	// Unruled says of each certificate with items without a ruling why that is so most often.
	Unruled []Unruled `json:"unruled,omitempty"`
}

// An Omission is a question without a certificate.
type Omission struct {
	Question string `json:"question"`
	Language string `json:"language,omitempty"`
	Why      string `json:"why"`
}

// A plan is what one certificate asks about.
type plan struct {
	question Question
	// language is that in which the judge is asked.
	language judge.Language
	items    []Item
	// answers are those to the items that are asked about at once, errs why they are unknown.
	answers [][]answer
	errs    []error
	// declined is why the judge does not answer the question.
	declined error
}

// Run asks a judge about labelled items and measures its rulings. The error is a
// [judge.FatalError] if the judge cannot be asked any more, or that of ctx.
func Run(ctx context.Context, j judge.Judge, set *Set, o Options) (*Report, error) {
	questions, err := Named(o.Questions)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	var plans []*plan
	for _, q := range questions {
		asked := map[judge.Language][]Item{}
		for _, x := range set.Items {
			if x.Kind == q.Kind {
				l := cmp.Or(o.Language, x.Language)
				asked[l] = append(asked[l], x)
			}
		}
		if len(asked) == 0 {
			r.Omitted = append(r.Omitted, Omission{Question: q.Name(), Why: fmt.Sprintf("no labelled data: expected rows with the field %q", q.Kind)})
		}
		for _, l := range slices.Sorted(maps.Keys(asked)) {
			p := &plan{question: q, language: l}
			if judge.Able(j, q.Task) {
				p.items = sample(asked[l], o.Items, o.Seed)
			} else {
				p.declined = judge.Unable(q.Task)
			}
			plans = append(plans, p)
		}
	}
	if err := askAll(ctx, j, plans, o); err != nil {
		return nil, err
	}
	for _, p := range plans {
		if p.declined != nil {
			r.Omitted = append(r.Omitted, Omission{p.question.Name(), string(p.language), p.declined.Error()})
			continue
		}
		r.Certificates = append(r.Certificates, p.certificate(j.Info(), set, o))
		if u, any := p.unruled(); any {
			r.Unruled = append(r.Unruled, u)
		}
	}
	return r, nil
}

// askAll asks about the items of all plans.
func askAll(ctx context.Context, j judge.Judge, plans []*plan, o Options) error {
	var asks []func(context.Context) error
	for _, p := range plans {
		batches := p.question.batches(p.items)
		p.answers, p.errs = make([][]answer, len(batches)), make([]error, len(batches))
		for k, items := range batches {
			asks = append(asks, func(ctx context.Context) error {
				p.answers[k], p.errs[k] = p.ask(ctx, j, items, o)
				if judge.Over(ctx, p.errs[k]) {
					return p.errs[k]
				}
				return nil
			})
		}
	}
	err := judge.ForEach(ctx, o.Concurrency, len(asks), func(ctx context.Context, i int) error { return asks[i](ctx) }, o.Done)
	for _, p := range plans {
		for _, err := range p.errs {
			var declined *judge.DeclinedError
			if errors.As(err, &declined) {
				p.declined = err
			}
		}
	}
	return err
}

// ask asks about the items of one batch. Items without an answer are unknown, with the error.
func (p *plan) ask(ctx context.Context, j judge.Judge, items []Item, o Options) ([]answer, error) {
	s := judge.Subject{Question: items[0].Asked, Language: p.language}
	var m judge.Meter
	began := o.Now()
	got, err := p.question.ask(judge.WithMeter(ctx, &m), j, s, items)
	seconds := o.Now().Sub(began).Seconds()
	spent, warnings := m.Total()
	judge.Count(ctx, spent)
	judge.Called(ctx, m.Calls()...)
	for _, w := range warnings {
		judge.Warn(ctx, w)
	}
	n := float64(len(items))
	for i := range got {
		got[i].item = &items[i]
		// What was in the ledger took no time.
		got[i].seconds, got[i].timed = seconds/n, spent.Calls == 0 && err == nil || spent.Calls > spent.Cached
		got[i].cost = float64(spent.Usage.Cost) / n
	}
	return got, err
}

// Unruled is why a judge gave no ruling on items of a certificate.
type Unruled struct {
	Question string `json:"question"`
	Language string `json:"language"`
	// Items counts the items without a ruling, Alike those of the most frequent reason, of
	// which Why is an example.
	Items int    `json:"items"`
	Alike int    `json:"alike"`
	Why   string `json:"why"`
}

// unruled tells of the items without a ruling; any is false if there are none.
func (p *plan) unruled() (u Unruled, any bool) {
	u = Unruled{Question: p.question.Name(), Language: string(p.language)}
	alike := map[string]int{}
	all := slices.Concat(p.answers...)
	for _, a := range all {
		if !a.known {
			u.Items++
			alike[a.cause]++
		}
	}
	for _, a := range all {
		if n := alike[a.cause]; !a.known && n > u.Alike {
			u.Alike, u.Why = n, a.why
		}
	}
	return u, u.Items > 0
}
