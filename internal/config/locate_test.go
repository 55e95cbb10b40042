package config_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

func TestLocate(t *testing.T) {
	r := config.Default()
	if err := r.File("c.yaml", []byte("metrics: [mrr@10]\nthresholds:\n  hit@3: 0.5\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.Set("judge", "offline", config.FromFlag, "flag --judge"); err != nil {
		t.Fatal(err)
	}
	bad := errors.New("bad")
	for want, err := range map[string]error{
		"c.yaml:1: bad":                config.About("metrics", bad),
		"c.yaml:3: bad":                config.About("thresholds.hit@3", bad),
		"bad":                          config.About("judge", bad),
		"bad ":                         config.About("outcome", fmt.Errorf("%w ", bad)),
		"c.yaml:1: bad\nbad":           errors.Join(config.About("metrics", bad), bad),
		"c.yaml:1: bad\nc.yaml:1: bad": config.About("metrics", errors.Join(bad, bad)),
	} {
		got := r.Locate(err)
		if got.Error() != want || !errors.Is(got, bad) {
			t.Errorf("%q, want %q", got, want)
		}
		if again := r.Locate(got); again.Error() != want {
			t.Errorf("located twice: %q, want %q", again, want)
		}
	}
	if err := r.Locate(config.About("metrics", nil)); err != nil {
		t.Errorf("no error became %v", err)
	}
}
