package dataset

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/requiretest"
)

// TestPromptfooTable: the guide says what becomes of each assertion.
func TestPromptfooTable(t *testing.T) {
	t.Parallel()
	rows := requiretest.DocTable(t, "docs/checks.md", "<!-- assertions -->")
	for name, says := range rows {
		kind, metric := assertionOf(name).Check, assertionOf(name).Metric
		switch {
		case kind != "" && !strings.Contains(says, "check `"+kind+"`"):
			t.Errorf("%s: %s, and the check is %s", name, says, kind)
		case kind == "" && metric != "" && !strings.Contains(says, "metric `"+metric+"`"):
			t.Errorf("%s: %s, and the metric is %s", name, says, metric)
		case kind == "" && metric == "" && name != "is-refusal":
			t.Errorf("%s: neither a check nor a metric", name)
		}
	}
	for name, as := range formatOf("promptfoo").Assertions {
		if rows[name] == "" {
			t.Errorf("%s: no row", name)
		}
		if !slices.Contains([]string{"", "answers", "keyword", "keywords", "alternatives", "refusal"}, as.Label) {
			t.Errorf("%s: unknown label %q", name, as.Label)
		}
		var p *checks.Problem
		if as.Check != "" && errors.As(checks.Valid(assay.Check{Kind: as.Check}), &p) && p.Field == "kind" {
			t.Errorf("%s: unknown check %q", name, as.Check)
		}
	}
}
