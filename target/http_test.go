package target_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/targettest"
)

// httpServe serves until the test ends.
func httpServe(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// httpTarget makes a target that is closed before the servers are.
func httpTarget(t testing.TB, c target.HTTPConfig) *target.HTTP {
	t.Helper()
	h, err := target.NewHTTP(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func httpMapping(t testing.TB, paths map[string]string) reply.Mapping {
	t.Helper()
	m, err := reply.NewMapping(paths)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func httpPath(t testing.TB, s string) reply.Path {
	t.Helper()
	p, err := reply.ParsePath(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// httpKind is the kind of an error, and whether another attempt may help.
func httpKind(err error) (kind target.Kind, again bool) {
	var e *target.Error
	if !errors.As(err, &e) {
		return target.Kind(fmt.Sprintf("%T", err)), false
	}
	_, again = e.Retry()
	return e.Kind, again
}

const httpAnswer = `{"answer": "Paris.", "contexts": ["Paris is the capital.", "France."]}`

// A httpSeen is what a server saw of a request.
type httpSeen struct {
	Method, Address, Body string
	Header                http.Header
}

// httpRecorder answers every request and keeps the last one.
func httpRecorder(t testing.TB, answer string) (*httptest.Server, func() httpSeen) {
	var mu sync.Mutex
	var last httpSeen
	s := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		last = httpSeen{r.Method, r.URL.RequestURI(), string(body), r.Header.Clone()}
		last.Header.Set("Host", r.Host)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer)
	})
	return s, func() httpSeen {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

var httpCase = assay.Case{
	ID: "q 1", Question: `Is "A&B" <ok>?`, Tags: []string{"geo", "x"},
	Metadata: map[string]any{"lang": "de", "tenant": "a/b?c", "lines": "one\r\ntwo"},
}

func TestHTTPRequest(t *testing.T) {
	t.Parallel()
	server, seen := httpRecorder(t, httpAnswer)
	for _, test := range []struct {
		name                  string
		conf                  target.HTTPConfig
		method, address, body string
		header                map[string]string
	}{
		{
			"as it is when nothing is said", target.HTTPConfig{Endpoint: "/query"},
			"POST", "/query", `{"question":"Is \"A&B\" <ok>?"}`,
			map[string]string{"Content-Type": "application/json", "Accept": "application/json, */*;q=0.5", "User-Agent": "assay",
				"Authorization": ""},
		},
		{
			"a template", target.HTTPConfig{Endpoint: "/", TopK: 7, Values: map[string]any{"mode": map[string]any{"fast": true}},
				Send: map[string]any{
					"q": "{{question}}", "k": "{{top_k}}", "f": map[string]any{"lang": "{{metadata.lang}}", "none": "{{metadata.none|en}}"},
					"m": "{{mode.fast}}", "id": "{{id}}", "tags": "{{tags}}",
				}},
			"POST", "/", `{"f":{"lang":"de","none":"en"},"id":"q 1","k":7,"m":true,"q":"Is \"A&B\" <ok>?","tags":["geo","x"]}`, nil,
		},
		{
			"GET", target.HTTPConfig{Endpoint: "/t/{{metadata.tenant}}/s?q={{question}}&k={{top_k|3}}#part", Method: "get"},
			"GET", "/t/a%2Fb%3Fc/s?q=Is+%22A%26B%22+%3Cok%3E%3F&k=3", "",
			map[string]string{"Content-Type": ""},
		},
		{
			"PUT and headers", target.HTTPConfig{Endpoint: "/v1/", Method: "PUT", Header: http.Header{
				"content-type": {"application/vnd.x+json"}, "Accept": {"text/plain"}, "user-agent": {"mine"},
				"X-Lang": {"{{metadata.lang}} {{metadata.lines}}"}, "X-Two": {"a", "b"}, "Host": {"other.test"},
			}},
			"PUT", "/v1/", `{"question":"Is \"A&B\" <ok>?"}`,
			map[string]string{"Content-Type": "application/vnd.x+json", "Accept": "text/plain", "User-Agent": "mine", "X-Lang": "de one  two",
				"X-Two": "a, b", "Host": "other.test"},
		},
		{
			"GET with a body when one is given", target.HTTPConfig{Endpoint: "/", Method: "GET", Send: map[string]any{"query": "{{question}}"}},
			"GET", "/", `{"query":"Is \"A&B\" <ok>?"}`, nil,
		},
		{
			"a text as the body", target.HTTPConfig{Endpoint: "/", Send: "{{question}}"},
			"POST", "/", `"Is \"A&B\" <ok>?"`, nil,
		},
	} {
		conf := test.conf
		conf.Endpoint = server.URL + conf.Endpoint
		h := httpTarget(t, conf)
		c := httpCase
		resp, err := h.Ask(t.Context(), &c)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if resp.Answer != "Paris." || len(resp.Passages) != 2 || resp.Passages[1].Text != "France." {
			t.Errorf("%s: response %+v", test.name, resp)
		}
		got := seen()
		if got.Method != test.method || got.Address != test.address || got.Body != test.body {
			t.Errorf("%s: %s %s %s\nwant %s %s %s", test.name, got.Method, got.Address, got.Body, test.method, test.address, test.body)
		}
		for name, want := range test.header {
			if have := strings.Join(got.Header.Values(name), ", "); have != want {
				t.Errorf("%s: header %s: %q, want %q", test.name, name, have, want)
			}
		}
	}
	// The user and the password of an address become a header.
	h := httpTarget(t, target.HTTPConfig{Endpoint: strings.Replace(server.URL, "http://", "http://ann:pass%20word@", 1)})
	c := httpCase
	if _, err := h.Ask(t.Context(), &c); err != nil {
		t.Fatal(err)
	}
	if got := seen().Header.Get("Authorization"); got != "Basic YW5uOnBhc3Mgd29yZA==" { // base64 of "ann:pass word"
		t.Errorf("authorization %q", got)
	}
}

func TestHTTPConfigErrors(t *testing.T) {
	t.Parallel()
	const ok = "http://127.0.0.1:1/q"
	for _, test := range []struct {
		conf target.HTTPConfig
		want string
	}{
		{target.HTTPConfig{}, `endpoint: is empty: expected an address such as http://`},
		{target.HTTPConfig{Endpoint: "localhost:8000/q"}, `endpoint: "localhost:8000/q" has no scheme: expected http:// or https://`},
		{target.HTTPConfig{Endpoint: "ftp://h/q"}, `endpoint: scheme "ftp": expected http or https`},
		{target.HTTPConfig{Endpoint: "http:///q"}, `endpoint: host "" cannot be read`},
		{target.HTTPConfig{Endpoint: "http://u:verysecretword@h:port/q"}, `endpoint: host "h:port" cannot be read`},
		{target.HTTPConfig{Endpoint: "http://{{question}}/q"}, `a placeholder in the host name`},
		{target.HTTPConfig{Endpoint: "http://h/a b?q={{question}}"}, `is not a valid URL; escape special characters, such as %20`},
		{target.HTTPConfig{Endpoint: "http://h/%zz"}, `is not a valid URL`},
		{target.HTTPConfig{Endpoint: "http://h/{{question"}, `endpoint: placeholder "{{question" is not closed`},
		{target.HTTPConfig{Endpoint: ok, Method: "GE T"}, `method "GE T": expected one such as POST`},
		{target.HTTPConfig{Endpoint: ok, Method: "GET"}, `GET without a body, and no question in the endpoint: expected {{question}} in it, as in ` +
			`http://127.0.0.1:1/search?q={{question}}`},
		{target.HTTPConfig{Endpoint: ok, Send: map[string]any{"q": "hello"}}, `send: no placeholder of the case`},
		{target.HTTPConfig{Endpoint: ok, Send: map[string]any{"k": "{{top_k}}"}}, `send: no placeholder of the case`},
		{target.HTTPConfig{Endpoint: ok, Send: map[string]any{"q": "{{questoin}}"}}, `send: unknown placeholder "questoin": did you mean ` +
			`"question"?`},
		{target.HTTPConfig{Endpoint: ok, Send: map[string]any{"q": []any{"{{"}}}, `send: q[0]: placeholder "{{" is not closed`},
		{target.HTTPConfig{Endpoint: ok, Send: map[string]any{"v": "{{embedding}}"}}, `send: {{embedding}} needs an embedder`},
		{target.HTTPConfig{Endpoint: ok, Send: map[string]any{"v": "{{question}} {{mode.slow}}"},
			Values: map[string]any{"mode": map[string]any{"fast": 1}}}, `mode has no "slow"`},
		{target.HTTPConfig{Endpoint: ok, Values: map[string]any{"question": "x"}}, `value "question": the case itself provides this value`},
		{target.HTTPConfig{Endpoint: ok, Header: http.Header{"Bad Name": {"x"}}}, `header "Bad Name": expected a name of letters`},
		{target.HTTPConfig{Endpoint: ok, Header: http.Header{"X-A": {"verysecretword\r\nX-B: 1"}}}, `header "X-A": its value holds a line end`},
		{target.HTTPConfig{Endpoint: ok, Header: http.Header{"X-A": {"{{tokn}}"}}}, `header X-A: unknown placeholder "tokn"`},
		{target.HTTPConfig{Endpoint: ok, Header: http.Header{"Content-Length": {"1"}}}, `header "Content-Length": the connection sets it`},
		{target.HTTPConfig{Endpoint: ok, Proxy: "verysecretword"}, `http.proxy: the address cannot be read: expected one such as http://proxy:3128`},
		{target.HTTPConfig{Endpoint: ok, Proxy: "ftp://p:1"}, `http.proxy: the address cannot be read`},
		{target.HTTPConfig{Endpoint: ok, Setup: []target.Step{{Endpoint: "h"}}}, `setup step 1: endpoint: "h" has no scheme`},
		{target.HTTPConfig{Endpoint: "http://h/verysecretword {{", Secrets: secret.Set{secret.New("verysecretword")}}, `{{`},
	} {
		h, err := target.NewHTTP(test.conf)
		if err == nil {
			h.Close()
			t.Errorf("%+v: no error, want %q", test.conf, test.want)
			continue
		}
		if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "verysecretword") {
			t.Errorf("error %q\nwant %q and no secret", err, test.want)
		}
	}
}

// What comes back is read by content, whatever its type says.
func TestHTTPReplies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, contentType, body string
		read                    map[string]string
		answer                  string
		passages                int // -1 for none reported
	}{
		{"JSON", "application/json", httpAnswer, nil, "Paris.", 2},
		{"JSON that is called text", "text/html; charset=utf-8", "\ufeff " + httpAnswer, nil, "Paris.", 2},
		{"text", "text/plain", "Paris.\n", nil, "Paris.", -1},
		{"by paths", "application/json", `{"out": {"text": "Paris."}, "docs": [{"t": "a", "s": 0.5}]}`, map[string]string{"answer": "out.text",
			"passages": "docs", "text": "t", "score": "s"}, "Paris.", 1},
		{"only passages", "application/json", `{"docs": ["a", "b", "c"]}`, map[string]string{"passages": "docs"}, "", 3},
		{"nothing was retrieved", "application/json", `{"answer": "I do not know.", "contexts": []}`, nil, "I do not know.", 0},
		{"bytes that are no text", "application/json", "{\"answer\": \"caf\xe9\"}", nil, "caf\ufffd", -1},
		{"events", "text/event-stream", "data: {\"answer\": \"Pa\"}\n\ndata: {\"answer\": \"ris.\"}\n\ndata: {\"contexts\": [\"a\"]}\n\ndata: " +
			"[DONE]\n\n", nil, "Paris.", 1},
		{"lines", "application/x-ndjson", "{\"answer\": \"Pa\"}\n{\"answer\": \"ris.\"}\n{\"contexts\": [\"a\"]}\n", nil, "Paris.", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", test.contentType)
				io.WriteString(w, test.body)
			})
			conf := target.HTTPConfig{Endpoint: server.URL}
			if test.read != nil {
				conf.Read = httpMapping(t, test.read)
			}
			resp, err := httpTarget(t, conf).Ask(t.Context(), &assay.Case{ID: "1", Question: "?"})
			if err != nil {
				t.Fatal(err)
			}
			passages := len(resp.Passages)
			if resp.Passages == nil {
				passages = -1
			}
			if strings.TrimSpace(resp.Answer) != test.answer || passages != test.passages {
				t.Errorf("answer %q with %d passages: want %q with %d", resp.Answer, passages, test.answer, test.passages)
			}
		})
	}
}

// A body in the encoding that its content type names is decoded, unless it is UTF-8.
func TestHTTPCharset(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, media, body, want string }{
		{"JSON", "application/json; charset=iso-8859-1", "{\"answer\":\"Caf\xe9\"}", "Café"},
		{"text", "text/plain;charset=Windows-1252", "\x80 5", "€ 5"},
		{"a wrong name", "application/json; charset=ISO-8859-1", `{"answer":"Café"}`, "Café"},
		{"an unknown name", "application/json; charset=x", `{"answer":"Café"}`, "Café"},
	} {
		server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", test.media)
			io.WriteString(w, test.body)
		})
		resp, err := httpTarget(t, target.HTTPConfig{Endpoint: server.URL}).Ask(t.Context(), &assay.Case{ID: "1", Question: "?"})
		if err != nil || resp.Answer != test.want {
			t.Errorf("%s: %q, %v: want %q", test.name, resp.Answer, err, test.want)
		}
	}
}

// A body that breaks off is no answer, whatever its encoding.
func TestHTTPCharsetBreaksOff(t *testing.T) {
	t.Parallel()
	for _, media := range []string{"text/plain", "text/plain;charset=Windows-1252"} {
		server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", media)
			const sentence = "The refund is "
			w.Header().Set("Content-Length", strconv.Itoa(20_000*len(sentence)))
			io.WriteString(w, strings.Repeat(sentence, 10_000)) // longer than what is looked at first
		})
		resp, err := httpTarget(t, target.HTTPConfig{Endpoint: server.URL}).Ask(t.Context(), &assay.Case{ID: "1", Question: "?"})
		if err == nil {
			t.Errorf("%s: an answer of %d bytes, want an error", media, len(resp.Answer))
		}
	}
}

// Packed replies are unpacked, also when a header asked for packing, or nobody.
func TestHTTPGzip(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, httpAnswer)
	z.Close()
	for _, test := range []struct {
		name, asks, coding string
		body               []byte
		kind               target.Kind
		says               string
	}{
		{"by itself", "", "gzip", packed.Bytes(), "", ""},
		{"asked by a header", "gzip", "GZIP", packed.Bytes(), "", ""},
		{"asked not to", "identity", "gzip", packed.Bytes(), "", ""},
		{"another packing", "br", "br", []byte("x"), target.Reply, `compressed with "br": expected gzip`},
		{"no gzip", "gzip", "gzip", []byte(httpAnswer), target.Reply, "cannot be decompressed"},
		{"a broken sum", "", "gzip", append(bytes.Clone(packed.Bytes()[:packed.Len()-8]), 0, 1, 2, 3, 4, 5, 6, 7), target.Reply,
			"cannot be decompressed"},
		{"cut short", "", "gzip", packed.Bytes()[:packed.Len()-12], target.Reply, "cannot be decompressed"},
		{"cut in its header", "", "gzip", packed.Bytes()[:5], target.Reply, "cannot be decompressed"},
		{"nothing", "", "gzip", nil, target.Reply, "is empty"},
	} {
		server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", test.coding)
			w.Write(test.body)
		})
		conf := target.HTTPConfig{Endpoint: server.URL, Header: http.Header{}}
		if test.asks != "" {
			conf.Header.Set("Accept-Encoding", test.asks)
		}
		resp, err := httpTarget(t, conf).Ask(t.Context(), &assay.Case{ID: "1", Question: "?"})
		if test.kind == "" {
			if err != nil || resp.Answer != "Paris." {
				t.Errorf("%s: %q, %v", test.name, resp.Answer, err)
			}
			continue
		}
		if kind, _ := httpKind(err); kind != test.kind || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v of kind %q: want %q of kind %q", test.name, err, kind, test.says, test.kind)
		}
	}
}

func TestHTTPSetup(t *testing.T) {
	t.Parallel()
	var tenants, finds, failures atomic.Int64
	failures.Store(1)
	server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ask/12345678901234567" && r.Method != http.MethodGet {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		switch r.URL.Path {
		case "/tenant":
			tenants.Add(1)
			if failures.Add(-1) >= 0 {
				http.Error(w, `{"error": "starting"}`, http.StatusServiceUnavailable)
				return
			}
			io.WriteString(w, `{"data": {"name": "t 1"}}`)
		case "/collections":
			finds.Add(1)
			if r.URL.RawQuery != "name=docs&tenant=t+1" || r.Header.Get("X-Key") != "the-key-of-ann" {
				t.Errorf("%s, key %q", r.URL, r.Header.Get("X-Key"))
			}
			io.WriteString(w, `{"items": [{"id": 12345678901234567}], "sizes": [1, 2], "key": "the-key-of-ann"}`)
		default:
			body, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, `{"answer": %q}`, r.URL.Path+" the-key-of-ann "+string(body))
		}
	})
	conf := target.HTTPConfig{
		Endpoint: server.URL + "/ask/{{collection}}", Values: map[string]any{"name": "docs"}, Header: http.Header{"X-Key": {"the-key-of-ann"}},
		Secrets: secret.Set{secret.New("the-key-of-ann")}, Send: map[string]any{"q": "{{question}}", "sizes": "{{sizes}}"},
		Setup: []target.Step{
			{Endpoint: server.URL + "/tenant", Save: map[string]reply.Path{"tenant": httpPath(t, "data.name")}},
			{Endpoint: server.URL + "/collections?name={{name}}&tenant={{tenant}}", Save: map[string]reply.Path{
				"collection": httpPath(t, "items[0].id"), "sizes": httpPath(t, "sizes[]"), "key": httpPath(t, "key")}},
		},
	}
	h := httpTarget(t, conf)
	c := assay.Case{ID: "1", Question: "?"}
	_, err := h.Ask(t.Context(), &c)
	if kind, again := httpKind(err); kind != target.Status || !again ||
		err.Error() != "setup step 1: status 503 Service Unavailable: starting" {
		t.Errorf("%v, kind %q, again %v", err, kind, again)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			resp, err := h.Ask(t.Context(), &c)
			if want := `/ask/12345678901234567 the-key-of-ann {"q":"?","sizes":[1,2]}`; err != nil || resp.Answer != want {
				t.Errorf("%q, %v: want %q", resp.Answer, err, want)
			}
		})
	}
	wg.Wait()
	if tenants.Load() != 2 || finds.Load() != 1 {
		t.Errorf("%d and %d calls: want 2, the first of which failed, and 1", tenants.Load(), finds.Load())
	}
	ctx, exchange := target.Watch(t.Context())
	conf.Setup[1].Save = map[string]reply.Path{"nothing": httpPath(t, "no.where"), "collection": httpPath(t, "key"), "sizes": httpPath(t, "sizes")}
	_, err = httpTarget(t, conf).Ask(ctx, &c)
	if kind, again := httpKind(err); kind != target.Reply || again ||
		!strings.Contains(err.Error(), `setup step 2: save: nothing at "no.where" in the reply, for {{nothing}}`) {
		t.Errorf("%v, kind %q, again %v", err, kind, again)
	}
	if want := "setup step 1: GET " + server.URL + "/tenant, which gives map[tenant:t 1]"; len(exchange.Notes) != 1 || exchange.Notes[0] != want {
		t.Errorf("notes %q", exchange.Notes)
	}
}

type httpEmbedder struct{ err error }

func (e httpEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return [][]float32{{0.5, float32(len(texts[0]))}}, e.err
}
func (httpEmbedder) Dimensions() int  { return 2 }
func (httpEmbedder) Identity() string { return "two" }

func TestHTTPEmbedding(t *testing.T) {
	t.Parallel()
	server, seen := httpRecorder(t, httpAnswer)
	send := map[string]any{"vectors": []any{"{{embedding}}"}}
	c := assay.Case{ID: "1", Question: "four"}
	if _, err := httpTarget(t, target.HTTPConfig{Endpoint: server.URL, Send: send, Embedder: httpEmbedder{}}).Ask(t.Context(),
		&c); err != nil || seen().Body != `{"vectors":[[0.5,4]]}` {
		t.Errorf("%s, %v", seen().Body, err)
	}
	// Without the placeholder the embedder is not asked.
	if _, err := httpTarget(t, target.HTTPConfig{Endpoint: server.URL, Embedder: httpEmbedder{errors.New("asked")}}).Ask(t.Context(),
		&c); err != nil {
		t.Error(err)
	}
	_, err := httpTarget(t, target.HTTPConfig{Endpoint: server.URL, Send: send, Embedder: httpEmbedder{errors.New("no model")}}).Ask(
		t.Context(), &c)
	if kind, _ := httpKind(err); kind != target.Failed || !strings.Contains(err.Error(), "embedding the question: no model") {
		t.Errorf("%v of kind %q", err, kind)
	}
}

// A value that only some cases have is an error of those cases.
func TestHTTPCaseWithoutValue(t *testing.T) {
	t.Parallel()
	server, _ := httpRecorder(t, httpAnswer)
	h := httpTarget(t, target.HTTPConfig{Endpoint: server.URL, Send: map[string]any{"q": "{{question}}", "l": "{{metadata.lang}}"}})
	_, err := h.Ask(t.Context(), &assay.Case{ID: "1", Question: "?", Metadata: map[string]any{"long": 1}})
	kind, again := httpKind(err)
	if kind != target.Failed || again || !strings.Contains(err.Error(), `send: placeholder "metadata.lang": metadata has no "lang": did `+
		`you mean "long"?`) {
		t.Errorf("%v, kind %q, again %v", err, kind, again)
	}
}

// A question that would lead out of the path of the endpoint fails its case and is not sent.
func TestHTTPClimbingQuestion(t *testing.T) {
	t.Parallel()
	server, asked := httpRecorder(t, httpAnswer)
	h := httpTarget(t, target.HTTPConfig{Endpoint: server.URL + "/v1/{{question}}/secret", Send: map[string]any{"q": "{{question}}"}})
	for _, q := range []string{"..", "../..", "%2e%2e", `x\..\..`} {
		_, err := h.Ask(t.Context(), &assay.Case{ID: "1", Question: q})
		if kind, again := httpKind(err); kind != target.Failed || again || !strings.Contains(err.Error(), "leads to another address") {
			t.Errorf("%q: %v, kind %q, again %v", q, err, kind, again)
		}
	}
	if seen := asked(); seen.Method != "" {
		t.Errorf("asked %+v", seen)
	}
}

func TestHTTPWatch(t *testing.T) {
	t.Parallel()
	key := "sk-1234567890abcdef"
	server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"answer": "your key is %s", "long": %q}`, r.Header.Get("X-Custom"), strings.Repeat("é", 5000))
	})
	conf := target.HTTPConfig{
		Endpoint: server.URL + "/q?key=" + key, Header: http.Header{"Authorization": {"Bearer short"}, "X-Custom": {key}},
		Secrets: secret.Set{secret.New(key)}, Send: map[string]any{"q": "{{question}}", "k": key},
	}
	ctx, exchange := target.Watch(t.Context())
	resp, err := httpTarget(t, conf).Ask(ctx, &assay.Case{ID: "1", Question: "<why>?"})
	if err != nil || resp.Answer != "your key is "+key {
		t.Fatalf("%q, %v", resp.Answer, err)
	}
	want := "POST " + server.URL + "/q?key=[secret]\nAccept: application/json, */*;q=0.5\nAccept-Encoding: gzip\nAuthorization: [secret]\nContent-Type: " +
		"application/json\nUser-Agent: assay\nX-Custom: [secret]\n\n{\n  \"k\": \"[secret]\",\n  \"q\": \"<why>?\"\n}"
	if diff := cmp.Diff(want, exchange.Sent); diff != "" {
		t.Errorf("sent:\n%s", diff)
	}
	if !strings.HasPrefix(exchange.Received, "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"answer\": \"your key is [secret]\"") ||
		!strings.HasSuffix(exchange.Received, "é… (10057 bytes were read)") || len(exchange.Received) > 8400 {
		t.Errorf("received (%d bytes) %s", len(exchange.Received), exchange.Received)
	}
	if exchange.Shape == "" || len(exchange.Readings) == 0 {
		t.Errorf("shape %q, readings %v", exchange.Shape, exchange.Readings)
	}
	if len(exchange.Hints) == 0 || !strings.HasPrefix(exchange.Hints[0], "no passages were found") {
		t.Errorf("hints %q: want one about passages", exchange.Hints)
	}
	// The paths of the user are no known shape; a failed call shows what came.
	conf.Read, conf.Secrets = httpMapping(t, map[string]string{"answer": "no.where"}), nil
	ctx, exchange = target.Watch(t.Context())
	_, err = httpTarget(t, conf).Ask(ctx, &assay.Case{ID: "1", Question: "?"})
	if kind, again := httpKind(err); kind != target.Reply || again || exchange.Shape != "" || exchange.Received == "" ||
		len(exchange.Hints) == 0 {
		t.Errorf("%v, shape %q, received %q, hints %q", err, exchange.Shape, exchange.Received, exchange.Hints)
	}
}

func TestHTTPConformance(t *testing.T) {
	server := httpServe(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Question string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		switch in.Question {
		case "silent":
			io.WriteString(w, `{"answer": "yes"}`)
		case "empty":
			io.WriteString(w, `{"answer": "yes", "contexts": []}`)
		case "hangs":
			<-r.Context().Done()
		case "status":
			http.Error(w, "no", http.StatusTeapot)
		case "shape":
			io.WriteString(w, `{"x": {"y": 1}}`)
		case "failed":
			io.WriteString(w, `{"error": "out of memory"}`)
		case "cut":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"answer": "`)
		default:
			fmt.Fprintf(w, `{"answer": %q, "contexts": ["p"]}`, in.Question)
		}
	})
	ask := func(q string) assay.Case { return assay.Case{ID: q, Question: q} }
	silent, empty, hangs := ask("silent"), ask("empty"), ask("hangs")
	targettest.Run(t, targettest.Suite{
		Target: httpTarget(t, target.HTTPConfig{Endpoint: server.URL}), Cases: []assay.Case{ask("one?"), ask("two?")},
		Fails:  map[string]assay.Case{"status": ask("status"), "reply": ask("shape"), "error": ask("failed"), "crash": ask("cut")},
		Silent: &silent, Empty: &empty, Hangs: &hangs,
	})
}

// A hint names only what was not found, and never what was read already.
func TestHTTPHints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		read map[string]string
		want string
	}{
		{`{"passages": [{"text": "one two three", "source": "a.md"}]}`, nil, "no answer was found: only retrieval is scored"},
		{`{"answer": null, "contexts": [{"text": "one two three", "source": "a.md"}]}`, nil, "no answer was found: it counts as an empty one"},
		{`{"answer": "it is so", "contexts": ["one two three"]}`, map[string]string{"answer": "no.where", "passages": "contexts"},
			"no answer was found: it counts as an empty one; if there is one, set read.answer: answer"},
		{`{"choices": [{"message": {"role": "assistant", "content": "it is so"}}]}`, nil, "no passages were found: passage metrics do not apply"},
		{`{"answer": "it is so", "found": {"chunks": [{"text": "one two three"}]}}`, map[string]string{"answer": "answer"},
			"no passages were found: passage metrics do not apply; if there are some, set read.passages: found.chunks"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, c.body)
		}))
		t.Cleanup(server.Close)
		conf := target.HTTPConfig{Endpoint: server.URL}
		if c.read != nil {
			conf.Read = httpMapping(t, c.read)
		}
		ctx, exchange := target.Watch(t.Context())
		if _, err := httpTarget(t, conf).Ask(ctx, &assay.Case{ID: "1", Question: "?"}); err != nil {
			t.Errorf("%s: %v", c.body, err)
		}
		if diff := cmp.Diff([]string{c.want}, exchange.Hints); diff != "" {
			t.Errorf("%s:\n%s", c.body, diff)
		}
	}
}

// A filter that rejects a prompt leaves the case unscored, also with an error status; another rejection is a failure.
func TestHTTPBlockedPrompt(t *testing.T) {
	t.Parallel()
	for body, withheld := range map[string]string{
		`{"error": {"message": "The prompt was filtered", "code": "content_filter", "status": 400}}`:               "content_filter",
		`{"error": {"message": "Your input was flagged", "code": 403, "metadata": {"flagged_input": "How"}}}`:      "content_filter",
		`{"error": {"message": "Input is inappropriate", "code": null, "type": "data_inspection_failed"}}`:         "data_inspection_failed",
		`{"error": {"message": "Missing required parameter", "code": "invalid_prompt", "type": "invalid_prompt"}}`: "",
	} {
		server := httpServe(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, http.StatusForbidden) })
		got, err := httpTarget(t, target.HTTPConfig{Endpoint: server.URL}).Ask(t.Context(), &assay.Case{Question: "How?"})
		if got.Withheld != withheld || (err == nil) != (withheld != "") {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}
