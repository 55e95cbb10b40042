package dataset

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/require"
)

// TestPromptfooTable: the guide says what becomes of each assertion.
func TestPromptfooTable(t *testing.T) {
	t.Parallel()
	rows := require.DocTable(t, "docs/checks.md", "<!-- assertions -->")
	for name, says := range rows {
		kind, metric := promptfooCheck(name), promptfooMetric(name)
		switch {
		case kind != "" && !strings.Contains(says, "check `"+kind+"`"):
			t.Errorf("%s: %s, and the check is %s", name, says, kind)
		case kind == "" && metric != "" && !strings.Contains(says, "metric `"+metric+"`"):
			t.Errorf("%s: %s, and the metric is %s", name, says, metric)
		case kind == "" && metric == "" && name != "is-refusal":
			t.Errorf("%s: neither a check nor a metric", name)
		}
	}
	for name := range promptfooKinds {
		if rows[name] == "" {
			t.Errorf("%s: no row", name)
		}
	}
	for name := range promptfooMetrics {
		if rows[name] == "" {
			t.Errorf("%s: no row", name)
		}
	}
}
