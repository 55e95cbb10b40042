package rerank_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/embed/embedtest"
	"github.com/assay-eval/assay/rag/rerank"
)

const key = "co-planted-key-0042"

// ranker opens a reranker of a kind behind a client.
func ranker(t testing.TB, kind string, o llm.Options, model string, ledger llm.Ledger, change ...func(*llm.ClientConfig)) *rerank.Ledgered {
	t.Helper()
	k := rerank.Kinds.Find(kind)
	o.KeyEnv, o.Getenv = "OWN_KEY", func(string) string { return key }
	s, err := k.Open(rerank.Setup{Options: o, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	return rerank.NewLedgered(embedtest.Client(t, rerank.Provider(kind, s), ledger, change...), model, kind+":"+model, k.Batch)
}

// double is a server of a kind: the score of a text is its number of "a", best first.
func double(kind string, most int, watch func(*http.Request, map[string]any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		json.NewDecoder(r.Body).Decode(&body)
		watch(r, body)
		texts, index, score := body["documents"], "index", "relevance_score"
		if kind == "tei" {
			texts, score = body["texts"], "score"
		}
		list := texts.([]any)
		if len(list) > most {
			w.WriteHeader(413)
			fmt.Fprintf(w, `{"error":"batch size %d > maximum allowed batch size %d","error_type":"Validation"}`, len(list), most)
			return
		}
		var out []map[string]any
		for i, text := range list {
			if len(text.(string)) > 100 && body["truncate"] == false {
				w.WriteHeader(413)
				io.WriteString(w, `{"error":"inputs must have less than 100 tokens","error_type":"Validation"}`)
				return
			}
			out = append(out, map[string]any{index: i, score: float64(strings.Count(text.(string), "a"))})
		}
		slices.SortStableFunc(out, func(a, b map[string]any) int { return int(b[score].(float64) - a[score].(float64)) })
		if kind == "tei" {
			json.NewEncoder(w).Encode(out)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"results": out, "usage": map[string]any{"total_tokens": 9}})
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range rerank.Kinds.Names() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var got []string
			srv := httptest.NewServer(double(kind, 5, func(r *http.Request, body map[string]any) {
				line, _ := json.Marshal(body)
				got = append(got, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(line))
			}))
			t.Cleanup(srv.Close)
			ledger := &embedtest.Ledger{}
			// The address that users find in documentation is the whole one.
			e := ranker(t, kind, llm.Options{BaseURL: srv.URL + "/v1/rerank"}, "m", ledger)
			scores, cut, used, err := e.Score(t.Context(), "q", []string{"b", "aa", "a", ""})
			if err != nil || fmt.Sprint(scores) != "[0 2 1 0]" || cut != 0 {
				t.Errorf("%v, %d cut, %v", scores, cut, err)
			}
			want := map[string]string{
				"tei":    `{"query":"q","texts":["b","aa","a"," "],"truncate":false}`,
				"cohere": `{"documents":["b","aa","a"," "],"model":"m","query":"q","top_n":4}`,
				"jina":   `{"documents":["b","aa","a"," "],"model":"m","query":"q","return_documents":false,"top_n":4}`,
			}[kind]
			if want = "POST /v1/rerank Bearer " + key + " " + want; len(got) != 1 || got[0] != want {
				t.Errorf("%q\nwant %q", got, want)
			}
			if tokens := map[string]int{"tei": 0, "cohere": 9, "jina": 9}[kind]; used.InputTokens != tokens {
				t.Errorf("%d tokens: want %d", used.InputTokens, tokens)
			}
			// The same list costs nothing, another order is another list.
			if _, _, _, err := e.Score(t.Context(), "q", []string{"b", "aa", "a", ""}); err != nil || len(got) != 1 {
				t.Errorf("%v, %d calls: want the scores of the ledger", err, len(got))
			}
			// More than the server takes are asked for in parts: 11 is refused, 6 too, the rest is
			// asked by threes.
			many := strings.Split("aaa a b aa a b aaaa b b a b", " ")
			if scores, _, _, err = e.Score(t.Context(), "q", many); err != nil || fmt.Sprint(scores) != "[3 1 0 2 1 0 4 0 0 1 0]" {
				t.Errorf("%v, %v", scores, err)
			}
		})
	}
}

// A passage that is too long for the model is scored by its beginning, as those of its call
// may be.
func TestTEICuts(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(double("tei", 32, func(*http.Request, map[string]any) {}))
	t.Cleanup(srv.Close)
	e := ranker(t, "tei", llm.Options{BaseURL: srv.URL}, "m", &embedtest.Ledger{})
	for range 2 {
		scores, cut, _, err := e.Score(t.Context(), "q", []string{"a", strings.Repeat("a", 101), "b", "aa"})
		if err != nil || cut != 4 || fmt.Sprint(scores) != "[1 101 0 2]" {
			t.Errorf("%v, %d cut, %v", scores, cut, err)
		}
	}
}

func TestFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, body string
		status     int
		of         llm.Kind
		want       string
	}{
		{"cohere", `{"message":"invalid api token ` + key + `"}`, 401, llm.KindAuth, "invalid api token [secret]"},
		{"cohere", `{"results":[{"index":0,"relevance_score":0.5}]}`, 200, llm.KindReply, "1 scores for 2 texts: expected one for each"},
		{"cohere", `{"results":[{"index":0,"relevance_score":0.5},{"index":0,"relevance_score":1}]}`, 200, llm.KindReply,
			"index 0: expected each from 0 to 1 once"},
		{"jina", `{"results":[{"index":0,"relevance_score":0.5},{"index":2,"relevance_score":1}]}`, 200, llm.KindReply, "index 2: expected each"},
		{"jina", `{"results":[{"index":0,"relevance_score":0.5},{"index":1}]}`, 200, llm.KindReply, "a score without an index or a value"},
		{"jina", `{"detail":"model not found"}`, 404, llm.KindModel, "model not found"},
		{"tei", `[{"index":0,"score":null},{"index":1,"score":1}]`, 200, llm.KindReply, "a score without an index or a value"},
		{"tei", `{"error":"Model is overloaded","error_type":"Overloaded"}`, 429, llm.KindRate, "overloaded"},
		{"tei", `{"results":[]}`, 200, llm.KindReply, "the reply cannot be read"},
	} {
		t.Run(c.kind+" "+c.want, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			}))
			t.Cleanup(srv.Close)
			ledger := &embedtest.Ledger{}
			_, _, _, err := ranker(t, c.kind, llm.Options{BaseURL: srv.URL}, "m", ledger).Score(t.Context(), "q", []string{"a", "b"})
			if !llm.IsKind(err, c.of) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), key) {
				t.Errorf("%v\nwant one of kind %s: %s", err, c.of, c.want)
			}
			for _, call := range ledger.Calls() {
				if !strings.Contains(string(call.Reply), `"failed"`) { // a failure is kept for replays alone
					t.Error("the reply is kept all the same")
				}
			}
		})
	}
}

// TestRealServer compares the scores of a real server, over three protocols, with the
// cosines of the built-in encoder of the same model.
func TestRealServer(t *testing.T) {
	address := embedtest.Server(t)
	own, err := embed.New(embed.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	question := "When does the library open on Saturdays?"
	texts := []string{
		"The ferry leaves at noon.", "On Saturdays the library opens at nine.", "Day tickets cost 18 euros.", "Libraries lend books.",
	}
	for len(texts) < 40 { // more than the server takes at once
		texts = append(texts, fmt.Sprintf("Room %d is closed for repairs.", len(texts)))
	}
	vectors, err := own.Embed(t.Context(), append([]string{question}, texts...))
	if err != nil {
		t.Fatal(err)
	}
	for kind, path := range map[string]string{"tei": "", "cohere": "/v2", "jina": "/v1"} {
		scores, cut, used, err := ranker(t, kind, llm.Options{BaseURL: address + path}, embedtest.Served, &embedtest.Ledger{}).
			Score(t.Context(), question, texts)
		if err != nil || cut != 0 {
			t.Errorf("%s: %d cut, %v", kind, cut, err)
			continue
		}
		for i, s := range scores {
			if want := (1 + embedtest.Dot(vectors[0], vectors[i+1])) / 2; math.Abs(s-want) > 1e-3 {
				t.Errorf("%s: %q scores %v: want %v", kind, texts[i], s, want)
			}
		}
		if best := slices.Index(scores, slices.Max(scores)); best != 1 {
			t.Errorf("%s: the best is %q", kind, texts[best])
		}
		if kind != "cohere" && used.InputTokens == 0 {
			t.Errorf("%s: no tokens", kind)
		}
	}
}

func TestStandIn(t *testing.T) {
	t.Parallel()
	r := llm.Request{Messages: make([]llm.Message, 4)}
	if got := rerank.StandIn(r); got != `{"scores":[1,0.5,0.25]}` {
		t.Error(got)
	}
}

func FuzzReply(f *testing.F) {
	for _, s := range []string{
		`[{"index":0,"score":1},{"index":1,"score":0.5}]`, `{"results":[{"index":1,"relevance_score":1e308},{"index":0,"relevance_score":-1}]}`,
		`[]`, `{}`, `{"results":null}`, `[{"index":-1,"score":1},{}]`, `"x"`,
	} {
		for i := range rerank.Kinds {
			f.Add(uint8(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		kind := rerank.Kinds.Names()[int(which)%len(rerank.Kinds)]
		o := llm.Options{BaseURL: "http://127.0.0.1/v1", HTTP: &http.Client{Transport: always(body)}}
		scores, _, _, err := ranker(t, kind, o, "m", &embedtest.Ledger{}, func(c *llm.ClientConfig) { c.Retries = -1 }).
			Score(t.Context(), "q", []string{"a", "b"})
		var known *llm.Error
		switch {
		case err != nil && !errors.As(err, &known):
			t.Errorf("%v: want an *llm.Error", err)
		case err == nil && (len(scores) != 2 || math.IsNaN(scores[0]+scores[1])):
			t.Errorf("%v", scores)
		}
	})
}

type always []byte

func (a always) RoundTrip(r *http.Request) (*http.Response, error) {
	io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(string(a))), Header: http.Header{}, Request: r}, nil
}
