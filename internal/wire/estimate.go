package wire

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/metric"
)

// An Estimate is what judging a run is expected to take. It is found by asking
// a stand-in, which costs nothing, the very questions that the models would be
// asked about a sample of the cases.
type Estimate struct {
	// Cases is the number of the run's, Sampled that of those it is based on.
	// Judgings is how often each case is judged: once for every draw.
	Cases, Sampled, Judgings int
	// Asked is set when the target answered those cases, and their responses
	// were not made up.
	Asked bool
	// Metrics has what each judged metric would take if it were alone. They
	// share questions, so that Together is less than their sum.
	Metrics  []Toll
	Together Toll
	// Target is what the stages of the built-in pipeline take of models; the
	// zero value when they ask none.
	Target Toll
	// Ladder is how often each rung of the ladder is asked where that costs
	// something, which the figures leave out: nobody knows how many answers will be
	// wrong. 0 when no ladder is climbed, or it is free.
	Ladder int
	// Passes is how often a ruling is asked for at most. The figures are for
	// passes that agree; Most is the number of calls when they never do.
	Passes, Most int
}

// A Toll is what questions take.
type Toll struct {
	Name  string
	Calls int
	Usage assay.Usage
	// Priced is false when the price of a model is not known: the cost is
	// then that of the others.
	Priced bool
}

// sampleSize is how many cases an estimate asks about: enough for the mean
// length of passages and answers, and quick.
const sampleSize = 20

// An Estimator tells what a run is expected to cost before it begins. It asks no
// model.
type Estimator struct {
	cases   []assay.Case
	target  opened
	metrics []metric.Metric
	judge   judge.Judge
	asked   judge.Plan
	models  *Models
	// draws is how often each case is asked, judgings how often it is judged.
	draws, judgings int
	passes, topK    int
	// ladder is how often each rung of the ladder is asked; see [Estimate.Ladder].
	ladder int
}

// Estimator gives the estimator of the run.
func (p *Prepared) Estimator() *Estimator {
	draws := max(1, p.cfg.Repeat)
	e := &Estimator{
		cases: p.cases, target: p.target, metrics: p.metrics, asked: p.asked, models: p.models,
		draws: draws, judgings: draws + p.again, passes: p.cfg.Passes, topK: p.cfg.TopK,
	}
	if !p.estimates() {
		e.judge = p.judge
	}
	if p.cfg.Attribution == "ladder" && (!p.target.Free || p.paysToDecide()) {
		e.ladder = repetitions
		if p.target.Free {
			e.ladder = 1
		}
	}
	return e
}

// Estimate says what judging the run would take. A target that costs nothing is
// asked about a few cases; for any other one, seen stands for its responses, or
// responses of a usual size when it is nil too.
func (e *Estimator) Estimate(ctx context.Context, seen *assay.Response) (Estimate, error) {
	out, err := e.judged(ctx, seen)
	if err == nil && e.target.Rehearsed {
		out.Target, err = e.stagesToll(ctx)
	}
	out.Ladder = e.ladder
	return out, err
}

// judged is the part of an estimate that is about judges.
func (e *Estimator) judged(ctx context.Context, seen *assay.Response) (Estimate, error) {
	out := Estimate{Cases: len(e.cases), Judgings: e.judgings, Passes: e.passes}
	judged := slices.DeleteFunc(slices.Clone(e.metrics), func(m metric.Metric) bool { return len(m.Def.Asks) == 0 })
	if len(judged) == 0 || e.judge == nil {
		return out, nil
	}
	sample, err := e.sample(ctx, seen)
	if out.Sampled = len(sample); err != nil || out.Sampled == 0 {
		return out, err
	}
	out.Asked = e.target.Free
	for _, m := range judged {
		t, _, err := e.toll(ctx, []metric.Metric{m}, sample)
		if err != nil {
			return out, err
		}
		t.Name = m.Name
		out.Metrics = append(out.Metrics, t)
	}
	out.Together, out.Most, err = e.toll(ctx, judged, sample)
	out.Together.Name = "together"
	return out, err
}

// Expect estimates what judging the run will take and notes it in the header; nil
// when no model judges.
func (p *Prepared) Expect(ctx context.Context) (*assay.Spending, error) {
	e, err := p.Estimator().judged(ctx, nil)
	if err != nil || e.Sampled == 0 {
		return nil, err
	}
	expected := &assay.Spending{Calls: e.Together.Calls, Usage: e.Together.Usage}
	if !e.Together.Priced {
		expected.Usage.Cost = 0
	}
	p.plan.Header.Estimated = expected
	return expected, nil
}

type answered struct {
	c    assay.Case
	resp assay.Response
}

// sample gives cases from the whole of the dataset, with responses.
func (e *Estimator) sample(ctx context.Context, seen *assay.Response) ([]answered, error) {
	step := max(1, len(e.cases)/sampleSize)
	var sample []answered
	for i := 0; i < len(e.cases) && len(sample) < sampleSize; i += step {
		c := e.cases[i]
		switch {
		case !e.target.Free && seen != nil:
			sample = append(sample, answered{c, *seen})
			continue
		case !e.target.Free:
			sample = append(sample, answered{c, usual(c, e.topK)})
			continue
		}
		resp, err := e.target.Target.Ask(ctx, &c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			// The run would say so; what judging takes does not depend on it.
			continue
		}
		sample = append(sample, answered{c, resp})
	}
	return sample, nil
}

// The size of responses when nothing is known of them: an answer of three
// sentences, passages of eight.
const (
	usualAnswer  = 3
	usualPassage = 8
	usualWords   = "The usual sentence of a text has some sixteen words, of which this one is an example"
)

// usual makes a response of the usual size.
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

// stagesToll estimates what the stages of the built-in pipeline ask of models.
func (e *Estimator) stagesToll(ctx context.Context) (Toll, error) {
	c := &counter{models: e.models, passes: 1, seen: map[string]bool{}, toll: Toll{Name: "the pipeline", Priced: true}}
	c.attach()
	defer c.detach()
	step, sampled := max(1, len(e.cases)/sampleSize), 0
	for i := 0; i < len(e.cases) && sampled < sampleSize; i += step {
		one := e.cases[i]
		// Nobody stands in for a transcriber.
		one.Audio = ""
		if _, err := e.target.Target.Ask(ctx, &one); err != nil {
			return Toll{}, err
		}
		sampled++
	}
	return scaled(c.toll, len(e.cases)*e.draws, sampled), nil
}

// scaled is a toll of a sample for all.
func scaled(t Toll, all, sampled int) Toll {
	scale := func(n int) int { return (n*all + sampled - 1) / sampled }
	t.Calls, t.Usage.InputTokens, t.Usage.OutputTokens = scale(t.Calls), scale(t.Usage.InputTokens), scale(t.Usage.OutputTokens)
	t.Usage.Cost = t.Usage.Cost * int64(all) / int64(sampled)
	return t
}

// toll asks the stand-in what the metrics want to know, and scales what that
// takes from the sample to the run.
func (e *Estimator) toll(ctx context.Context, metrics []metric.Metric, sample []answered) (t Toll, most int, err error) {
	c := &counter{models: e.models, passes: e.passes, seen: map[string]bool{}, toll: Toll{Priced: true}}
	c.attach()
	defer c.detach()
	for i := range sample {
		plan := e.asked
		plan.Asks = nil
		for _, m := range metrics {
			if ok, _ := m.Applies(&sample[i].c); ok {
				plan.Asks = plan.Asks.Join(m.Def.Asks)
			}
		}
		if _, err := judge.Assess(ctx, e.judge, plan, &sample[i].c, &sample[i].resp); err != nil {
			return t, 0, err
		}
	}
	judged := len(e.cases) * e.judgings
	return scaled(c.toll, judged, len(sample)), (c.most*judged + len(sample) - 1) / len(sample), nil
}

// A counter stands in for every model and counts what it is asked.
type counter struct {
	models *Models
	passes int

	mu   sync.Mutex
	seen map[string]bool
	toll Toll
	most int
}

func (c *counter) attach() {
	for _, l := range c.models.providers {
		l.client = standIn{c, l.Name()}
	}
}

func (c *counter) detach() {
	for _, l := range c.models.providers {
		l.client = nil
	}
}

// A standIn answers for one provider.
type standIn struct {
	*counter
	name string
}

// Name is that of the provider it stands in for.
func (s standIn) Name() string { return s.name }

// Complete answers by plain rules, and counts a question once.
func (s standIn) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	text, err := play(r)
	if err != nil {
		return llm.Reply{}, &llm.Error{Kind: llm.KindReply, Provider: s.name, Model: r.Model, Message: err.Error(), Err: err}
	}
	key, _, err := llm.Key(s.name, r)
	if err != nil {
		return llm.Reply{}, &llm.Error{Kind: llm.KindRequest, Provider: s.name, Model: r.Model, Message: err.Error(), Err: err}
	}
	u := llm.Usage{Input: llm.EstimateTokens(r.System), Output: llm.EstimateTokens(text) + r.Thinking}
	for _, m := range r.Messages {
		u.Input += llm.EstimateTokens(m.Text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.seen[key] {
		s.seen[key] = true
		cost, ok := s.models.prices.Cost(s.name, r.Model, u)
		s.toll.Calls++
		s.toll.Usage.InputTokens += u.Input
		s.toll.Usage.OutputTokens += u.Output
		s.toll.Usage.Cost += cost
		s.toll.Priced = s.toll.Priced && ok
		s.most += s.worst(r)
	}
	return llm.Reply{Text: text, Nonce: llm.NonceMark, Usage: u}, nil
}

// worst is how many calls this one stands for when passes never agree: of k
// passes the first (k+1)/2 are counted already.
func (c *counter) worst(r llm.Request) int {
	first := (c.passes + 1) / 2
	if !extracted(r.Operation) && r.Draw == first-1 {
		return 1 + c.passes - first
	}
	return 1
}

// extracted reports whether a task is put once, however many passes there are:
// there is nothing to vote on.
func extracted(operation string) bool {
	return slices.ContainsFunc(question.Tasks(), func(t judge.AnyTask) bool { return t.Operation() == operation && t.Extracts() })
}
