package config_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
)

func TestChecks(t *testing.T) {
	t.Parallel()
	r := config.Default()
	err := r.File("c.yaml", []byte("checks:\n  Short: {kind: length}\n  no-apology: {kind: regex, value: (?i)sorry, not: true}\n"+
		"  size:\n    kind: expression\n    value: len(answer)\n    range: [0, 9]\n  late: {kind: latency}\n"))
	for _, want := range []string{
		`c.yaml:2: checks: name "Short": expected lower-case letters`, "c.yaml:8: checks.late: threshold: missing: expected the largest latency in seconds",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if err := r.SetTyped(find(t, "checks"), "short={kind: length, max: 9}", config.FromFlag, "flag"); err != nil {
		t.Error(err)
	}
	if err := r.SetTyped(find(t, "checks"), "short", config.FromFlag, "flag"); err == nil || !strings.Contains(err.Error(), "expected NAME=CHECK") {
		t.Errorf("a flag without a check: %v", err)
	}
	if len(r.Checks) != 3 || r.Checks["no_apology"].Value != "(?i)sorry" || r.Checks["size"].Range[1] != 9 || *r.Checks["short"].Max != 9 {
		t.Errorf("%+v: want three checks", r.Checks)
	}
	// What is stored with a run gives the same checks again.
	again, err := config.Restore(r.Map(), config.Default(), "run")
	if err != nil || again.Get("checks.size") != r.Get("checks.size") || again.Checks["no_apology"].Kind != assay.CheckRegex {
		t.Errorf("%+v, %v: want the same checks", again.Checks, err)
	}
}

func find(t *testing.T, key string) config.Setting {
	t.Helper()
	s, err := config.Find(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
