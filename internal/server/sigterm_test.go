package server

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A dammed target answers as often as it is let, and counts.
type dammed struct {
	let  chan struct{}
	mu   sync.Mutex
	seen map[string]int
	// asked counts the questions, also those without an answer.
	asked int
}

func (d *dammed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	question, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	d.mu.Lock()
	d.asked++
	d.mu.Unlock()
	select {
	case <-d.let:
	case <-r.Context().Done():
		return
	}
	d.mu.Lock()
	d.seen[string(question)]++
	d.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"answer":"The Thames.","contexts":[{"text":"The Thames flows through London.","source":"thames.md"}]}`)
}

// TestSIGTERM stops the real program in the middle of a run that streams follow,
// and starts it again: every case is asked once, is in the run once, and comes
// once in each stream.
func TestSIGTERM(t *testing.T) {
	const cases, before, streams = 200, 60, 8
	target := &dammed{let: make(chan struct{}, cases), seen: map[string]int{}}
	h := httptest.NewServer(target)
	t.Cleanup(h.Close)
	var gold strings.Builder
	for i := range cases {
		fmt.Fprintf(&gold, `{"id":"q%d","question":"Which river flows through London? %d","expected_sources":["thames.md"]}`+"\n", i, i)
	}
	dir := folder(t, map[string]string{
		"gold.jsonl": gold.String(),
		"eval-config.yaml": "adapter: http\nendpoint: " + h.URL + "\nread: {answer: answer, passages: contexts}\n" +
			"metrics: [src_hit@1]\nretries: 0\nconcurrency: 4\ntimeout: " +
			"10m\ncache: \"off\"\nstore: assay.db\n",
	})
	bin := program(t)
	p := launch(t, bin, dir, "--datasets", ".", "--quiet")
	run := p.begin(`{"dataset":"gold.jsonl"}`)
	var followers []*listener
	for range streams {
		followers = append(followers, p.listen(run, ""))
	}
	for range before {
		target.let <- struct{}{}
	}
	seen := make([][]string, streams)
	note := func(i int, events []event) {
		for _, e := range events {
			if e.name == "case" {
				seen[i] = append(seen[i], e.id)
			}
		}
	}
	for i, f := range followers {
		for len(seen[i]) < before {
			note(i, f.until("case"))
		}
	}
	p.signal()
	// The streams end when no more cases begin; then those in flight are let.
	for i, f := range followers {
		note(i, f.rest())
	}
	for range cases - before {
		target.let <- struct{}{}
	}
	p.wait()
	for i := range seen {
		if n := len(seen[i]); n < before || n >= cases {
			t.Errorf("stream %d had %d cases before the end, want the first %d at least and not all", i, n, before)
		}
	}

	p = launch(t, bin, dir, "--datasets", ".", "--quiet")
	for i := range streams {
		events := p.listen(run, seen[i][len(seen[i])-1]).until("done")
		note(i, events)
		for n, id := range seen[i] {
			if id != fmt.Sprint(n+1) {
				t.Fatalf("event %d of stream %d is %s: want each once, in order", n+1, i, id)
			}
		}
		if len(seen[i]) != cases {
			t.Errorf("stream %d had %d cases, want %d", i, len(seen[i]), cases)
		}
	}
	if v := read[RunView](t, p.do("GET", "/api/v1/runs/"+run, nil).want(t, 200)); v.State != stateFinished || v.Done != cases ||
		v.Failed != 0 {
		t.Errorf("%+v: want a finished run of %d cases without a failure", v, cases)
	}
	p.stop()
	target.mu.Lock()
	defer target.mu.Unlock()
	for question, n := range target.seen {
		if n != 1 {
			t.Errorf("%s was asked %d times, want once", question, n)
		}
	}
	if len(target.seen) != cases {
		t.Errorf("%d questions were asked, want %d", len(target.seen), cases)
	}
}
