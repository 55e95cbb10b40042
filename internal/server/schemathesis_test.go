package server

import (
	"os/exec"
	"testing"

	dto "github.com/prometheus/client_model/go"

	"github.com/assay-eval/assay/internal/require"
)

// TestSchemathesis lets a fuzzer that knows nothing of the server but its
// description make up requests, right and wrong ones, and sequences of them, and
// holds every reply to the description: no status, no content type and no field
// that it does not have, nothing wrong that is taken, and no failure.
func TestSchemathesis(t *testing.T) {
	program := require.Env(t, "ASSAY_SCHEMATHESIS")
	b := start(t, withRivers(t, "judge=fake", "passes=1"))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	b.ended(id)
	b.do("PUT", "/api/v1/baselines/main", map[string]any{"run_id": id}).want(t, 200)
	b.do("POST", "/api/v1/labels", map[string]any{"run_id": id, "case_id": "tc_1", "metric": "hit@1", "value": 1}).want(t, 201)

	cmd := exec.CommandContext(t.Context(), program, "run", b.url+"/openapi.json",
		"--checks", "all", "--workers", "2", "--max-examples", "60", "--seed", "5", "--continue-on-failure", "--request-timeout", "30", "--no-color",
		// Which names are taken, and what a document holds, no schema says.
		"--exclude-checks", "positive_data_acceptance", "--max-response-time", "60",
		// A stream of events ends when its run does.
		"--exclude-path-regex", "/events$")
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out[max(0, len(out)-20000):])
	}
	total := 0.0
	families, err := b.server.meters.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "assay_http_requests_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			total += m.GetCounter().GetValue()
			if s := label(m, "status"); s >= "500" && s != "503" {
				t.Errorf("%v of %s %s ended with %s", m.GetCounter().GetValue(), label(m, "method"), label(m, "route"), s)
			}
		}
	}
	if total < 5000 {
		t.Errorf("%v requests, want 5000", total)
	}
	t.Logf("%v requests", total)
}

func label(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}
