package server

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/internal/accuracy"
)

// Results and evaluations tell how many replies of models were kept ones; with refresh the
// models are asked again.
func TestRefresh(t *testing.T) {
	t.Parallel()
	l := laboratory(t, nil)
	generate := func(refresh bool) accuracy.Result {
		t.Helper()
		body := map[string]any{"question": asked, "profile": "A", "refresh": refresh}
		return read[accuracy.Result](t, l.do("POST", "/api/v1/test/generate/text", body).want(t, 200))
	}
	first := generate(false)
	n := first.ModelReplies.Total
	if n == 0 || first.ModelReplies.Cached != 0 {
		t.Fatalf("the first answer has %+v", first.ModelReplies)
	}
	for _, refresh := range []bool{false, true, false} {
		want := accuracy.ModelReplies{Total: n, Cached: n}
		if refresh {
			want.Cached = 0
		}
		r := generate(refresh)
		if r.ModelReplies != want {
			t.Errorf("an answer with refresh %t has %+v, want %+v", refresh, r.ModelReplies, want)
		}
		if kept := read[accuracy.Result](t, l.do("GET", "/api/v1/test/results/"+r.ResultID, nil).want(t, 200)); kept.ModelReplies != want {
			t.Errorf("the stored result has %+v", kept.ModelReplies)
		}
	}

	evaluate := func(refresh bool) accuracy.Evaluation {
		t.Helper()
		body := map[string]any{"result_id": first.ResultID, "refresh": refresh}
		return read[accuracy.Evaluation](t, l.do("POST", "/api/v1/test/evaluate", body).want(t, 200))
	}
	e := evaluate(false)
	n = e.ModelReplies.Total
	if n == 0 || e.ModelReplies.Cached != 0 {
		t.Fatalf("the first evaluation has %+v", e.ModelReplies)
	}
	for _, refresh := range []bool{false, true, false} {
		want := accuracy.ModelReplies{Total: n, Cached: n}
		if refresh {
			want.Cached = 0
		}
		again := evaluate(refresh)
		if again.ModelReplies != want {
			t.Errorf("an evaluation with refresh %t has %+v, want %+v", refresh, again.ModelReplies, want)
		}
		again.ModelReplies = e.ModelReplies
		sameScores(t, e, again)
	}
}

// TestUnusableRepliesAreAskedAgain: a reply of a model that a stage cannot use fails the question,
// and the same question is put to the model again, in the same process.
func TestUnusableRepliesAreAskedAgain(t *testing.T) {
	t.Parallel()
	var broken atomic.Pointer[string]
	var calls atomic.Int64
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		calls.Add(1)
		if strings.HasSuffix(r.URL.Path, "/embeddings") {
			var in struct{ Input []string }
			_ = json.Unmarshal(data, &in)
			var out []map[string]any
			for i := range in.Input {
				v := []float64{1, 2, 3}
				if *broken.Load() == "embed" {
					v = v[:2]
				}
				out = append(out, map[string]any{"index": i, "embedding": v})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"data": out})
			return
		}
		stage, said := "generate", "At nine [1]."
		if text := string(data); strings.Contains(text, "key questions that") {
			_, subject, _ := strings.Cut(text, "open for ")
			subject, _, _ = strings.Cut(subject, "?")
			stage, said = "decompose", `{"questions":["When does it open for `+subject+`?"]}`
		} else if strings.Contains(text, "You rate") {
			stage, said = "filter", `{"scores":[{"chunk":1,"score":9}]}`
		}
		if stage == *broken.Load() {
			said = ""
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": said}}}})
	}))
	t.Cleanup(stub.Close)
	none := ""
	broken.Store(&none)
	l := laboratory(t, nil, "corpus="+folder(t, map[string]string{"a.txt": "The library opens at nine."}), "retriever=hybrid", "embedder=own:e",
		`providers={"own":{"kind":"openai","base_url":"`+stub.URL+`/v1"}}`, "decomposer=own:m", "filter=own:m", "generator=own:m")
	for _, stage := range []string{"decompose", "embed", "filter", "generate"} {
		body := map[string]any{"question": "When does the library open for " + stage + "?", "profile": "A"}
		for _, bad := range []string{stage, stage, "", ""} {
			broken.Store(&bad)
			before := calls.Load()
			got := l.do("POST", "/api/v1/test/generate/text", body)
			if want := map[bool]int{true: 502, false: 200}[bad != ""]; got.StatusCode != want || bad != "" && calls.Load() == before {
				t.Errorf("%s, broken %q: %d after %d calls, want %d\n%s", stage, bad, got.StatusCode, calls.Load()-before, want, got.text)
			}
		}
	}
}
