package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-eval/assay/internal/progress"
)

// slow is a page whose work goes on until it is let go.
type slow struct {
	*testing.T
	pages  *Pages
	page   http.Handler
	let    chan struct{}
	shown  atomic.Int32
	failed atomic.Int32
}

// nothing is a backend that has nothing.
type nothing struct{ Backend }

func (nothing) MayLabel(context.Context) bool { return false }

func slowPage(t *testing.T, then func(ctx context.Context) (view, error)) *slow {
	t.Helper()
	s := &slow{T: t, let: make(chan struct{})}
	problem := func(_ context.Context, err error) error { s.failed.Add(1); return err }
	s.pages = New(Config{Backend: nothing{}, Now: time.Now, Patience: 20 * time.Millisecond, Problem: problem})
	s.page = s.pages.page(func(r *request) (view, error) {
		s.shown.Add(1)
		counted := progress.Of(r.Context())
		counted.Start(10)
		counted.Add(3)
		select {
		case <-s.let:
		case <-r.Context().Done():
			return view{}, r.Context().Err()
		}
		return then(r.Context())
	})
	t.Cleanup(func() {
		s.pages.Stop()
		s.pages.Wait()
	})
	return s
}

// get asks for the page; headers are names and values.
func (s *slow) get(headers ...string) *httptest.ResponseRecorder {
	s.Helper()
	r := httptest.NewRequest(http.MethodGet, "/runs/slow", nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.page.ServeHTTP(w, r)
	return w
}

// ready waits until no page is in preparation.
func (s *slow) ready() {
	s.Helper()
	close(s.let)
	s.pages.preparing.work.Wait()
}

func shownPage(context.Context) (view, error) {
	return view{Template: "error", Title: "It is shown", Data: "x"}, nil
}

// TestPreparedPage: the reader of a page that takes long is told how far it is, and gets what the
// work has made.
func TestPreparedPage(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	s := slowPage(t, shownPage)
	for _, headers := range [][]string{nil, {partHeader, waitPart}} {
		w := s.get(headers...)
		for _, want := range []string{`id="part-wait"`, "3 of 10 cases are read", `max="10" value="3"`} {
			if text := w.Body.String(); w.Code != http.StatusAccepted || !strings.Contains(text, want) {
				t.Errorf("status %d, want 202 and %q:\n%s", w.Code, want, text)
			}
		}
	}
	if text := s.get().Body.String(); !strings.Contains(text, `<noscript><meta http-equiv="refresh" content="2">`) {
		t.Errorf("a browser without scripts does not ask again:\n%s", text)
	}
	if text := s.get("Accept-Language", "zh-Hant").Body.String(); !strings.Contains(text, "已讀取 3 個案例，共 10 個") {
		t.Errorf("not in the language of the reader:\n%s", text)
	}
	if n := s.shown.Load(); n != 2 {
		t.Errorf("the work was begun %d times for two readers", n)
	}
	s.ready()
	if w := s.get(partHeader, waitPart); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "part-wait") {
		t.Errorf("status %d: the script does not see that the page is ready:\n%s", w.Code, w.Body)
	}
	if w := s.get(); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "It is shown") {
		t.Errorf("status %d, want the page:\n%s", w.Code, w.Body)
	}
	if n := s.shown.Load(); n != 2 {
		t.Errorf("the work was done %d times, want what the first has made", n)
	}
	s.get()
	s.pages.preparing.work.Wait()
	if n := s.shown.Load(); n != 3 {
		t.Errorf("the work was done %d times: a later request gets what is new", n)
	}
}

// TestPreparedPageParts: those who ask for a part, a file or send a form wait for it.
func TestPreparedPageParts(t *testing.T) {
	s := slowPage(t, shownPage)
	time.AfterFunc(100*time.Millisecond, func() { close(s.let) })
	if w := s.get(partHeader, "list"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "It is shown") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// TestPreparedPagePanics: a page that breaks is an error of it alone.
func TestPreparedPagePanics(t *testing.T) {
	s := slowPage(t, func(context.Context) (view, error) { panic("broken") })
	s.get()
	s.ready()
	if w := s.get(); w.Code != http.StatusInternalServerError || s.failed.Load() != 1 || strings.Contains(w.Body.String(), "broken") {
		t.Errorf("status %d, %d failures: %s", w.Code, s.failed.Load(), w.Body)
	}
}

// TestPreparedPageStops: work that nobody waits for ends with the server, and pages are still
// shown until it has ended.
func TestPreparedPageStops(t *testing.T) {
	s := slowPage(t, shownPage)
	s.get()
	s.pages.Stop()
	s.pages.Wait()
	close(s.let)
	if w := s.get("Cookie", "a=b"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "It is shown") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// TestPreparationsAreBounded: the readers of more pages than may be in preparation wait.
func TestPreparationsAreBounded(t *testing.T) {
	s := slowPage(t, shownPage)
	for i := range maxPreparations {
		if w := s.get("Cookie", "n="+itoa(i)); w.Code != http.StatusAccepted {
			t.Fatalf("page %d: status %d", i, w.Code)
		}
	}
	time.AfterFunc(100*time.Millisecond, func() { close(s.let) })
	if w := s.get("Cookie", "n=more"); w.Code != http.StatusOK {
		t.Errorf("status %d, want the page", w.Code)
	}
}
