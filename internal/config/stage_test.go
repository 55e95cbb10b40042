package config_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

func TestStages(t *testing.T) {
	t.Parallel()
	r := config.Default()
	if r.Decomposer != "none" || r.Filter != "none" || r.FilterThreshold != 5 || r.Generator != "extractive" {
		t.Errorf("defaults %q, %q from %v, %q", r.Decomposer, r.Filter, r.FilterThreshold, r.Generator)
	}
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{"decomposer", "rule", true}, {"decomposer", "fake:", true}, {"decomposer", "fake", true}, {"decomposer", "openai:gpt-4o-mini", true},
		{"decomposer", "similarity", false}, {"decomposer", "openai", false}, {"decomposer", "openai:", false}, {"decomposer", ":m", false}, {"decomposer", "", false},
		{"filter", "similarity", true}, {"filter", "extractive", false}, {"generator", "none", true}, {"generator", "abstractive", false},
	} {
		err := r.Set(c.key, c.value, config.FromFlag, "flag")
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "or PROVIDER:MODEL") {
			t.Errorf("%s %q: %v", c.key, c.value, err)
		}
	}
	for _, v := range []string{"-1", "10.5", "x"} {
		if r.Set("filter-threshold", v, config.FromFlag, "flag") == nil {
			t.Errorf("threshold %q is taken", v)
		}
	}
}
