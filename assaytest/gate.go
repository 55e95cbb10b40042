package assaytest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// A Policy holds the rules of a gate, in addition to the run's thresholds.
type Policy struct {
	// Rules are rules such as "faithfulness >= 0.85" or "recall@5 vs baseline >=
	// -0.02"; see [gate.Rule].
	Rules []string
	// Baseline is a file that assay baseline save wrote. It is only read.
	Baseline string
	// Tolerances are how far metrics may fall below the baseline; -1 only tracks a
	// metric. See [gate.DefaultTolerances].
	Tolerances map[string]float64
	// Statistical gates by a non-inferiority test: a metric must be shown not to be
	// worse by more than its tolerance.
	Statistical bool
	// AllowEstimates lets estimates decide, which formulas compute in place of a judge;
	// rules on them are otherwise inconclusive and fail.
	AllowEstimates bool
	// MinCertificate is the least balanced accuracy of the judge, by the lower end of the
	// interval in its certificates, for rules on judged metrics to decide; they are otherwise
	// inconclusive and fail. 0 demands no certificate.
	MinCertificate float64
	// Strict fails the test if too few cases leave a rule inconclusive; otherwise that
	// is logged.
	Strict bool
}

// Gate fails the test if the run does not meet the policy: one error for each rule,
// with the measured value, the required value and the cases that lost most, and one for
// each failed critical case. Metrics of the baseline without a tolerance are logged.
//
// Without a policy the rules of the run's configuration apply. If there are no rules at
// all, if a baseline is missing, unreadable or incompatible, or if a rule cannot be
// parsed, the test fails.
func Gate(t T, r *report.Report, policies ...Policy) {
	t.Helper()
	critical(t, r)
	unanswered(t, r)
	if len(policies) == 0 {
		if r.Gate == nil {
			t.Fatalf("assay: the gate has no rules: expected a Policy, or thresholds, rules or a baseline in the configuration")
		}
		judge(t, r, r.Header.Config["gate.inconclusive"] == "fail")
		return
	}
	for _, p := range policies {
		gated, err := p.apply(r)
		if errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("assay: %v\n%s", err, command(r, p.Baseline))
		}
		if err != nil {
			t.Fatalf("assay: %v", err)
		}
		judge(t, gated, p.Strict)
	}
}

// apply returns a copy of the report with the result of the policy.
func (p Policy) apply(r *report.Report) (*report.Report, error) {
	c := config.Default()
	c.Gate.Rules, c.Gate.Tolerances, c.Gate.Statistical, c.Baseline = p.Rules, p.Tolerances, p.Statistical, p.Baseline
	c.Gate.AllowEstimates, c.Gate.MinCertificate = p.AllowEstimates, p.MinCertificate
	if p.Strict {
		c.Gate.Inconclusive = "fail"
	}
	if p.Baseline == "" && (p.Statistical || len(p.Tolerances) > 0) {
		return nil, errors.New("tolerances and a statistical gate need a baseline: expected Policy.Baseline")
	}
	policy, err := wire.Policy(c, path)
	if err != nil {
		return nil, err
	}
	gated := *r
	if err := wire.Hold(&gated, policy); err != nil {
		return nil, err
	}
	if gated.Gate == nil {
		return nil, errors.New("the policy is empty: expected Rules or a Baseline")
	}
	return &gated, nil
}

// judge reports the result of the gate as errors and logs.
func judge(t T, r *report.Report, strict bool) {
	t.Helper()
	g := r.Gate
	for _, reason := range g.Refused {
		t.Errorf("assay: no comparison with the baseline: %s", reason.In(words.English))
	}
	failed := len(g.Refused)
	for _, res := range g.Results {
		text := strings.ReplaceAll(r.Explain(res), "\n", "\n\t")
		switch res.Final(strict) {
		case gate.Pass:
			t.Logf("assay: pass: %s", text)
		case gate.Inconclusive:
			t.Logf("assay: inconclusive, too few cases: %s", text)
		default:
			failed++
			t.Errorf("assay: %s: %s", res.Verdict, text)
		}
	}
	for _, res := range g.Tracked {
		// The rules have already named the cases.
		res.Cases = nil
		t.Logf("assay: tracked: %s", r.Explain(res))
	}
	for _, w := range g.Warnings {
		t.Logf("assay: warning: %s", w.In(words.English))
	}
	if failed == 0 && !g.Passed(strict) {
		t.Errorf("assay: the gate did not pass: %s", g.Verdict)
	}
}

// critical reports an error for each failed critical case.
func critical(t T, r *report.Report) {
	t.Helper()
	for _, i := range r.Critical().Failed {
		t.Errorf("assay: critical case %s", why(t, r, i))
	}
}

// unanswered logs the first target failures, because rules only count them.
func unanswered(t T, r *report.Report) {
	t.Helper()
	const most = 3
	n := 0
	for i := range r.Cases.Len() {
		if r.Cases.Responded(i) || r.Cases.Critical(i) {
			continue
		}
		if n++; n <= most {
			t.Logf("assay: no response to %s", why(t, r, i))
		}
	}
	if n > most {
		t.Logf("assay: and no response to %d more", n-most)
	}
}

// why returns the question of a case and what is wrong with it.
func why(t T, r *report.Report, i int) string {
	t.Helper()
	rec, err := r.Record(i)
	if err != nil {
		t.Errorf("assay: %v", err)
		rec = r.Cases.Record(i)
	}
	return r.Why(rec)
}

// command writes the report of the run to a file that outlives the test, and returns
// the command that makes it the baseline.
func command(r *report.Report, baseline string) string {
	dir, err := os.MkdirTemp("", "assay-")
	if err != nil {
		return err.Error()
	}
	f, err := report.Lookup("json")
	if err != nil {
		return err.Error()
	}
	file := filepath.Join(dir, "report"+f.Ext)
	if err := r.WriteFile(file, f, report.Options{}); err != nil {
		return err.Error()
	}
	if abs, err := filepath.Abs(baseline); err == nil {
		baseline = abs
	}
	return fmt.Sprintf("to make this run the baseline of later ones:\n\tassay baseline save %s -o %s --reason \"first\"", file, baseline)
}
