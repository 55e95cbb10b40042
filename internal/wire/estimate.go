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

// An Estimator estimates the cost of a run before it begins. It calls no model.
type Estimator struct {
	cases   *assay.Cases
	target  opened
	metrics []metric.Metric
	judge   judge.Judge
	asked   judge.Plan
	models  *Models
	// draws is how often each case is asked and judged.
	draws        int
	passes, topK int
	// ladder is how often each rung of the ladder is asked; see [Estimate.Ladder].
	ladder int
	// canaries are the judges that are asked their canaries after the cases.
	canaries []CanaryJudge
}

// Estimator returns the estimator of the run.
func (p *Prepared) Estimator() *Estimator {
	draws := max(1, p.cfg.Repeat)
	e := &Estimator{
		cases: p.cases, target: p.target, metrics: p.metrics, asked: p.asked, models: p.models,
		draws: draws, passes: p.cfg.Passes, topK: p.cfg.TopK,
	}
	if !p.estimates() {
		e.judge = p.judge
	}
	if p.absent == "" && watched(p.cfg, p.cases.Len()*draws) {
		e.canaries = p.models.CanaryJudges(nil, p.cfg, p.world.Now)
	}
	if p.cfg.Attribution == "ladder" && (!p.target.Free || p.paysToDecide()) {
		e.ladder = repetitions
		if p.target.Free {
			e.ladder = 1
		}
	}
	return e
}

// Estimate estimates the cost of judging the run. It asks a free target about a
// few cases. For any other target it uses seen as the response to every case,
// or responses of a usual size if seen is nil.
func (e *Estimator) Estimate(ctx context.Context, seen *assay.Response) (Estimate, error) {
	out, err := e.judged(ctx, seen)
	if err == nil && e.target.Rehearsed {
		out.Target, err = e.estimateStages(ctx)
	}
	out.Ladder = e.ladder
	return out, err
}

// judged estimates the part that concerns judges.
func (e *Estimator) judged(ctx context.Context, seen *assay.Response) (Estimate, error) {
	out := Estimate{Cases: e.cases.Len(), Passes: e.passes}
	judged := slices.DeleteFunc(slices.Clone(e.metrics), func(m metric.Metric) bool { return len(m.Asks()) == 0 })
	if len(judged) == 0 || e.judge == nil {
		return out, nil
	}
	sample, err := e.sample(ctx, seen)
	if out.Sampled = len(sample); err != nil || out.Sampled == 0 {
		return out, err
	}
	out.Asked = e.target.Free
	for _, m := range judged {
		t, _, err := e.estimateMetrics(ctx, []metric.Metric{m}, sample)
		if err != nil {
			return out, err
		}
		t.Name = m.Name
		out.Metrics = append(out.Metrics, t)
	}
	out.Together, out.Most, err = e.estimateMetrics(ctx, judged, sample)
	out.Together.Name = "together"
	if err != nil || len(e.canaries) == 0 {
		return out, err
	}
	out.Canaries, _, err = e.models.DryRun(ctx, 1, func(ctx context.Context) error {
		for i := range e.canaries {
			if err := e.canaries[i].Rehearse(ctx, "", 1); err != nil {
				return err
			}
		}
		return nil
	})
	out.Canaries.Name = "canaries"
	return out, err
}

// Expect estimates the cost of judging the run and records it in the header. It
// returns nil if no model judges.
func (p *Prepared) Expect(ctx context.Context) (*assay.Spending, error) {
	e, err := p.Estimator().judged(ctx, nil)
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
func (e *Estimator) sample(ctx context.Context, seen *assay.Response) ([]answered, error) {
	var sample []answered
	for _, c := range sampled(e.cases) {
		switch {
		case !e.target.Free && seen != nil:
			sample = append(sample, answered{c, *seen})
			continue
		case !e.target.Free:
			sample = append(sample, answered{c, usual(c, e.topK)})
			continue
		}
		resp, err := e.target.Target.Ask(embed.Unkept(ctx), &c)
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
func (e *Estimator) estimateStages(ctx context.Context) (CallEstimate, error) {
	c := e.models.counting(1)
	c.total.Name = "the pipeline"
	defer c.detach()
	target, done, err := e.rehearsal(ctx)
	if err != nil {
		return CallEstimate{}, err
	}
	defer done()
	corpus := c.total
	c.total = CallEstimate{Name: corpus.Name, Priced: true}
	asked := sampled(e.cases)
	for _, one := range asked {
		// There is no stand-in for a transcriber.
		one.Audio = ""
		if _, err := target.Ask(ctx, &one); err != nil {
			return CallEstimate{}, err
		}
	}
	return scaled(c.total, e.cases.Len()*e.draws, len(asked)).plus(corpus), nil
}

// rehearsal returns the target to ask with the stand-in for the models, which must be
// attached: the target itself, or, if a model embeds, one that has embedded its passages by
// the stand-in. done must be called at the end.
func (e *Estimator) rehearsal(ctx context.Context) (_ assay.Target, done func(), err error) {
	p, ok := e.target.original().(*rag.Pipeline)
	if !ok || e.models.vectors == nil {
		return e.target.Target, func() {}, nil
	}
	// What it learns of the stand-in's vectors must not be known of those of the model.
	whole, err := p.Part(ctx, 0, e.models.vectors.Fresh())
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
func (e *Estimator) estimateMetrics(ctx context.Context, metrics []metric.Metric, sample []answered) (t CallEstimate, most int, err error) {
	c := e.models.counting(e.passes)
	defer c.detach()
	for i := range sample {
		plan := e.asked
		plan.Asks = nil
		for _, m := range metrics {
			if ok, _ := m.Applies(&sample[i].c); ok {
				plan.Asks = plan.Asks.Join(m.AsksAbout(&sample[i].c))
			}
		}
		if _, err := judge.Assess(ctx, e.judge, plan, &sample[i].c, &sample[i].resp); err != nil {
			return t, 0, err
		}
	}
	judged := e.cases.Len() * e.draws
	return scaled(c.total, judged, len(sample)), (c.most*judged + len(sample) - 1) / len(sample), nil
}
