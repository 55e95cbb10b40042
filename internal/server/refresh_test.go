package server

import (
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
