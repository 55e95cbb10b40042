package cli

import (
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

// TestRunsShareLimits prepares two runs of one command, as a comparison does: a provider's
// requests a minute count for both.
func TestRunsShareLimits(t *testing.T) {
	env := &Env{Getenv: func(string) string { return "" }}
	first := newWorld(env, &config.Resolved{}, nil, nil)
	second := newWorld(env, &config.Resolved{}, nil, nil)
	if first.Limits == nil || first.Limits != second.Limits {
		t.Errorf("limits %p and %p: want the same", first.Limits, second.Limits)
	}
}
