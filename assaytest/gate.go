package assaytest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// A Policy is what a run is held to, beside the thresholds that it had.
type Policy struct {
	// Rules are such as "faithfulness >= 0.85" or "recall@5 vs baseline >= -0.02";
	// see [gate.Rule].
	Rules []string
	// Baseline is a file that assay baseline save wrote. It is never written
	// here.
	Baseline string
	// Tolerances say how far a metric may fall behind the baseline; -1 only
	// tracks it. See [gate.DefaultTolerances].
	Tolerances map[string]float64
	// Statistical gates by a non-inferiority test: a metric must be shown not to
	// be worse by more than its tolerance.
	Statistical bool
	// Strict fails the test where too few cases leave a rule open; else that is
	// logged.
	Strict bool
}

// Gate fails the test when the run does not meet what it is held to: one error
// for each rule, with what was measured, what is wanted and the cases that lost
// most, and one for each critical case that failed. Metrics of the baseline
// without a tolerance are logged.
//
// Without a policy the run is held to what its configuration says. A run that is
// held to nothing, a baseline that is missing, cannot be read or is of something
// else, and a rule that cannot be read all fail the test.
func Gate(t testing.TB, r *report.Report, policies ...Policy) {
	t.Helper()
	critical(t, r)
	unanswered(t, r)
	if len(policies) == 0 {
		if r.Gate == nil {
			t.Fatalf("assay: nothing holds the run to anything: want a Policy, or thresholds, rules or a baseline in the configuration")
		}
		judge(t, r, r.Header.Config["gate.inconclusive"] == "fail")
		return
	}
	for _, p := range policies {
		held, err := p.hold(r)
		if errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("assay: %v\n%s", err, command(r, p.Baseline))
		}
		if err != nil {
			t.Fatalf("assay: %v", err)
		}
		judge(t, held, p.Strict)
	}
}

// hold judges the run by the policy, and leaves its report as it is.
func (p Policy) hold(r *report.Report) (*report.Report, error) {
	c := config.Default()
	c.Gate.Rules, c.Gate.Tolerances, c.Gate.Statistical, c.Baseline = p.Rules, p.Tolerances, p.Statistical, p.Baseline
	if p.Strict {
		c.Gate.Inconclusive = "fail"
	}
	if p.Baseline == "" && (p.Statistical || len(p.Tolerances) > 0) {
		return nil, errors.New("tolerances and a statistical gate are held against a baseline: want Policy.Baseline")
	}
	policy, err := wire.Policy(c, path)
	if err != nil {
		return nil, err
	}
	held := *r
	if err := wire.Hold(&held, policy); err != nil {
		return nil, err
	}
	if held.Gate == nil {
		return nil, errors.New("the policy holds the run to nothing: want Rules or a Baseline")
	}
	return &held, nil
}

// judge turns the outcome of the gate into errors and logs.
func judge(t testing.TB, r *report.Report, strict bool) {
	t.Helper()
	g := r.Gate
	for _, reason := range g.Refused {
		t.Errorf("assay: the baseline was not compared with: %s", reason)
	}
	failed := len(g.Refused)
	for _, res := range g.Results {
		text := strings.ReplaceAll(r.Explain(res), "\n", "\n\t")
		switch res.Final(strict) {
		case gate.Pass:
			t.Logf("assay: pass: %s", text)
		case gate.Inconclusive:
			t.Logf("assay: too few cases to say: %s", text)
		default:
			failed++
			t.Errorf("assay: %s: %s", res.Verdict, text)
		}
	}
	for _, res := range g.Tracked {
		// No verdict, and so no list of cases: the rules have named them.
		res.Cases = nil
		t.Logf("assay: tracked: %s", r.Explain(res))
	}
	for _, w := range g.Warnings {
		t.Logf("assay: warning: %s", w)
	}
	if failed == 0 && !g.Passed(strict) {
		t.Errorf("assay: the gate does not let the run through: %s", g.Verdict)
	}
}

// critical fails the test for each critical case that failed.
func critical(t testing.TB, r *report.Report) {
	t.Helper()
	for _, rec := range r.Records {
		if !rec.Case.Critical {
			continue
		}
		if status := summary.Status(r.Header.Metrics, rec); status != "ok" {
			t.Errorf("assay: critical case %s", r.Why(rec))
		}
	}
}

// unanswered logs why the target failed the first cases that it failed: a rule
// only counts them.
func unanswered(t testing.TB, r *report.Report) {
	t.Helper()
	const most = 3
	n := 0
	for _, rec := range r.Records {
		if rec.Failure == nil || rec.Case.Critical {
			continue
		}
		if n++; n <= most {
			t.Logf("assay: no response to %s", r.Why(rec))
		}
	}
	if n > most {
		t.Logf("assay: and none to %d more", n-most)
	}
}

// command writes the report of the run where it outlives the test, and says how to
// make the baseline of it.
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
	return fmt.Sprintf("if this run is what later ones are to be held to:\n\tassay baseline save %s -o %s --reason \"first\"", file, baseline)
}
