//go:build results

package model_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/judge/standin"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/summary"
)

// A ruled is one thing that people ruled on: a claim about a passage, or an answer compared
// with references.
type ruled struct {
	id, text string
	holds    bool
}

// A sitting is what one call asks about: claims with their source, or one answer.
type sitting struct {
	question, source string
	references       []string
	items            []ruled
}

// attributed reads BEGIN: answers that people ruled fully attributable to a passage, or not.
// Answers of one passage are asked about together.
func attributed(t *testing.T) []sitting {
	var order []string
	of := map[string]*sitting{}
	for row := range rows[struct {
		ID, Question, Answer string
		Contexts             []string
		Labels               struct{ Begin string }
	}](t, "begin") {
		if row.Labels.Begin == "Generic" || strings.TrimSpace(row.Answer) == "" {
			continue
		}
		source := row.Contexts[0]
		if of[source] == nil {
			of[source] = &sitting{question: row.Question, source: source}
			order = append(order, source)
		}
		s := of[source]
		known := false
		for _, i := range s.items {
			known = known || i.text == row.Answer
		}
		if !known {
			s.items = append(s.items, ruled{row.ID, row.Answer, row.Labels.Begin == "Fully attributable"})
		}
	}
	out := make([]sitting, len(order))
	for i, source := range order {
		out[i] = *of[source]
	}
	return out
}

// acceptable reads NQ-301: answers that people ruled acceptable beside the references, or not.
func acceptable(t *testing.T) (out []sitting) {
	for row := range rows[struct {
		ID, Question, Answer string
		References           []string
		Labels               struct{ Acceptable string }
	}](t, "nq301") {
		if strings.TrimSpace(row.Answer) != "" && len(row.References) > 0 {
			out = append(out, sitting{question: row.Question, references: row.References,
				items: []ruled{{row.ID, row.Answer, row.Labels.Acceptable == "Yes"}}})
		}
	}
	return out
}

func rows[T any](t *testing.T, name string) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		f, err := os.Open(requiretest.Shared(t, "data/answers/"+name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var row T
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			if !yield(row) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// A planted model rules on items whose truth it knows, and errs as planned. An item has a
// margin, drawn once from a normal distribution with mean and standard deviation spread; each
// pass adds noise of its own, with standard deviation 1, and is right if the sum is above 0. So
// passes of one item err together, as those of a model do, and differ where the margin is small.
type planted struct {
	spread float64
	// confidence returns a confidence in percent for the margin of a pass; noise is standard
	// normal, and another in each pass.
	confidence func(margin, noise float64) int
	// known are the items and their sources, by question and text.
	known map[string]known
}

type known struct {
	ruled
	source string
}

func (*planted) Name() string { return "planted" }

func (p *planted) Complete(_ context.Context, r llm.Request) (llm.Reply, error) {
	data := dataOf(r)
	var out map[string]any
	if r.Operation == "equivalence" {
		holds, confidence := p.rule(p.item(data, data["answer"]).ruled, r.Draw)
		out = map[string]any{"why": "planned", "equivalent": holds, "confidence": confidence}
	} else {
		items := []any{}
		for _, c := range data["claims"].([]any) {
			claim := c.(map[string]any)
			of := p.item(data, claim["claim"])
			holds, confidence := p.rule(of.ruled, r.Draw)
			item := map[string]any{"id": claim["id"], "quotes": []any{}, "against": []any{}, "why": "planned",
				"verdict": "not_found", "confidence": confidence}
			if holds {
				best, _ := standin.Best(standin.Read(of.text), standin.Sentences(of.source))
				quote := best.Text
				if quote == "" {
					quote = of.source
				}
				item["verdict"], item["quotes"] = "supported", []any{map[string]any{"source": 1, "quote": quote}}
			}
			items = append(items, item)
		}
		out = map[string]any{"items": items}
	}
	const nonce = "0123456789abcdef0123456789abcdef"
	out["nonce"] = nonce
	text, err := json.Marshal(out)
	return llm.Reply{Text: string(text), Nonce: nonce, Stop: "end"}, err
}

func (p *planted) item(data map[string]any, text any) known {
	i, ok := p.known[fmt.Sprint(data["question"], "\x00", text)]
	if !ok {
		panic(fmt.Sprintf("no item %q", text))
	}
	return i
}

// rule returns the ruling of a pass and its confidence.
func (p *planted) rule(i ruled, draw int) (holds bool, confidence int) {
	margin := p.spread*(1+normal(i.id, "item")) + normal(i.id, fmt.Sprint("pass ", draw))
	return i.holds == (margin > 0), p.confidence(margin, normal(i.id, fmt.Sprint("confidence ", draw)))
}

// normal draws from the standard normal distribution, the same for the same names.
func normal(names ...string) float64 {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(names, "\x00")))
	// fnv alone moves the high bits too little for names that differ in the last letter.
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return distuv.UnitNormal.Quantile((float64(x>>11) + 0.5) / (1 << 53))
}

func percentOf(margin float64) int { return int(100 * distuv.UnitNormal.CDF(math.Abs(margin))) }

// A trial is what one way of asking gave.
type trial struct {
	right [][]bool // by sitting and item
	calls int
	spent assay.Spending
}

func (tr trial) agreement() float64 {
	n, right := 0, 0
	for _, s := range tr.right {
		for _, r := range s {
			n++
			if r {
				right++
			}
		}
	}
	return float64(right) / float64(n)
}

// less is how much less often than another a trial agrees with people, and the standard error
// over sittings, of which the items share a text.
func (tr trial) less(other trial) (mean, se float64) {
	n := 0
	for _, s := range tr.right {
		n += len(s)
	}
	sums := make([]float64, len(tr.right))
	for i, s := range tr.right {
		for k := range s {
			if other.right[i][k] {
				sums[i]++
			}
			if s[k] {
				sums[i]--
			}
		}
		mean += sums[i]
	}
	mean /= float64(n)
	for i, s := range tr.right {
		d := sums[i] - mean*float64(len(s))
		se += d * d
	}
	return mean, math.Sqrt(se) / float64(n)
}

// try asks about all sittings.
func try(t *testing.T, sittings []sitting, p planted, passes judge.Passes) trial {
	out := trial{right: make([][]bool, len(sittings))}
	p.known = map[string]known{}
	for _, s := range sittings {
		for _, i := range s.items {
			p.known[fmt.Sprint(s.question, "\x00", i.text)] = known{i, s.source}
		}
	}
	j, err := model.New(model.Config{Provider: &p, Request: llm.Request{Model: "m"}})
	if err != nil {
		t.Fatal(err)
	}
	voting := judge.Voting(passes, func(draw int) judge.Judge { return j.At(draw) })
	meter := &judge.Meter{}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range sittings {
		g.Go(func() error {
			held, err := rulings(judge.WithMeter(context.Background(), meter), voting, s)
			if err != nil {
				return err
			}
			for k, holds := range held {
				out.right[i] = append(out.right[i], holds == s.items[k].holds)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	out.spent, _ = meter.Total()
	out.calls = out.spent.Calls
	return out
}

func rulings(ctx context.Context, j judge.Judge, s sitting) ([]bool, error) {
	subject := judge.Subject{Question: s.question, Language: "en"}
	if s.references != nil {
		r, err := question.Compare.Ask(ctx, j, subject, question.CompareInput{Answer: s.items[0].text, References: s.references})
		return []bool{r.Holds}, err
	}
	in := question.SupportInput{Sources: []judge.Source{{Name: "passage 1", Text: s.source}}}
	for _, i := range s.items {
		in.Claims = append(in.Claims, judge.Claim{Text: i.text})
	}
	found, err := question.Support.Ask(ctx, j, subject, in)
	held := make([]bool, len(found))
	for i, f := range found {
		held[i] = f.Verdict == judge.Supported
	}
	return held, err
}

// most is the loss of agreement, in shares of all rulings, that is allowed without a warning of
// the run.
const most = 0.01

// TestResults simulates what is lost, and spared, when sure rulings decide in one pass, and
// compares with docs/results/recheck.md.
func TestResults(t *testing.T) {
	var b strings.Builder
	b.WriteString(recheckHead)
	sets := []struct {
		name     string
		sittings []sitting
	}{{"claims (BEGIN)", attributed(t)}, {"answers (NQ-301)", acceptable(t)}}
	for _, s := range sets {
		items := 0
		for _, one := range s.sittings {
			items += len(one.items)
		}
		fmt.Fprintf(&b, "- %s: %d rulings in %d lists\n", s.name, items, len(s.sittings))
	}
	b.WriteString(recheckTable)
	spared := 0.
	for _, s := range sets {
		for _, judged := range []struct {
			name   string
			spread float64
		}{{"steady", 8}, {"usual", 4}, {"shaky", 1.5}} {
			for _, c := range []struct {
				name string
				of   func(margin, noise float64) int
			}{
				{"informed", func(margin, _ float64) int { return percentOf(margin) }},
				{"vague", func(margin, noise float64) int { return percentOf(margin + 2*noise) }},
				{"always 97 %", func(float64, float64) int { return 97 }},
			} {
				p := planted{spread: judged.spread, confidence: c.of}
				once := try(t, s.sittings, p, judge.Passes{Most: 1})
				all := try(t, s.sittings, p, judge.Passes{Most: 3, All: true})
				doubtful := try(t, s.sittings, p, judge.Passes{Most: 3})
				loss, se := doubtful.less(all)
				warned := summary.Overconfident(&assay.JudgeInfo{Parameters: map[string]string{"recheck": assay.RecheckDoubtful}}, doubtful.spent) != nil
				told := "no"
				if warned {
					told = "yes"
				}
				fmt.Fprintf(&b, "| %s | %s, %s | %.1f %% | %.1f %% | %.1f %% | %.2f ± %.2f | %.2f | %.2f | %d of %d | %s |\n", s.name, judged.name, c.name,
					100*once.agreement(), 100*all.agreement(), 100*doubtful.agreement(), 100*loss, 196*se,
					float64(all.calls)/float64(once.calls), float64(doubtful.calls)/float64(once.calls),
					doubtful.spent.Overturned, doubtful.spent.Rechecked, told)
				if loss-1.96*se > 0 && loss > most && !warned {
					t.Errorf("%s, %s, %s: %.2f points of agreement are lost without a warning", s.name, judged.name, c.name, 100*loss)
				}
				if c.name == "informed" && loss > 0.005 {
					t.Errorf("%s, %s: %.2f points of agreement are lost though the confidence is informed", s.name, judged.name, 100*loss)
				}
				spared = max(spared, 1-float64(doubtful.calls)/float64(all.calls))
			}
		}
	}
	if spared < 0.2 {
		t.Errorf("at most %.0f %% of calls are spared", 100*spared)
	}
	b.WriteString(recheckFoot)
	requiretest.ResultsPage(t, "recheck.md", b.String(), *update, nil, 0)
}

const (
	recheckHead = `# Deciding in one pass what a judge is sure of

This page is written by the command at its end, and CI holds it to that.

With ` + "`--passes 3`" + ` a first ruling that is sure decides alone, and doubtful ones are decided by up to three passes ([passes](../judging.md#passes-and-panels)).
What that spares and what it can cost was simulated on texts and labels of people: a planted model rules on each item through the prompts, the reading of replies and the
votes of the product, and errs as planned. No real model took part: how often yours is sure and wrong is in the report of each of your runs.

An item has a margin, drawn once from a normal distribution whose mean is its standard deviation; each pass adds noise with standard deviation 1, and is right
if the sum is above 0. A *steady* judge has margins with a standard deviation of 8, a *usual* one of 4, a *shaky* one of 1.5: the smaller, the more its passes differ.
Its confidence is *informed* (the probability that the noise does not turn a pass round), *vague* (the same of a margin with twice the noise), or *always 97 %*.
Quotes and numbers are those of the texts.

`
	recheckTable = `
*Agreement* with people is the share of rulings like theirs, of one pass, of three passes for every ruling, and of three for the doubtful. *Lost* is the difference
between the last two in points, with a 95 % interval over lists. *Calls* are those of one pass times this. *Overturned* is what the report says of the sure rulings that were put to a vote
as a check, *warned* whether the run has a warning.

| rulings | judge, confidence | one pass | all | doubtful | lost | calls, all | calls, doubtful | overturned | warned |
|---|---|---|---|---|---|---|---|---|---|
`
	recheckFoot = `
An informed confidence loses nothing that can be seen here and spares from a sixth to more than a third of the calls. A vague one loses half a point with a shaky judge. A judge that
always says 97 % keeps only what quotes, numbers and the check catch: where its passes differ often, agreement falls towards that of one pass, and the run warns of it. Steady judges lose nothing either way, as their passes agree.
What is decided in one pass has the agreement of one pass at worst.

## Write this page again

` + "```\ngo test -tags results -run TestResults ./judge/model -update\n```" + `
`
)
