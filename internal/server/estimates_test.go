package server

import (
	"maps"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store/storetest"
)

// A run at another pace says nothing about how long this one takes.
func TestAnEstimateIsOfARunAtTheSamePace(t *testing.T) {
	b := start(t)
	h := storetest.Header(1)
	h.State, h.Took = stateFinished, &assay.Took{Evaluated: time.Duration(h.Asked()) * time.Second}
	h.Config = maps.Clone(h.Config)
	if h.Config == nil {
		h.Config = map[string]string{}
	}
	h.Config["concurrency"], h.Config["rate"] = "2", "0"
	if err := b.store.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"": 20, "concurrency": 0, "rate": 0} {
		next := h
		next.Config = maps.Clone(h.Config)
		if name != "" {
			next.Config[name] = "8"
		}
		v := &web.EstimateView{Cases: 20, Draws: 1}
		if err := b.server.foretell(t.Context(), next, v); err != nil || v.Seconds != want {
			t.Errorf("another %q: %v s, %v: want %v", name, v.Seconds, err, want)
		}
	}
}
