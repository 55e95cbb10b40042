package wire

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/store"
)

type counting struct{ asked atomic.Int64 }

func (c *counting) Ask(context.Context, *assay.Case) (assay.Response, error) {
	c.asked.Add(1)
	return assay.Response{Answer: "Gustave Eiffel.", Passages: []assay.Passage{{Text: "Gustave Eiffel built it.", Document: "tower.md"}}}, nil
}

// TestJudgeAway runs without a judge: not at all unless the judge is optional, and then
// only what needs none. When the judge is back, a resumed run has the kept answers judged
// and asks the target nothing.
func TestJudgeAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gold := filepath.Join(dir, "gold.json")
	text := `{"test_cases": [{"question": "Who built it?", "ground_truth": "Gustave Eiffel.", "expected_contexts": ["tower.md"]},` +
		`{"question": "Whose tower is it?", "ground_truth": "Gustave Eiffel's.", "expected_contexts": ["tower.md"]}]}`
	if err := os.WriteFile(gold, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var there atomic.Bool
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !there.Load() {
			http.Error(w, `{"error":"who are you?"}`, http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"models":[{"name":"m"}]}`)
	}))
	defer srv.Close()
	db, err := store.Open(t.Context(), filepath.Join(dir, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	target := &counting{}
	prepare := func(optional string) *Prepared {
		r := config.Default()
		r.Variables = config.Environ(func(string) string { return "" })
		for key, v := range map[string]string{
			"dataset": gold, "metrics": "recall@10,answer_correctness", "judge": "ollama:m", "judge-url": srv.URL, "judge-optional": optional,
		} {
			if err := r.Set(key, v, config.FromFlag, key); err != nil {
				t.Fatal(err)
			}
		}
		p, err := Prepare(t.Context(), r, World{
			Path: func(p string) string { return p }, Getenv: r.Variables.Get, Now: time.Now, Random: rand.Reader, Target: target,
		})
		if err != nil {
			t.Fatal(err)
		}
		// The server is only asked whether it is there.
		for _, l := range p.models.providers {
			if l.provider, err = llm.NewFake(llm.FakeScript{Simulate: true, Answer: play}); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() { p.Close() })
		return p
	}

	_, err = prepare("false").Run(t.Context(), db)
	var away *AwayError
	if !errors.As(err, &away) || !away.Judges || !strings.Contains(err.Error(), "who are you?") ||
		!strings.Contains(err.Error(), "--judge-optional") {
		t.Fatalf("got %v, want a judge that is away", err)
	}
	if all, err := db.Runs(t.Context(), 0); err != nil || len(all) != 0 || target.asked.Load() != 0 {
		t.Fatalf("%d runs and %d questions, %v: want none", len(all), target.asked.Load(), err)
	}

	rep, err := prepare("true").Run(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Header.State != "interrupted" || !strings.Contains(strings.Join(rep.Header.Warnings, "\n"), "--resume="+rep.Header.ID) {
		t.Errorf("the run is %s, with the warnings %q", rep.Header.State, rep.Header.Warnings)
	}
	if rep.Cases.Len() != 2 || !rep.Header.Deferred {
		t.Errorf("%d records, deferred %v", rep.Cases.Len(), rep.Header.Deferred)
	}
	kept, err := Kept(t.Context(), db, rep.Header)
	if err != nil || kept.Cases.Len() != 2 {
		t.Fatalf("the stored run cannot be reported: %v", err)
	}
	seen := 0
	for rec, err := range rep.Records() {
		if seen++; err != nil {
			t.Fatal(err)
		}
		judged, recall := rec.Scores["answer_correctness"], rec.Scores["recall@10"]
		if judged.State != assay.JudgeError || !strings.Contains(judged.Reason, "the judge is away") || recall.State != assay.Scored {
			t.Errorf("%s: %v and %v", rec.Case.ID, judged, recall)
		}
	}
	if seen != 2 {
		t.Errorf("%d records in the report of the session, want 2", seen)
	}

	there.Store(true)
	again := prepare("false")
	if err := again.Resume(rep.Header); err != nil {
		t.Fatal(err)
	}
	if rep, err = again.Run(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if rep.Header.State != "finished" || rep.Cases.Len() != 2 || target.asked.Load() != 2 {
		t.Errorf("the run is %s with %d records after %d questions, want 2 and 2", rep.Header.State, rep.Cases.Len(), target.asked.Load())
	}
	if rep.Header.Deferred {
		t.Error("the judged run is still deferred")
	}
	if w := strings.Join(rep.Header.Warnings, "\n"); strings.Contains(w, deferred) {
		t.Errorf("still warned: %s", w)
	}
	for rec := range rep.Records() {
		if s := rec.Scores["answer_correctness"]; s.State != assay.Scored {
			t.Errorf("%s: %v", rec.Case.ID, s)
		}
	}
}
