package server

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/web"
)

// TestPagesFindRunsByName: a page finds a run as the command line does, and moves to its id.
func TestPagesFindRunsByName(t *testing.T) {
	b := start(t)
	b.stored("2026-a", strings.Repeat("10", 20))
	for at, want := range map[string]string{
		"/runs/latest": "/runs/2026-a", "/runs/run%202026-a/cases?q=a%20b": "/runs/2026-a/cases?q=a%20b", "/runs/2026": "/runs/2026-a",
		"/runs/latest/cases/q1": "/runs/2026-a/cases/q1",
	} {
		if g := b.do("GET", at, nil); g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", at, g.StatusCode, g.Header.Get("Location"), want)
		}
	}
	b.do("GET", "/runs/other", nil).text404(t)
	b.do("GET", "/nowhere", nil, "Accept", "text/html,*/*").text404(t)
	b.do("GET", "/nowhere", nil, "Accept", "*/*").want(t, 404)
	b.do("GET", "/api/v1/nowhere", nil, "Accept", "text/html").want(t, 404)
	b.do("GET", "/api/v1/runs/latest", nil).want(t, 404)
	// The heading changes with the metric.
	if part := b.do("GET", "/trends?metric=mrr", nil, "Assay-Part", "trend"); !strings.Contains(part.text, `<h1 data-title dir="auto">mrr · `) {
		t.Errorf("no heading in %.300s", part.text)
	}
}

// TestRepliesAreTaggedAndCompressed: what a client has is not sent again, and texts are sent small.
func TestRepliesAreTaggedAndCompressed(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10", 20))
	for _, at := range []string{"/runs/a", "/api/v1/runs/a/cases", "/api/v1/runs/a/report.html", "/api/v1/runs/a/events"} {
		plain := b.do("GET", at, nil, "Accept-Encoding", "identity")
		small := b.do("GET", at, nil, "Accept-Encoding", "br, gzip;q=0.5")
		if strings.HasSuffix(at, "events") {
			if small.Header.Get("Content-Encoding") != "" || small.Header.Get("ETag") != "" || !strings.Contains(small.text, "event: ") {
				t.Errorf("%s: %v: want a plain stream", at, small.Header)
			}
			continue
		}
		tag := small.Header.Get("ETag")
		if small.Header.Get("Content-Encoding") != "gzip" || !strings.HasPrefix(tag, `W/"`) || len(small.text) > len(plain.text)/2 ||
			!strings.Contains(strings.Join(plain.Header.Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s: %d of %d bytes, %v", at, len(small.text), len(plain.text), small.Header)
			continue
		}
		z, err := gzip.NewReader(strings.NewReader(small.text))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(z); err != nil || string(text) != plain.text {
			t.Errorf("%s: %d bytes, %v: want the plain reply", at, len(text), err)
		}
		if again := b.do("GET", at, nil, "If-None-Match", tag); again.StatusCode != http.StatusNotModified || again.text != "" {
			t.Errorf("%s: %d with %d bytes, want 304", at, again.StatusCode, len(again.text))
		}
		if none := b.do("GET", at, nil, "Accept-Encoding", "gzip;q=0"); none.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: compressed for a client that refuses it", at)
		}
	}
}

// text404 checks that a page is missing.
func (g got) text404(t *testing.T) {
	t.Helper()
	if g.StatusCode != http.StatusNotFound || g.Header.Get("Content-Security-Policy") != web.Policy {
		t.Errorf("status %d: want a page that says that there is none", g.StatusCode)
	}
}
