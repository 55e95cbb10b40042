package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store/storetest"
)

// TestRenderedOnce: of callers that ask for the same report at once one writes it, and two
// reports are never written at the same time.
func TestRenderedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newRendered(1 << 20)
		defer c.closeAll()
		var mu sync.Mutex
		writing, writes := 0, map[string]int{}
		goOn := make(chan struct{})
		for i := range 8 {
			key := fmt.Sprint(i % 2)
			go func() {
				text, size, release, err := c.of(t.Context(), key, func(w io.Writer) error {
					mu.Lock()
					writing++
					writes[key]++
					if writing > 1 {
						t.Error("two reports are written at once")
					}
					mu.Unlock()
					<-goOn
					mu.Lock()
					writing--
					mu.Unlock()
					_, err := io.WriteString(w, "report "+key)
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
				defer release()
				if b, err := io.ReadAll(text); err != nil || string(b) != "report "+key || size != int64(len(b)) {
					t.Errorf("%q of %d bytes, %v", b, size, err)
				}
			}()
		}
		synctest.Wait()
		close(goOn)
		synctest.Wait()
		if writes["0"] != 1 || writes["1"] != 1 {
			t.Errorf("written %v times, want once each", writes)
		}
	})
}

// TestRenderedWaits: a caller whose request ends waits no longer, and more than may wait
// get a 503.
func TestRenderedWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newRendered(1 << 20)
		defer c.closeAll()
		goOn := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, maxWaitingReports)
		for i := range maxWaitingReports {
			go func() {
				_, _, release, err := c.of(ctx, fmt.Sprint(i), func(io.Writer) error { <-goOn; return nil })
				if err == nil {
					release()
				}
				ended <- err
			}()
		}
		synctest.Wait()
		if _, _, _, err := c.of(t.Context(), "more", nil); err == nil || !strings.Contains(err.Error(), "too many reports") {
			t.Errorf("one more: %v, want a 503", err)
		}
		cancel()
		for range maxWaitingReports - 1 {
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want that of the context", err)
			}
		}
		close(goOn)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestRenderedSpace: the least recently used report goes, but not from under its reader;
// what is not kept is written each time.
func TestRenderedSpace(t *testing.T) {
	t.Parallel()
	c := newRendered(10)
	writes := 0
	said := "1234"
	get := func(key string) (io.Reader, func()) {
		t.Helper()
		text, _, release, err := c.of(t.Context(), key, func(w io.Writer) error {
			writes++
			_, err := io.WriteString(w, said)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return text, release
	}
	a, releaseA := get("a")
	for _, key := range []string{"b", "c", "b", "c"} {
		_, release := get(key)
		release()
	}
	if writes != 3 || c.size != 8 || c.by["a"] != nil {
		t.Errorf("%d writes, %d bytes, want 3 and 8 without the first", writes, c.size)
	}
	if b, err := io.ReadAll(a); err != nil || string(b) != "1234" {
		t.Errorf("the dropped report reads %q, %v", b, err)
	}
	releaseA()
	for range 2 {
		_, release := get("")
		release()
	}
	if writes != 5 || len(c.by) != 2 {
		t.Errorf("%d writes, %d kept: want a report without a key to be written each time", writes, len(c.by))
	}
	said = "longer than all the room"
	_, release := get("e")
	release()
	if len(c.by) != 2 || c.by["e"] != nil {
		t.Errorf("%d kept: want no report that is larger than the room, and the others to stay", len(c.by))
	}
	failed := errors.New("failed")
	if _, _, _, err := c.of(t.Context(), "d", func(io.Writer) error { return failed }); !errors.Is(err, failed) || c.by["d"] != nil {
		t.Errorf("%v, want the error of the write and nothing kept", err)
	}
	c.closeAll()
	if c.size != 0 || len(c.by) != 0 {
		t.Error("something is left")
	}
}

// TestReportIsKept: the report of a finished run has a tag, and a client that has it gets
// no second one, until something that the report rests on changes.
func TestReportIsKept(t *testing.T) {
	t.Parallel()
	b := start(t)
	h := storetest.Header(1)
	h.State, h.Started = stateRunning, time.Now()
	if err := b.store.CreateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	at := "/api/v1/runs/" + h.ID + "/report.html"
	plain := []string{"Accept-Encoding", "identity"}
	running := b.do("GET", at, nil, plain...).want(t, 200).Header.Get("ETag") // that of its bytes
	update := func(change func(*assay.Header)) {
		t.Helper()
		change(&h)
		unlock, err := b.store.Lock(t.Context(), h.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.store.UpdateRun(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		if err := unlock(); err != nil {
			t.Fatal(err)
		}
	}
	update(func(h *assay.Header) { h.State = stateFinished })
	first := b.do("GET", at, nil, plain...).want(t, 200)
	tag := first.Header.Get("ETag")
	if tag == "" || tag == running || first.Header.Get("Cache-Control") != "private, no-cache" || !strings.HasPrefix(first.text, "<!doctype html>") {
		t.Fatalf("tag %q, Cache-Control %q", tag, first.Header.Get("Cache-Control"))
	}
	if again := b.do("GET", at, nil, plain...).want(t, 200); again.text != first.text || again.Header.Get("ETag") != tag {
		t.Error("the kept report differs")
	}
	if n := len(b.server.rendered.by); n != 1 {
		t.Errorf("%d kept reports, want 1", n)
	}
	for _, tags := range []string{tag, `"other", ` + tag, "*"} {
		g := b.do("GET", at, nil, append(plain, "If-None-Match", tags)...)
		if g.StatusCode != http.StatusNotModified || g.text != "" || g.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %d with %d bytes, want 304 with none", tags, g.StatusCode, len(g.text))
		}
	}
	for _, other := range []string{at + "?language=zh-Hant", strings.Replace(at, ".html", ".md", 1)} {
		if g := b.do("GET", other, nil, "If-None-Match", tag).want(t, 200); g.Header.Get("ETag") == tag {
			t.Errorf("%s has the same tag", other)
		}
	}
	update(func(h *assay.Header) { h.Name = "another name" })
	if g := b.do("GET", at, nil, "If-None-Match", tag).want(t, 200); !strings.Contains(g.text, "another name") {
		t.Error("the report has the name that the run had before")
	}
}
