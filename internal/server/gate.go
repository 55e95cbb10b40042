package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/report/words"
)

// A gateRequest is a gate policy for a run.
type gateRequest struct {
	Run      string      `json:"run_id" maxLength:"128" doc:"id of a finished run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Baseline baselineRef `json:"baseline,omitzero" doc:"a file of assay baseline save, or the name of a stored baseline"`
	Rules    []string    `json:"rules,omitempty" maxItems:"100" nullable:"false" doc:"rules of the gate" example:"mrr vs baseline >= -0.02"`
	// Tolerances are by metric, in the unit of the metric.
	Tolerances  map[string]float64 `json:"tolerances,omitempty" nullable:"false" doc:"allowed drop; -1 only tracks" example:"{\"mrr\": 0.02}"`
	Statistical bool               `json:"statistical,omitempty" doc:"use a non-inferiority test"`
	Estimates   bool               `json:"allow_estimates,omitempty" doc:"let estimates by formula decide"`
	Certificate float64            `json:"min_certificate,omitempty" minimum:"0" maximum:"1" doc:"least certified balanced accuracy of the judge: default 0, none" example:"0.8"`
	Critical    string             `json:"critical,omitempty" enum:"labelled,all" doc:"which cases are critical: default labelled"`
	Strict      bool               `json:"strict,omitempty" doc:"count inconclusive rules as failed"`
	GateLabelling
}

// A baselineRef is a baseline, or the name of one.
type baselineRef struct{ json.RawMessage }

// Schema allows either form.
func (baselineRef) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, membersOf("baseline")}}
}

// A gateReply is the result of a gate.
type gateReply struct {
	Run string `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	// Passed corresponds to the exit code of assay gate.
	Passed  bool       `json:"passed" doc:"whether the gate lets the run through"`
	Verdict string     `json:"verdict" enum:"pass,fail,inconclusive" doc:"fail if a rule fails, else inconclusive if one is, else pass"`
	Rules   []gateRule `json:"rules" nullable:"false" doc:"the rules of the request and of the run"`
	Refused []string   `json:"refused" nullable:"false" doc:"why the baseline was not used; the gate then fails" example:"another dataset"`
	Tracked []gateRule `json:"tracked" nullable:"false" doc:"metrics that are compared with the baseline but not gated"`
	Warn    []string   `json:"warnings" nullable:"false" doc:"remarks beside the verdict" example:"another corpus"`
}

// A gateRule is the result of one rule.
type gateRule struct {
	Rule     string    `json:"rule" doc:"the rule as it is written; of what is tracked, the metric" example:"recall@5 vs baseline >= -0.02"`
	Metric   string    `json:"metric" doc:"metric, or another quantity of the rule" example:"recall@5"`
	Want     float64   `json:"want" doc:"limit, in the unit of the metric" example:"-0.02"`
	Verdict  string    `json:"verdict" enum:"pass,fail,inconclusive," doc:"verdict of the rule; empty for what is tracked"`
	Got      *float64  `json:"got" required:"true" doc:"null when nothing was measured" example:"0.01"`
	Baseline *float64  `json:"baseline,omitempty" doc:"mean of the baseline; absent if the rule is not against one" example:"0.77"`
	Diff     *float64  `json:"diff,omitempty" doc:"what the run adds to it" example:"0.01"`
	CI       []float64 `json:"ci,omitempty" nullable:"false" doc:"interval of the difference" minItems:"2" maxItems:"2" example:"[0, 0.03]"`
	N        int       `json:"n,omitempty" doc:"number of cases of the interval" example:"500"`
	Cases    []string  `json:"cases,omitempty" nullable:"false" doc:"cases with the largest drop, worst first" example:"q-17"`
	Reason   string    `json:"reason,omitempty" doc:"why the rule did not pass" example:"the difference is below the limit"`
	// People is nil if the metric has no labels.
	People *gatePeople `json:"people,omitempty" doc:"what people would say; absent without labels of the metric"`
}

func gateRulesOf(results []gate.Result) []gateRule {
	out := []gateRule{}
	for _, r := range results {
		v := gateRule{
			Rule: r.Rule, Metric: r.Metric, Want: r.Want, Verdict: string(r.Verdict), Got: r.Got, Baseline: r.Baseline, Diff: r.Diff, N: r.N,
			Cases: r.Cases, Reason: r.Reason.In(words.English), People: peopleOf(r.People),
		}
		if r.CI != nil {
			v.CI = []float64{r.CI.Lo, r.CI.Hi}
		}
		out = append(out, v)
	}
	return out
}

func (s *Server) gate() {
	registerOne(s, "gate-run", func(ctx context.Context, in *struct{ Body gateRequest }) (out gateReply, err error) {
		h, err := s.header(ctx, in.Body.Run)
		if err != nil {
			return out, err
		}
		if h.State != stateFinished && !h.Deferred {
			return out, conflict(fmt.Sprintf("run %q is not finished: it is %s", h.ID, h.State))
		}
		p, err := s.policy(ctx, in.Body, h.Metrics)
		if err != nil {
			return out, err
		}
		p.Corrected = in.Body.Corrected
		if p.Labels, err = s.gateLabels(ctx, in.Body.GateLabelling, h, p.Baseline); err != nil {
			return out, err
		}
		rep, err := s.report(ctx, h)
		if err != nil {
			return out, err
		}
		p.Seed, p.Level = h.Seed, rep.Level()
		rep.Judge(p)
		o := rep.Gate
		if o == nil {
			return out, wrong("body.rules", "no gate policy: expected rules or a baseline", nil)
		}
		return gateReply{
			Run: h.ID, Passed: o.Passed(p.Strict), Verdict: string(o.Verdict), Rules: gateRulesOf(o.Results), Tracked: gateRulesOf(o.Tracked),
			Refused: append([]string{}, words.Findings(words.English, o.Refused)...),
			Warn:    append([]string{}, words.Findings(words.English, o.Warnings)...),
		}, nil
	})
}

// policy reads a gate policy. The error is a problem.
func (s *Server) policy(ctx context.Context, q gateRequest, metrics []assay.MetricInfo) (gate.Policy, error) {
	p := gate.Policy{Statistical: q.Statistical, AllowEstimates: q.Estimates, AllCritical: q.Critical == "all", Strict: q.Strict,
		MinCertificate: q.Certificate, Tolerances: map[string]float64{}}
	var problems []*huma.ErrorDetail
	add := func(at string, err error, value any) {
		problems = append(problems, &huma.ErrorDetail{Location: at, Message: err.Error(), Value: value})
	}
	for i, written := range q.Rules {
		rule, err := gate.ParseRule(written)
		if err != nil {
			add(fmt.Sprintf("body.rules[%d]", i), err, written)
			continue
		}
		if m, err := catalog.All().Parse(rule.Quantity); err == nil {
			rule.Quantity = m.Name
		}
		p.Rules = append(p.Rules, rule)
	}
	for name, t := range q.Tolerances {
		if t < 0 && t != -1 {
			add("body.tolerances."+name, fmt.Errorf("expected a number from 0, or -1"), t)
			continue
		}
		if m, err := catalog.All().Parse(name); err == nil {
			name = m.Name
		}
		p.Tolerances[name] = t
	}
	if text := q.Baseline.RawMessage; len(text) > 0 && string(text) != "null" {
		var name string
		if json.Unmarshal(text, &name) == nil {
			kept, err := s.findBaseline(ctx, name)
			if err != nil {
				add("body.baseline", fmt.Errorf("no such baseline (GET %s/baselines lists them)", prefix), name)
			}
			text = kept
		}
		if len(text) > 0 {
			b, err := gate.ReadBaseline(bytes.NewReader(text))
			if err != nil {
				add("body.baseline", err, nil)
			}
			p.Baseline = b
		}
	}
	if problems == nil {
		if err := p.Check(metrics); err != nil {
			add("body.rules", err, nil)
		}
	}
	if problems != nil {
		return p, wrongs(problems...)
	}
	return p, nil
}
