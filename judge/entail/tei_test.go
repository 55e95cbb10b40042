package entail_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/entail/entailtest"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed/embedtest"
)

const planted = "tei-planted-key-0042"

// share is the share of the claim's words that a document has.
func share(document, claim string) float64 {
	words := strings.Fields(claim)
	n := 0
	for _, w := range words {
		if strings.Contains(document, w) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}

// predict is a server of text-embeddings-inference with a classifier of three classes.
func predict(most int, watch func(*http.Request, []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		watch(r, body)
		var ask struct {
			Inputs   [][]string `json:"inputs"`
			Truncate bool       `json:"truncate"`
		}
		if err := json.Unmarshal(body, &ask); err != nil {
			w.WriteHeader(422)
			return
		}
		refuse := func(format string, args ...any) {
			w.WriteHeader(413)
			json.NewEncoder(w).Encode(map[string]string{"error": fmt.Sprintf(format, args...), "error_type": "Validation"})
		}
		if len(ask.Inputs) > most {
			refuse("batch size %d > maximum allowed batch size %d", len(ask.Inputs), most)
			return
		}
		out := [][]map[string]any{}
		for _, p := range ask.Inputs {
			if len(p[0])+len(p[1]) > 200 && !ask.Truncate {
				refuse("`inputs` must have less than 200 tokens. Given: %d", len(p[0])+len(p[1]))
				return
			}
			s := share(p[0], p[1])
			out = append(out, []map[string]any{
				{"score": s, "label": "entailment"}, {"score": (1 - s) / 4, "label": "contradiction"}, {"score": 3 * (1 - s) / 4, "label": "neutral"},
			})
		}
		w.Header().Set("X-Compute-Tokens", fmt.Sprint(10*len(ask.Inputs)))
		json.NewEncoder(w).Encode(out)
	}
}

func served(t *testing.T, h http.HandlerFunc) entail.Setup {
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return entail.Setup{Model: "m", Options: llm.Options{BaseURL: srv.URL, KeyEnv: "OWN_KEY", Getenv: func(string) string { return planted }}}
}

func TestTEI(t *testing.T) {
	t.Parallel()
	var got []string
	s := served(t, predict(32, func(r *http.Request, body []byte) {
		got = append(got, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
	}))
	ledger := &embedtest.Ledger{}
	scorer := opened(t, "tei", s, ledger)
	pairs := []entail.Pair{{Document: "a b", Claim: "a c"}, {Document: "a b", Claim: "b"}}
	for range 2 {
		scores, err := scorer.Score(t.Context(), pairs)
		if err != nil || scores[0].Entailed != 0.5 || *scores[0].Contradicted != 0.125 || scores[1].Entailed != 1 {
			t.Errorf("%+v, %v", scores, err)
		}
	}
	want := "POST /predict Bearer " + planted + ` {"inputs":[["a b","a c"],["a b","b"]],"raw_scores":false,"truncate":false}`
	if len(got) != 1 || got[0] != want {
		t.Errorf("%q\nwant %q once", got, want)
	}
	tokens := 0
	for _, c := range ledger.Calls() {
		tokens += c.Usage.InputTokens
	}
	if tokens != 20 {
		t.Errorf("%d tokens are kept: want 20", tokens)
	}
}

func TestTEIContract(t *testing.T) {
	t.Parallel()
	s := served(t, predict(20, func(*http.Request, []byte) {}))
	entailtest.Run(t, 0, func(t *testing.T) entail.Scorer { return opened(t, "tei", s, &embedtest.Ledger{}) })
}

// A pair that is too long is cut, and the case is told.
func TestTEICuts(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := served(t, predict(32, func(*http.Request, []byte) { calls.Add(1) }))
	j := judgeOf(t, opened(t, "tei", s, &embedtest.Ledger{}), 0)
	for range 2 {
		f, warnings := ruled(t, j, []string{"b"}, strings.Repeat("a ", 120)+"b")
		if f[0].Degree != 1 || len(warnings) != 1 || !strings.Contains(warnings[0], "--set entailment-window") || calls.Load() != 2 {
			t.Errorf("%+v, %q, %d calls", f, warnings, calls.Load())
		}
	}
}

func TestTEIFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		of     llm.Kind
		want   string
	}{
		{401, `{"error":"bad key ` + planted + `"}`, llm.KindAuth, "bad key [secret]"},
		{200, `[[{"score":0.5,"label":"entailment"},{"score":0.5,"label":"neutral"}]]`, llm.KindReply, "1 scores for 2 pairs: expected one for each"},
		{200, `[{"score":0.5,"label":"entailment"}]`, llm.KindReply, "the reply cannot be read"},
		{200, `[[{"label":"entailment"}],[]]`, llm.KindReply, `label "entailment" has no score`},
		{200, `[[{"score":0.2,"label":"positive"},{"score":0.8,"label":"negative"}],[]]`, llm.KindReply, "none is known to mean entailment"},
		{200, `{"error":"no"}`, llm.KindReply, ""},
		{429, `{"error":"Model is overloaded","error_type":"Overloaded"}`, llm.KindRate, "overloaded"},
		{424, `{"error":"embed models do not predict","error_type":"Backend"}`, "", "embed models do not predict"},
	} {
		t.Run(c.want, func(t *testing.T) {
			t.Parallel()
			s := served(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			ledger := &embedtest.Ledger{}
			_, err := opened(t, "tei", s, ledger).Score(t.Context(), []entail.Pair{{Document: "a", Claim: "b"}, {Document: "c", Claim: "d"}})
			if err == nil || c.of != "" && !llm.IsKind(err, c.of) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), planted) {
				t.Errorf("%v\nwant one of kind %s: %s", err, c.of, c.want)
			}
			for _, call := range ledger.Calls() {
				if !bytes.Contains(call.Reply, []byte(`"failed"`)) { // a failure is kept for replays alone
					t.Error("the reply is kept all the same")
				}
			}
		})
	}
}
