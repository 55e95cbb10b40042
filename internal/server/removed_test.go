package server

import (
	"net/http"
	"strings"
	"testing"
)

// TestRemovedAddresses says of an address of earlier versions what replaces it.
func TestRemovedAddresses(t *testing.T) {
	b := start(t)
	if g := b.do("POST", "/api/v1/labels.csv", "").want(t, http.StatusMethodNotAllowed); !strings.Contains(g.text, "POST /labels keeps one label") {
		t.Error(g.text)
	}
	for path, want := range map[string]string{
		"/api/v1/comparisons?runs=a,b": "cases=false", "/api/v1/runs/a/facets": "the total of", "/api/v1/views": "bookmark", "/s/mine": "bookmark", "/api/v1/datasets/d/cases/q/points": "the page",
	} {
		if g := b.do("GET", path, nil).want(t, http.StatusNotFound); !strings.Contains(g.text, "was removed: ") || !strings.Contains(g.text, want) {
			t.Errorf("%s: %s", path, g.text)
		}
	}
}
