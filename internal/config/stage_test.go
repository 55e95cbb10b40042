package config_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

func TestStages(t *testing.T) {
	t.Parallel()
	r := config.Default()
	if r.Decomposer != "none" || r.Filter != "none" || r.FilterThreshold != config.Auto || r.Generator != "extractive" {
		t.Errorf("defaults %q, %q from %v, %q", r.Decomposer, r.Filter, r.FilterThreshold, r.Generator)
	}
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{"decomposer", "rule", true}, {"decomposer", "fake:", true}, {"decomposer", "fake", true}, {"decomposer", "openai:gpt-4o-mini", true},
		{"decomposer", "similarity", false}, {"decomposer", "openai", false}, {"decomposer", "openai:", false}, {"decomposer", ":m",
			false}, {"decomposer", "", false},
		{"filter", "similarity", true}, {"filter", "extractive", false}, {"generator", "none", true}, {"generator", "abstractive", false},
	} {
		err := r.Set(c.key, c.value, config.FromFlag, "flag")
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "or PROVIDER:MODEL") {
			t.Errorf("%s %q: %v", c.key, c.value, err)
		}
	}
	for _, v := range []string{"-1", "10.5", "x", "", "NaN"} {
		if err := r.Set("filter-threshold", v, config.FromFlag, "flag"); err == nil ||
			!strings.Contains(err.Error(), `expected a number from 0 to 10, or "auto"`) {
			t.Errorf("threshold %q: %v", v, err)
		}
	}
}

// Models rate on the scale that they are given; cosines lie lower.
func TestKeepsFrom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filter, threshold string
		want              float64
	}{
		{"fake:", "auto", 5}, {"none", "auto", 5}, {"similarity", "auto", 3}, {"similarity", "0", 0}, {"similarity", "5", 5}, {"fake:",
			"10", 10},
	} {
		r := config.Default()
		for key, v := range map[string]string{"filter": c.filter, "filter-threshold": c.threshold} {
			if err := r.Set(key, v, config.FromFlag, "flag"); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.KeepsFrom(); got != c.want {
			t.Errorf("%s from %s: %v, want %v", c.filter, c.threshold, got, c.want)
		}
	}
}
