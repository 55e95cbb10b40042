package embed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/embed/embedtest"
)

const key = "sk-planted-key-0042"

func env(name string) string { return map[string]string{"OWN_KEY": key}[name] }

// A wire is how a kind of server is asked and replies.
type wire struct {
	kind, model, path string
	// texts reads the texts of a request, reply writes vectors as the server does.
	texts func(body map[string]any) any
	reply func(vectors [][]float32) any
}

var wires = []wire{
	{
		"openai", "m", "/v1/embeddings", func(b map[string]any) any { return b["input"] },
		func(vectors [][]float32) any {
			data := []any{}
			for i := len(vectors) - 1; i >= 0; i-- { // the index says which is which
				data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": vectors[i]})
			}
			return map[string]any{"object": "list", "data": data, "model": "m", "usage": map[string]any{"prompt_tokens": 7, "total_tokens": 7}}
		},
	},
	{
		"ollama", "m", "/api/embed", func(b map[string]any) any { return b["input"] },
		func(vectors [][]float32) any {
			return map[string]any{"model": "m", "embeddings": vectors, "total_duration": 14143917, "prompt_eval_count": 7}
		},
	},
	{
		"tei", "m", "/embed", func(b map[string]any) any { return b["inputs"] },
		func(vectors [][]float32) any { return vectors },
	},
}

// double is a server of a kind whose vectors are those of hashed, and which refuses texts
// of more than a thousand characters unless it may cut them.
func (w wire) double(t *testing.T, watch func(r *http.Request, body map[string]any)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(rw, r)
			return
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if watch != nil {
			watch(r, body)
		}
		var vectors [][]float32
		for _, text := range w.texts(body).([]any) {
			s := text.(string)
			if len(s) > 1000 {
				if body["truncate"] == false {
					rw.WriteHeader(http.StatusRequestEntityTooLarge)
					io.WriteString(rw, `{"error":"input too long","error_type":"Validation"}`)
					return
				}
				s = s[:1000]
			}
			vectors = append(vectors, hashed(s))
		}
		json.NewEncoder(rw).Encode(w.reply(vectors))
	}
}

func (w wire) open(t *testing.T, h http.HandlerFunc) *embed.Ledgered {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return embedtest.Open(t, w.kind, embed.Setup{
		Options: llm.Options{BaseURL: srv.URL + strings.TrimSuffix(w.path, "/embeddings"), KeyEnv: "OWN_KEY", Getenv: env}, Model: w.model,
	}, &embedtest.Ledger{})
}

func TestKinds(t *testing.T) {
	for _, w := range wires {
		t.Run(w.kind, func(t *testing.T) {
			t.Parallel()
			embedtest.Kit{
				Make: func(t *testing.T) assay.Embedder { return w.open(t, w.double(t, nil)) },
				Stalled: func(t *testing.T) assay.Embedder {
					return w.open(t, func(_ http.ResponseWriter, r *http.Request) {
						io.Copy(io.Discard, r.Body)
						<-r.Context().Done()
					})
				},
			}.Run(t)
		})
	}
}

// What goes over the wire is what the servers document.
func TestKindsSend(t *testing.T) {
	for _, w := range wires {
		t.Run(w.kind, func(t *testing.T) {
			t.Parallel()
			var got []string
			e := w.open(t, w.double(t, func(r *http.Request, body map[string]any) {
				line, _ := json.Marshal(body)
				got = append(got, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(line))
			}))
			if _, err := e.Embed(t.Context(), []string{"a", ""}); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"openai": `POST /v1/embeddings Bearer ` + key + ` {"input":["a"," "],"model":"m"}`,
				"ollama": `POST /api/embed Bearer ` + key + ` {"input":["a"," "],"model":"m","truncate":false}`,
				"tei":    `POST /embed Bearer ` + key + ` {"inputs":["a"," "],"normalize":true,"truncate":false}`,
			}[w.kind]
			if len(got) != 1 || got[0] != want {
				t.Errorf("%q\nwant %q", got, want)
			}
			if e.Form() != "3 dimensions scaled to length 1" {
				t.Error(e.Form())
			}
		})
	}
}

// What is too long for the model is asked for again, to be cut.
func TestKindsCut(t *testing.T) {
	for _, w := range wires[1:] {
		t.Run(w.kind, func(t *testing.T) {
			t.Parallel()
			calls := 0
			e := w.open(t, w.double(t, func(*http.Request, map[string]any) { calls++ }))
			long := strings.Repeat("long", 300)
			got, err := e.Embed(t.Context(), []string{"a", long, "b"})
			if err != nil || calls != 2 || e.Cut() != 3 {
				t.Fatalf("%v, %d calls, up to %d cut: want 2 calls, and up to 3 cut", err, calls, e.Cut())
			}
			same, err := e.Embed(t.Context(), []string{long[:1000]})
			if err != nil || embedtest.Dot(same[0], got[1]) < 0.9999 {
				t.Errorf("%v: want the vector of the beginning", err)
			}
		})
	}
}

// What Ollama cannot cut is made shorter until it fits.
func TestOllamaCuts(t *testing.T) {
	t.Parallel()
	w := wires[1]
	var sizes []int
	e := w.open(t, func(rw http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		json.NewDecoder(r.Body).Decode(&body)
		sizes = append(sizes, len(body.Input[0]))
		if len(body.Input[0]) > 700 {
			rw.WriteHeader(400)
			io.WriteString(rw, `{"error":"the input length exceeds the context length"}`)
			return
		}
		io.WriteString(rw, `{"embeddings":[[1,0]]}`)
	})
	if _, err := e.Embed(t.Context(), []string{strings.Repeat("x", 1000)}); err != nil || e.Cut() != 1 {
		t.Errorf("%v, %d cut", err, e.Cut())
	}
	// The whole, for Ollama to cut, and seven eighths of what was refused.
	if fmt.Sprint(sizes) != "[1000 1000 875 766 671]" {
		t.Error(sizes)
	}
}

// The tokens of a call are those that the server counts.
func TestKindsCount(t *testing.T) {
	for _, w := range wires {
		t.Run(w.kind, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(func() http.HandlerFunc {
				h := w.double(t, nil)
				return func(rw http.ResponseWriter, r *http.Request) {
					rw.Header().Set("X-Compute-Tokens", "7")
					h(rw, r)
				}
			}())
			t.Cleanup(srv.Close)
			ledger := &embedtest.Ledger{}
			e := embedtest.Open(t, w.kind, embed.Setup{Options: llm.Options{BaseURL: srv.URL + "/v1"}, Model: "m"}, ledger)
			if w.kind != "openai" {
				e = embedtest.Open(t, w.kind, embed.Setup{Options: llm.Options{BaseURL: srv.URL}, Model: "m"}, ledger)
			}
			if _, err := e.Embed(t.Context(), []string{"a", "b", "c"}); err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, c := range ledger.Calls() {
				n += c.Usage.InputTokens
			}
			if n != 7 {
				t.Errorf("%d tokens: want 7", n)
			}
		})
	}
}

func TestKindsFail(t *testing.T) {
	for _, c := range []struct {
		kind, body string
		status     int
		of         llm.Kind
		want       string
	}{
		{"openai", `{"error":{"message":"Incorrect API key provided: ` + key + `"}}`, 401, llm.KindAuth, "Incorrect API key provided: [secret]"},
		{"openai", `{"error":{"message":"The model m does not exist","code":"model_not_found"}}`, 404, llm.KindModel, "does not exist"},
		{"openai", `{"data":[{"index":0,"embedding":[1,null]}]}`, 200, llm.KindReply, "number 2 of a vector is null: expected a number"},
		{"openai", `{"data":[{"index":0,"embedding":[1,1e99]}]}`, 200, llm.KindReply, "number 2 of a vector is 1e99"},
		{"openai", `{"data":[{"index":1,"embedding":[1]}]}`, 200, llm.KindReply, "the vectors are not numbered from 0 to 0, each once"},
		{"openai", `{"data":[{"index":0}]}`, 200, llm.KindReply, "data 0 has no embedding"},
		{"openai", `{"data":[]}`, 200, llm.KindReply, "0 vectors for 1 texts: expected one for each"},
		{"openai", `{"data":[{"index":0,"embedding":"AAA="}]}`, 200, llm.KindReply, "expected the base64 of float32"},
		{"openai", `{"data":[{"index":0,"embedding":{"a":1}}]}`, 200, llm.KindReply, "expected a list of numbers"},
		{"openai", `{"error":"loading"}`, 200, llm.KindReply, "an error instead of a reply: loading"},
		{"ollama", `{"error":"model \"m\" not found, try pulling it first"}`, 404, llm.KindModel, "try pulling it first"},
		{"ollama", `{"embeddings":[]}`, 200, llm.KindReply, "0 vectors for 1 texts"},
		{"ollama", `{"embeddings":[[0,0]]}`, 200, llm.KindReply, `text 1 of 1, "a": the vector is zero`},
		{"ollama", `<!doctype html><title>Sign in</title>`, 200, llm.KindReply, `a web page, "Sign in"`},
		{"tei", `{"error":"Model is overloaded","error_type":"Overloaded"}`, 429, llm.KindRate, "Model is overloaded"},
		{"tei", `[[]]`, 200, llm.KindReply, "the vector is empty"},
		{"tei", `[[1],[2]]`, 200, llm.KindReply, "2 vectors for 1 texts"},
		{"tei", `{}`, 200, llm.KindReply, "the reply cannot be read"},
	} {
		t.Run(c.kind+" "+c.want, func(t *testing.T) {
			t.Parallel()
			w := wires[0]
			for _, other := range wires {
				if other.kind == c.kind {
					w = other
				}
			}
			e := w.open(t, func(rw http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					http.NotFound(rw, r)
					return
				}
				rw.WriteHeader(c.status)
				io.WriteString(rw, c.body)
			})
			_, err := e.Embed(t.Context(), []string{"a"})
			if !llm.IsKind(err, c.of) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), key) {
				t.Errorf("%v\nwant one of kind %s: %s", err, c.of, c.want)
			}
		})
	}
}

// OpenAI's servers may send a vector as the base64 of its bytes.
func TestOpenAIBase64(t *testing.T) {
	e := wires[0].open(t, func(rw http.ResponseWriter, _ *http.Request) {
		io.WriteString(rw, `{"data":[{"embedding":"mpkZP83MTD8="}]}`) // 0.6, 0.8
	})
	got, err := e.Embed(t.Context(), []string{"a"})
	if err != nil || fmt.Sprint(got) != "[[0.6 0.8]]" {
		t.Errorf("%v, %v: want 0.6 and 0.8", got, err)
	}
}

// A server of text-embeddings-inference has one model, which need not be the one named.
func TestTEIModel(t *testing.T) {
	for _, c := range []struct {
		info, want string
		status     int
	}{
		{`{"model_id":"m","model_sha":null,"max_client_batch_size":32}`, "", 200},
		{`{"model_id":"other"}`, `the server has the model "other": expected tei:other`, 200},
		{`{}`, "", 200},
		{`no such page`, "", 404},
		{`oops`, "status 500", 500},
	} {
		w := wires[2]
		asked := 0
		e := w.open(t, func(rw http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/info" {
				asked++
				rw.WriteHeader(c.status)
				io.WriteString(rw, c.info)
				return
			}
			w.double(t, nil)(rw, r)
		})
		_, err := e.Embed(t.Context(), []string{"a"})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.info, err, c.want)
		}
		if _, err := e.Embed(t.Context(), []string{"b"}); c.want == "" && (err != nil || asked != 1) {
			t.Errorf("%s: %v, asked %d times: want once", c.info, err, asked)
		}
	}
}

// Extra fields of a provider go into each request, but not over the protocol's own.
func TestKindsExtra(t *testing.T) {
	t.Parallel()
	var got any
	w := wires[0]
	srv := httptest.NewServer(w.double(t, func(_ *http.Request, body map[string]any) { got = body["dimensions"] }))
	t.Cleanup(srv.Close)
	for field, want := range map[string]string{"dimensions": "", "input": `extra field "input": reserved by the protocol`} {
		e := embedtest.Open(t, "openai", embed.Setup{
			Options: llm.Options{BaseURL: srv.URL, Extra: map[string]any{field: 256}}, Model: "m",
		}, &embedtest.Ledger{})
		_, err := e.Embed(t.Context(), []string{"a"})
		if want == "" && (err != nil || got != 256.0 || e.Identity() != "openai:m(dimensions=256)") ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, sent %v by %s", field, err, got, e.Identity())
		}
	}
}

// TestRealServers runs the kit on servers that were not written for it, and compares their
// vectors with those of the built-in encoder of the same model.
func TestRealServers(t *testing.T) {
	own, err := embed.New(embed.BuiltIn)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, kind string
		start      func(testing.TB) string
		path       string
		model      string
		// least is the least cosine with the built-in encoder's vector. Ollama's weights have
		// half precision. The texts have no accents, which its tokenizer does not strip as that
		// of the model does: "Wie spät ist es?" has a cosine of 0.75.
		least float64
	}{
		{"onnx as tei", "tei", embedtest.Server, "", embedtest.Served, 0.9999},
		{"onnx as openai", "openai", embedtest.Server, "/v1", embedtest.Served, 0.9999},
		{"ollama", "ollama", llmtest.OllamaMiniLM, "", llmtest.MiniLM, 0.999},
		{"ollama as openai", "openai", llmtest.OllamaMiniLM, "/v1", llmtest.MiniLM, 0.999},
	} {
		t.Run(c.name, func(t *testing.T) {
			setup := embed.Setup{Options: llm.Options{BaseURL: c.start(t) + c.path}, Model: c.model}
			embedtest.Kit{
				Make: func(t *testing.T) assay.Embedder { return embedtest.Open(t, c.kind, setup, &embedtest.Ledger{}) },
			}.Run(t)
			texts := []string{
				"The library opens at nine on Saturdays.", "When does the ferry to the northern islands leave?",
				"A day ticket costs 18 euros; children under six travel free.",
			}
			e := embedtest.Open(t, c.kind, setup, &embedtest.Ledger{})
			got, err := e.Embed(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			want, err := own.Embed(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range texts {
				if cosine := embedtest.Dot(got[i], want[i]); cosine < c.least || math.IsNaN(cosine) {
					t.Errorf("%q: the cosine with the built-in encoder's is %v: want %v or more", texts[i], cosine, c.least)
				}
			}
			if e.Dimensions() != 384 {
				t.Errorf("%d dimensions", e.Dimensions())
			}
			t.Log(e.Identity(), e.Form())
		})
	}
}

// TestMiniLMKit holds the built-in embedder to the same contract.
func TestMiniLMKit(t *testing.T) {
	t.Parallel()
	embedtest.Kit{Make: func(t *testing.T) assay.Embedder { return embed.Memo(shallow(t)) }}.Run(t)
}

func FuzzReply(f *testing.F) {
	for _, s := range []string{
		`{"data":[{"index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":1e99}}`,
		`{"data":[{"index":0,"embedding":"mpkZP83MTD8="}]}`,
		`{"embeddings":[[1,2]]}`, `[[1,2]]`, `[[1,null]]`, `[[1e39]]`, `{"error":{}}`, `[]`, `"x"`, `[[ 1 , -0 ]]`, `[[0]]`,
	} {
		for i := range wires {
			f.Add(uint8(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		w := wires[int(which)%len(wires)]
		client := &http.Client{Transport: always(body)}
		e := embedtest.Open(t, w.kind, embed.Setup{Options: llm.Options{BaseURL: "http://127.0.0.1/v1", HTTP: client}, Model: "m"},
			&embedtest.Ledger{}, func(c *llm.ClientConfig) { c.Retries = -1 })
		got, err := e.Embed(context.Background(), []string{"a"})
		var known *llm.Error
		switch {
		case err != nil && !errors.As(err, &known):
			t.Errorf("%v: want an *llm.Error", err)
		case err == nil && (len(got) != 1 || math.Abs(embedtest.Dot(got[0], got[0])-1) > 1e-3):
			t.Errorf("%v", got)
		}
	})
}

type always []byte

func (a always) RoundTrip(r *http.Request) (*http.Response, error) {
	status := 200
	if r.Method == http.MethodGet {
		status = 404
	} else {
		io.Copy(io.Discard, r.Body)
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(string(a))), Header: http.Header{}, Request: r}, nil
}
