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

// TestWordIsCounted: a server that does not list its models is asked for a word, which is in
// the ledger and in the spending of the run, in each session anew and also if the run ends there.
func TestWordIsCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gold := filepath.Join(dir, "gold.jsonl")
	if err := os.WriteFile(gold, []byte(`{"question": "Who built it?", "ground_truth": "Gustave Eiffel."}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var broken atomic.Bool
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":5}}`)
	}))
	defer srv.Close()
	db, err := store.Open(t.Context(), filepath.Join(dir, "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	prepare := func() *Prepared {
		r := config.Default()
		r.Variables = config.Environ(func(string) string { return "k" })
		for key, v := range map[string]string{
			"dataset": gold, "metrics": "answer_correctness", "judge": "openai:gpt-4o-mini", "judge-url": srv.URL, "max-cost": "1",
		} {
			if err := r.Set(key, v, config.FromFlag, key); err != nil {
				t.Fatal(err)
			}
		}
		p, err := Prepare(t.Context(), r, World{
			Path: func(p string) string { return p }, Getenv: r.Variables.Get, Now: time.Now, Random: rand.Reader, Target: &counting{},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range p.models.providers {
			if l.provider, err = llm.NewFake(llm.FakeScript{Simulate: true, Answer: func(q llm.Request) (string, error) {
				if broken.Load() {
					return "", &llm.Error{Kind: llm.KindAuth, Message: "the key was withdrawn"}
				}
				return play(q)
			}}); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	broken.Store(true)
	p := prepare()
	rep, err := p.Run(t.Context(), db)
	if err == nil || rep == nil {
		t.Fatalf("%v, %v: want a run that ended at its judge", rep, err)
	}
	for sessions := 1; ; sessions++ {
		by, err := db.SpentBy(t.Context(), rep.Header.ID)
		if err != nil {
			t.Fatal(err)
		}
		word, all := by["probe"], assay.Spending{}
		for _, one := range by {
			all.Add(one)
		}
		if word.Calls != sessions || word.Usage.InputTokens != 1000*sessions || word.Usage.Cost == 0 {
			t.Errorf("%d sessions: %+v in the ledger: want a word each", sessions, word)
		}
		if s := rep.Header.Spending; s == nil || s.Calls != all.Calls-word.Calls || s.Usage.Cost != all.Usage.Cost {
			t.Errorf("%d sessions: the run has spent %+v, the ledger has %+v", sessions, s, all)
		}
		if sessions == 2 {
			break
		}
		broken.Store(false)
		again := prepare()
		if err := again.Resume(rep.Header); err != nil {
			t.Fatal(err)
		}
		if rep, err = again.Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
}
