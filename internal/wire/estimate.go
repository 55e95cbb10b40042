package wire

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
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

// Estimate says what judging the run would take. It asks no model. A target that
// costs nothing is asked about a few cases; for any other one, seen stands for
// its responses, or responses of a usual size when it is nil too.
func (j *Job) Estimate(ctx context.Context, seen *assay.Response) (Estimate, error) {
	e, err := j.judging(ctx, seen)
	if err == nil && j.rehearsed {
		e.Target, err = j.stagesToll(ctx)
	}
	if j.cfg.Attribution == "ladder" && (!j.free || j.paysToDecide()) {
		e.Ladder = repetitions
		if j.free {
			e.Ladder = 1
		}
	}
	return e, err
}

// judging is the part of an estimate that is about judges.
func (j *Job) judging(ctx context.Context, seen *assay.Response) (Estimate, error) {
	e := Estimate{Cases: len(j.cases), Judgings: j.judgings(), Passes: j.cfg.Passes}
	judged := slices.DeleteFunc(slices.Clone(j.metrics), func(m metric.Metric) bool { return m.Def.Asks == 0 })
	if len(judged) == 0 || j.header.Judge.Estimate {
		return e, nil
	}
	sample, err := j.sample(ctx, seen)
	if e.Sampled = len(sample); err != nil || e.Sampled == 0 {
		return e, err
	}
	e.Asked = j.free
	for _, m := range judged {
		t, _, err := j.toll(ctx, []metric.Metric{m}, sample)
		if err != nil {
			return e, err
		}
		t.Name = m.Name
		e.Metrics = append(e.Metrics, t)
	}
	e.Together, e.Most, err = j.toll(ctx, judged, sample)
	e.Together.Name = "together"
	return e, err
}

// Expect is what judging the run is expected to take, for its header; nil when
// no model judges.
func (j *Job) Expect(ctx context.Context) (*assay.Spending, error) {
	e, err := j.judging(ctx, nil)
	if err != nil || e.Sampled == 0 {
		return nil, err
	}
	j.header.Estimated = &assay.Spending{Calls: e.Together.Calls, Usage: e.Together.Usage}
	if !e.Together.Priced {
		j.header.Estimated.Usage.Cost = 0
	}
	return j.header.Estimated, nil
}

type asked struct {
	c    assay.Case
	resp assay.Response
}

// sample gives cases from the whole of the data set, with responses.
func (j *Job) sample(ctx context.Context, seen *assay.Response) ([]asked, error) {
	step := max(1, len(j.cases)/sampleSize)
	var sample []asked
	for i := 0; i < len(j.cases) && len(sample) < sampleSize; i += step {
		c := j.cases[i]
		switch {
		case !j.free && seen != nil:
			sample = append(sample, asked{c, *seen})
			continue
		case !j.free:
			sample = append(sample, asked{c, usual(c, j.cfg.TopK)})
			continue
		}
		resp, err := j.target.Ask(ctx, &c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			// The run would say so; what judging takes does not depend on it.
			continue
		}
		sample = append(sample, asked{c, resp})
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
func (j *Job) stagesToll(ctx context.Context) (Toll, error) {
	c := &counter{models: j.models, passes: 1, seen: map[string]bool{}, toll: Toll{Name: "the pipeline", Priced: true}}
	c.attach()
	defer c.detach()
	step, sampled := max(1, len(j.cases)/sampleSize), 0
	for i := 0; i < len(j.cases) && sampled < sampleSize; i += step {
		one := j.cases[i]
		// Nobody stands in for a transcriber.
		one.Audio = ""
		if _, err := j.target.Ask(ctx, &one); err != nil {
			return Toll{}, err
		}
		sampled++
	}
	return scaled(c.toll, len(j.cases)*max(1, j.cfg.Repeat), sampled), nil
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
func (j *Job) toll(ctx context.Context, metrics []metric.Metric, sample []asked) (t Toll, most int, err error) {
	c := &counter{models: j.models, passes: j.cfg.Passes, seen: map[string]bool{}, toll: Toll{Priced: true}}
	c.attach()
	defer c.detach()
	for i := range sample {
		plan := j.plan
		plan.Asks = 0
		for _, m := range metrics {
			if ok, _ := m.Applies(&sample[i].c); ok {
				plan.Asks |= m.Def.Asks
			}
		}
		if _, err := judge.Assess(ctx, j.judge, plan, &sample[i].c, &sample[i].resp); err != nil {
			return t, 0, err
		}
	}
	judged := len(j.cases) * j.judgings()
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
	for _, l := range c.models.lines {
		l.client = standIn{c, l.Name()}
	}
}

func (c *counter) detach() {
	for _, l := range c.models.lines {
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
	if !extracted[r.Operation] && r.Draw == first-1 {
		return 1 + c.passes - first
	}
	return 1
}

// extracted lists what is asked once, however many passes there are: there is
// nothing to vote on.
var extracted = map[string]bool{"claims": true, "questions": true, "points": true}
