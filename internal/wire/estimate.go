package wire

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/embed"
)

// An Estimate is the expected cost of judging a run. It is found by putting the
// questions about a sample of the cases to a stand-in for the models, which
// costs nothing.
type Estimate struct {
	// Cases is the number of cases of the run, Sampled the number that the
	// estimate is based on.
	Cases, Sampled int
	// Asked is set if the target answered the sampled cases. Otherwise their
	// responses were made up.
	Asked bool
	// Metrics has the usage of each judged metric on its own. Metrics share
	// questions, so Together is less than their sum.
	Metrics  []CallEstimate
	Together CallEstimate
	// Canaries is the usage of the frozen questions that follow the cases; a run that freezes
	// the answers asks them twice. The zero value if none are asked.
	Canaries CallEstimate
	// Target is the usage of the stages of the built-in pipeline; the zero
	// value if they call no model.
	Target CallEstimate
	// Ladder is how often each rung of the ladder is asked if that costs
	// something. The figures leave this cost out, because the number of wrong
	// answers is not known in advance. 0 if there is no ladder, or if it is
	// free.
	Ladder int
	// Passes is the maximum number of passes per ruling. The figures assume that the
	// passes agree, and that a model is sure where the stand-in is; Most is the number of
	// calls if every ruling takes all passes.
	Passes, Most int
}

// A CallEstimate is the expected number of calls and tokens of a set of questions, and
// their cost.
type CallEstimate struct {
	Name string
	assay.Spending
	// Priced is false if the price of a model is not known; the cost is then
	// that of the other models.
	Priced bool
}

// Expected returns the calls and tokens, with their cost if it is known.
func (t CallEstimate) Expected() assay.Spending {
	if !t.Priced {
		t.Usage.Cost = 0
	}
	return t.Spending
}

// Dollars formats the cost; "unknown" if a price is not known.
func (t CallEstimate) Dollars() string {
	if !t.Priced {
		return "unknown"
	}
	return assay.Dollars(t.Usage.Cost)
}

// sampleSize is the number of cases an estimate asks about: enough for the mean
// length of passages and answers, and still fast.
const sampleSize = 20

// draws is how often each case is asked and judged.
func (p *Prepared) draws() int { return max(1, p.cfg.Repeat) }

// rungs is how often each rung of the ladder is asked; see [Estimate.Ladder].
func (p *Prepared) rungs() int {
	switch {
	case p.cfg.Attribution != "ladder" || p.target.Free && !p.paysToDecide():
		return 0
	case p.target.Free:
		return 1
	}
	return repetitions
}

// Estimate estimates the cost of judging the run. It asks a free target about a
// few cases. For any other target it uses seen as the response to every case,
// or responses of a usual size if seen is nil.
func (p *Prepared) Estimate(ctx context.Context, seen *assay.Response) (Estimate, error) {
	out, err := p.estimateJudging(ctx, seen)
	if err == nil && p.target.Rehearsed {
		out.Target, err = p.estimateStages(ctx)
	}
	out.Ladder = p.rungs()
	return out, err
}

// estimateJudging estimates the part that concerns judges.
func (p *Prepared) estimateJudging(ctx context.Context, seen *assay.Response) (Estimate, error) {
	out := Estimate{Cases: p.cases.Len(), Passes: p.cfg.Passes}
	judged := slices.DeleteFunc(slices.Clone(p.metrics), func(m metric.Metric) bool { return len(m.Asks()) == 0 })
	if len(judged) == 0 || p.judge == nil || p.estimates() {
		return out, nil
	}
	sample, err := p.sample(ctx, seen)
	if out.Sampled = len(sample); err != nil || out.Sampled == 0 {
		return out, err
	}
	out.Asked = p.target.Free
	for _, m := range judged {
		t, _, err := p.estimateMetrics(ctx, []metric.Metric{m}, sample)
		if err != nil {
			return out, err
		}
		t.Name = m.Name
		out.Metrics = append(out.Metrics, t)
	}
	out.Together, out.Most, err = p.estimateMetrics(ctx, judged, sample)
	out.Together.Name = "together"
	if err != nil || p.absent != "" || !watched(p.cfg, p.cases.Len()*p.draws()) {
		return out, err
	}
	out.Canaries, _, err = p.models.DryRun(ctx, 1, func(ctx context.Context) error { return p.models.RehearseCanaries(ctx, 1) })
	out.Canaries.Name = "canaries"
	return out, err
}

// Expect estimates the cost of judging the run and records it in the header. It
// returns nil if no model judges.
func (p *Prepared) Expect(ctx context.Context) (*assay.Spending, error) {
	e, err := p.estimateJudging(ctx, nil)
	if err != nil || e.Sampled == 0 {
		return nil, err
	}
	all := e.Together
	if e.Canaries.Calls > 0 {
		all = all.plus(e.Canaries)
	}
	expected := all.Expected()
	p.plan.Header.Estimated = &expected
	return &expected, nil
}

type answered struct {
	c    assay.Case
	resp assay.Response
}

// sample returns cases from all of the dataset, with responses.
func (p *Prepared) sample(ctx context.Context, seen *assay.Response) ([]answered, error) {
	var sample []answered
	for _, c := range sampled(p.cases) {
		switch {
		case !p.target.Free && seen != nil:
			sample = append(sample, answered{c, *seen})
			continue
		case !p.target.Free:
			sample = append(sample, answered{c, usual(c, p.cfg.TopK)})
			continue
		}
		resp, err := p.target.Target.Ask(embed.Unkept(ctx), &c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			// The run will report the error; the cost of judging does not
			// depend on it.
			continue
		}
		sample = append(sample, answered{c, resp})
	}
	return sample, nil
}

// sampled returns cases from all of a dataset, at most [sampleSize].
func sampled(cases *assay.Cases) (out []assay.Case) {
	step := max(1, cases.Len()/sampleSize)
	for i := 0; i < cases.Len() && len(out) < sampleSize; i += step {
		out = append(out, cases.At(i))
	}
	return out
}

// The assumed size of an unknown response: an answer of three sentences,
// passages of eight.
const (
	usualAnswer  = 3
	usualPassage = 8
	usualWords   = "The usual sentence of a text has some sixteen words, of which this one is an example"
)

// usual returns a response of the usual size.
func usual(c assay.Case, topK int) assay.Response {
	sentences := func(n int, about string) string {
		return strings.Repeat(usualWords+" "+about+". ", n)
	}
	r := assay.Response{Answer: sentences(usualAnswer, "")}
	if len(c.Want.Answers) > 0 {
		r.Answer = c.Want.Answers[0]
	}
	for i := range topK {
		r.Passages = append(r.Passages, assay.Passage{Text: sentences(usualPassage, fmt.Sprint(i+1))})
	}
	return r
}

// estimateStages estimates the model usage of the stages of the built-in pipeline.
func (p *Prepared) estimateStages(ctx context.Context) (CallEstimate, error) {
	c := p.models.counting(1)
	c.total.Name = "the pipeline"
	defer c.detach()
	target, done, err := p.rehearsal(ctx)
	if err != nil {
		return CallEstimate{}, err
	}
	defer done()
	corpus := c.total
	c.total = CallEstimate{Name: corpus.Name, Priced: true}
	asked := sampled(p.cases)
	for _, one := range asked {
		// There is no stand-in for a transcriber.
		one.Audio = ""
		if _, err := target.Ask(ctx, &one); err != nil {
			return CallEstimate{}, err
		}
	}
	return scaled(c.total, p.cases.Len()*p.draws(), len(asked)).plus(corpus), nil
}

// rehearsal returns the target to ask with the stand-in for the models, which must be
// attached: the target itself, or, if a model embeds, one that has embedded its passages by
// the stand-in. done must be called at the end.
func (p *Prepared) rehearsal(ctx context.Context) (_ assay.Target, done func(), err error) {
	pipeline, ok := p.target.original().(*rag.Pipeline)
	if !ok || p.models.vectors == nil {
		return p.target.Target, func() {}, nil
	}
	// What it learns of the stand-in's vectors must not be known of those of the model.
	whole, err := pipeline.Part(ctx, 0, p.models.vectors.Fresh())
	if err != nil {
		return nil, nil, err
	}
	return whole, func() { _ = whole.Close() }, nil // it is in memory
}

// plus adds the usage of other calls.
func (t CallEstimate) plus(o CallEstimate) CallEstimate {
	t.Add(o.Spending)
	t.Priced = t.Priced && o.Priced
	return t
}

// scaled scales the usage of a sample up to all cases.
func scaled(t CallEstimate, all, sampled int) CallEstimate {
	scale := func(n int) int { return (n*all + sampled - 1) / sampled }
	t.Calls, t.Usage.InputTokens, t.Usage.OutputTokens = scale(t.Calls), scale(t.Usage.InputTokens), scale(t.Usage.OutputTokens)
	t.Usage.Cost = t.Usage.Cost * int64(all) / int64(sampled)
	return t
}

// estimateMetrics puts the questions of the metrics to the stand-in and scales the usage
// from the sample to the run.
func (p *Prepared) estimateMetrics(ctx context.Context, metrics []metric.Metric, sample []answered) (t CallEstimate, most int, err error) {
	c := p.models.counting(p.cfg.Passes)
	defer c.detach()
	for i := range sample {
		plan := p.asked
		plan.Asks = nil
		for _, m := range metrics {
			if ok, _ := m.Applies(&sample[i].c); ok {
				plan.Asks = plan.Asks.Join(m.AsksAbout(&sample[i].c))
			}
		}
		if _, err := judge.Assess(ctx, p.judge, plan, &sample[i].c, &sample[i].resp); err != nil {
			return t, 0, err
		}
	}
	judged := p.cases.Len() * p.draws()
	return scaled(c.total, judged, len(sample)), (c.most*judged + len(sample) - 1) / len(sample), nil
}
