// Package llmtest holds the properties that every provider of llm that speaks
// HTTP must keep, as tests against a server that behaves and misbehaves.
package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay/llm"
)

// Model is the model that the requests of the kit name.
const Model = "model-1"

// A Wire describes the wire format of a protocol: how its server reads a request
// and writes a reply.
type Wire struct {
	// Kind is one of [llm.Kinds].
	Kind string
	// Reply writes the body of a reply. Reply.Stop is "end", "length" or
	// "refusal".
	Reply func(llm.Reply) []byte
	// Usage keeps the part of a usage that the protocol can report: the kit
	// sends its own through it.
	Usage func(llm.Usage) llm.Usage
	// Refuses is set when the protocol can say that the model refused.
	Refuses bool
	// Fail writes the body of an error.
	Fail func(message string) []byte
	// Read takes the body of a request apart.
	Read func(Call) Asked
	// Reserved are the fields of the body that extra fields must not set.
	Reserved []string
}

// A Call is a request that the server got.
type Call struct {
	Path string
	Body map[string]any
}

// Asked is what a call asks: the model, the texts of the system and of all
// messages in their order, and the JSON schema, nil when there is none.
type Asked struct {
	Model  string
	Texts  []string
	Schema any
}

// Run tests a provider.
func Run(t *testing.T, p Wire) {
	for name, check := range map[string]func(*testing.T, Wire){
		"request":      request,
		"reply":        reply,
		"stop":         stop,
		"usage":        usage,
		"utf8":         encodings,
		"status":       status,
		"retry after":  retryAfter,
		"broken":       broken,
		"context":      canceled,
		"redirect":     redirect,
		"concurrent":   concurrent,
		"secret":       secrecy,
		"secret shown": printed,
		"extra":        extra,
		"after errors": recovers,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, p)
		})
	}
}

// A server answers by a handler and keeps the requests that it got.
type server struct {
	*httptest.Server
	mu  sync.Mutex
	got []Call
}

func (s *server) calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}

func serve(t *testing.T, h http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		var body map[string]any
		if err == nil {
			err = json.Unmarshal(data, &body)
		}
		if err != nil {
			t.Errorf("the body of the request: %v: %s", err, data)
		}
		s.mu.Lock()
		s.got = append(s.got, Call{r.URL.Path, body})
		s.mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// open starts a server and makes a provider that calls it.
func (p Wire) open(t *testing.T, h http.HandlerFunc) (llm.Provider, *server) {
	t.Helper()
	s := serve(t, h)
	return p.at(t, s.URL), s
}

// at makes a provider that calls the server at base with the key.
func (p Wire) at(t *testing.T, base string) llm.Provider {
	t.Helper()
	getenv := func(name string) string { return map[string]string{"KEY": key}[name] }
	provider, err := llm.Open(p.Kind, llm.Options{Name: "mine", BaseURL: base, KeyEnv: "KEY", Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	return provider
}

func write(status int, header map[string]string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		w.Write(body) //nolint:errcheck // a client that went away is part of some tests
	}
}

// question is a request with everything that the protocols share.
func question() llm.Request {
	return llm.Request{
		Operation: "support",
		Model:     Model,
		System:    "You are careful.",
		Messages: []llm.Message{
			{Role: "user", Text: "<data nonce=\"" + llm.NonceMark + "\">\n{\"a\":\"甲 <b> & 😀\"}"},
			{Role: "assistant", Text: "{"},
			{Role: "user", Text: "again"},
		},
		Schema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},` +
			`"required":["z","a"],"additionalProperties":false}`),
		MaxTokens: 77,
	}
}

func simple() llm.Request {
	return llm.Request{Model: Model, Messages: []llm.Message{{Role: "user", Text: "hello"}}}
}

// must completes a request that has to succeed.
func must(t *testing.T, p llm.Provider, r llm.Request) llm.Reply {
	t.Helper()
	got, err := p.Complete(t.Context(), r)
	if err != nil {
		t.Fatalf("Complete: %v", err)
	}
	return got
}

// fails completes a request that has to fail with an *llm.Error.
func fails(t *testing.T, p llm.Provider) *llm.Error {
	t.Helper()
	got, err := p.Complete(t.Context(), simple())
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("Complete: %+v, %v: want an *llm.Error", got, err)
	}
	if e.Provider != p.Name() || e.Model != Model || e.Attempts != 1 || e.Message == "" {
		t.Errorf("the error %#v: want provider %q, model %q, 1 attempt and a message", e, p.Name(), Model)
	}
	if len(e.Message) > 2000 || strings.ContainsAny(e.Message, "\n\r\x1b\x00") {
		t.Errorf("the message is not one short line: %q", e.Message)
	}
	return e
}

func request(t *testing.T, p Wire) {
	provider, s := p.open(t, write(200, nil, p.Reply(llm.Reply{Text: "{}", Stop: "end"})))
	q := question()
	must(t, provider, q)
	must(t, provider, simple())
	calls := s.calls()
	if len(calls) != 2 {
		t.Fatalf("2 Completes made %d calls", len(calls))
	}
	full, plain := p.Read(calls[0]), p.Read(calls[1])
	if full.Model != Model {
		t.Errorf("model %q: want %q", full.Model, Model)
	}
	if stream, there := calls[0].Body["stream"]; there && stream != false {
		t.Errorf("stream %v: want none", stream)
	}
	prompt := full.Texts
	want := []string{q.System, q.Messages[0].Text, q.Messages[1].Text, q.Messages[2].Text}
	if len(prompt) != len(want) {
		t.Fatalf("texts %q: want %q", prompt, want)
	}
	for i := range want {
		if prompt[i] != want[i] {
			t.Errorf("text %d arrived as %q: want %q", i, prompt[i], want[i])
		}
	}
	var schema any
	if err := json.Unmarshal(q.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	if !equal(full.Schema, schema) {
		t.Errorf("schema arrived as %v: want %v", full.Schema, schema)
	}
	if plain.Schema != nil {
		t.Errorf("schema %v without being asked for", plain.Schema)
	}
	text, err := json.Marshal(calls[0].Body)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "77") {
		t.Errorf("the bound of 77 tokens is not sent: %s", text)
	}
	if strings.Contains(string(text), "support") || strings.Contains(string(text), "draw") {
		t.Errorf("the operation or the draw is sent: %s", text)
	}
	if len(plain.Texts) != 1 || plain.Texts[0] != "hello" {
		t.Errorf("texts without a system: %q: want only the message", plain.Texts)
	}
}

func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func reply(t *testing.T, p Wire) {
	said := llm.Reply{
		Text: "{\"nonce\":\"" + strings.Repeat("f", 32) + "\"}\n", Thinking: "First, 甲.\nThen 乙.", Model: "model-1-2026", Stop: "end",
	}
	provider, _ := p.open(t, write(200, nil, p.Reply(said)))
	got := must(t, provider, simple())
	if got.Text != said.Text || got.Thinking != said.Thinking || got.Model != said.Model || got.Stop != said.Stop {
		t.Errorf("reply %+v: want %+v", got, said)
	}
	if len(got.Warnings) != 0 {
		t.Errorf("warnings %q without a cause", got.Warnings)
	}
	provider, _ = p.open(t, write(200, nil, append([]byte("\ufeff"), p.Reply(llm.Reply{Text: "", Stop: "end"})...)))
	if got := must(t, provider, simple()); got.Text != "" || got.Stop != "end" {
		t.Errorf("the empty reply came as %+v", got)
	}
}

func stop(t *testing.T, p Wire) {
	stops := []string{"end", "length"}
	if p.Refuses {
		stops = append(stops, "refusal")
	}
	for _, want := range stops {
		provider, _ := p.open(t, write(200, nil, p.Reply(llm.Reply{Text: "I", Stop: want})))
		if got := must(t, provider, simple()); got.Stop != want {
			t.Errorf("stop %q: want %q", got.Stop, want)
		}
	}
}

func usage(t *testing.T, p Wire) {
	want := p.Usage(llm.Usage{Input: 1000, CacheRead: 600, CacheWrite: 100, Output: 50, Reasoning: 20})
	if want.Input != 1000 || want.Output != 50 {
		t.Fatalf("the protocol cannot tell tokens of input and output: %+v", want)
	}
	provider, _ := p.open(t, write(200, nil, p.Reply(llm.Reply{Text: "I", Stop: "end", Usage: want})))
	if got := must(t, provider, simple()); got.Usage != want {
		t.Errorf("usage %+v: want %+v", got.Usage, want)
	}
}

func encodings(t *testing.T, p Wire) {
	want := "甲乙 😀 \u2028 é\t\"\\ </data>"
	body := p.Reply(llm.Reply{Text: want + "bad", Stop: "end"})
	provider, _ := p.open(t, write(200, nil, []byte(strings.Replace(string(body), "bad", "\xff", 1))))
	if got := must(t, provider, simple()); got.Text != want+"\uFFFD" {
		t.Errorf("text %q: want %q", got.Text, want+"\uFFFD")
	}
}

func status(t *testing.T, p Wire) {
	for status, want := range map[int]llm.Kind{
		400: llm.KindRequest, 401: llm.KindAuth, 402: llm.KindAuth, 403: llm.KindAuth, 404: llm.KindModel, 408: llm.KindTimeout,
		413: llm.KindTooLong, 422: llm.KindRequest, 429: llm.KindRate, 500: llm.KindServer, 502: llm.KindServer, 503: llm.KindServer,
		504: llm.KindTimeout, 520: llm.KindServer, 529: llm.KindServer,
	} {
		for _, body := range [][]byte{
			p.Fail("no, thank you"), nil, []byte("<html><title>no, thank you</title>"), []byte("no,\n\x1b[31mthank  you"),
			[]byte("{"), []byte("[]"), []byte("null"),
		} {
			provider, s := p.open(t, write(status, map[string]string{"X-Request-Id": "req-7"}, body))
			e := fails(t, provider)
			if e.Kind != want || e.Status != status {
				t.Errorf("status %d with %q: kind %q and status %d: want %q", status, body, e.Kind, e.Status, want)
			}
			if len(body) > 4 && !strings.Contains(e.Message, "no, ") || !strings.Contains(e.Message, "req-7") {
				t.Errorf("status %d with %q: message %q: want what the server said, and its request id", status, body, e.Message)
			}
			if n := len(s.calls()); n != 1 {
				t.Errorf("status %d: %d calls: want 1", status, n)
			}
		}
	}
}

func retryAfter(t *testing.T, p Wire) {
	date := "Sun, 06 Nov 1994 08:49:37 GMT"
	for _, c := range []struct {
		header map[string]string
		want   time.Duration
	}{
		{nil, 0},
		{map[string]string{"Retry-After": "7"}, 7 * time.Second},
		{map[string]string{"Retry-After": "1.5"}, 1500 * time.Millisecond},
		{map[string]string{"Retry-After": "-3"}, 0},
		{map[string]string{"Retry-After": "soon"}, 0},
		{map[string]string{"Retry-After": "9", "Retry-After-Ms": "250"}, 250 * time.Millisecond},
		// The date is 23 s after that of the server.
		{map[string]string{"Date": date, "Retry-After": "Sun, 06 Nov 1994 08:50:00 GMT"}, 23 * time.Second},
		{map[string]string{"Date": date, "Retry-After": "Sun, 06 Nov 1994 08:00:00 GMT"}, 0},
	} {
		for _, status := range []int{429, 503, 529} {
			provider, _ := p.open(t, write(status, c.header, p.Fail("slow down")))
			if e := fails(t, provider); e.After != c.want || !e.Temporary() {
				t.Errorf("status %d, header %v: after %v, temporary %t: want %v and true", status, c.header, e.After, e.Temporary(), c.want)
			}
		}
	}
	provider, _ := p.open(t, write(429, map[string]string{"Retry-After": "99999999999999999999"}, p.Fail("slow down")))
	if e := fails(t, provider); e.After < time.Hour {
		t.Errorf("a very long wait overflows to %v", e.After)
	}
}

func broken(t *testing.T, p Wire) {
	whole := p.Reply(llm.Reply{Text: "a reply", Stop: "end"})
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    llm.Kind
	}{
		"empty":           {write(200, nil, nil), llm.KindReply},
		"white space":     {write(200, nil, []byte(" \n")), llm.KindReply},
		"truncated JSON":  {write(200, nil, whole[:len(whole)-9]), llm.KindReply},
		"text after JSON": {write(200, nil, append(whole[:len(whole):len(whole)], "{}"...)), llm.KindReply},
		"null":            {write(200, nil, []byte("null")), llm.KindReply},
		"a list":          {write(200, nil, []byte("[1]")), llm.KindReply},
		"an empty object": {write(200, nil, []byte("{}")), llm.KindReply},
		"other types":     {write(200, nil, fields(whole, "7")), llm.KindReply},
		"a page": {write(200, map[string]string{"Content-Type": "text/html"},
			[]byte("\n<!DOCTYPE html><html><head><title>Log\n in</title>")), llm.KindReply},
		"an error as 200":  {write(200, nil, []byte(`{"error":{"message":"no capacity"}}`)), llm.KindReply},
		"a rate as 200":    {write(200, nil, []byte(`{"error":{"message":"slow","code":429}}`)), llm.KindRate},
		"huge":             {huge(200), llm.KindReply},
		"padded":           {write(200, nil, append(whole[:len(whole):len(whole)], bytes.Repeat([]byte(" "), 17<<20)...)), llm.KindReply},
		"a huge error":     {huge(500), llm.KindServer},
		"closed":           {closed(nil), llm.KindNetwork},
		"closed in middle": {closed([]byte("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"con")), llm.KindNetwork},
		"no HTTP":          {closed([]byte("220 mail.example ESMTP\r\n")), llm.KindNetwork},
	} {
		provider, s := p.open(t, c.handler)
		if e := fails(t, provider); e.Kind != c.want {
			t.Errorf("%s: kind %q (%v): want %q", name, e.Kind, e, c.want)
		}
		if n := len(s.calls()); n != 1 {
			t.Errorf("%s: %d calls: want 1", name, n)
		}
	}
	// A port that was free a moment ago may be another test's by now; nobody
	// listens on this one, which takes root's rights.
	if e := fails(t, p.at(t, "http://127.0.0.1:1/?of=abc")); e.Kind != llm.KindNetwork || strings.Contains(e.Message, "abc") {
		t.Errorf("no server: kind %q (%v): want %q, and not the whole address", e.Kind, e, llm.KindNetwork)
	}
}

// fields gives a body in which every field has the value, which is JSON.
func fields(body []byte, value string) []byte {
	var v map[string]json.RawMessage
	err := json.Unmarshal(body, &v)
	for name := range v {
		v[name] = json.RawMessage(value)
	}
	out, errOut := json.Marshal(v)
	if err != nil || errOut != nil {
		panic(errors.Join(err, errOut))
	}
	return out
}

// huge sends more than a client should read, until it goes away.
func huge(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		chunk := []byte(strings.Repeat(`{"a":[`, 1<<13))
		for range (1 << 30) / len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
}

// closed writes some bytes and closes the connection.
func closed(data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		conn.Write(data) //nolint:errcheck // what follows is the same
		conn.Close()     //nolint:errcheck // nothing can be done about it
	}
}

func canceled(t *testing.T, p Wire) {
	began, release := make(chan struct{}, 1), make(chan struct{})
	defer close(release)
	provider, s := p.open(t, func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := provider.Complete(ctx, simple())
		ended <- err
	}()
	<-began
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("canceled while waiting: %v: want %v", err, context.Canceled)
	}
	if _, err := provider.Complete(ctx, simple()); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before: %v: want %v", err, context.Canceled)
	}
	if n := len(s.calls()); n != 1 {
		t.Errorf("%d calls: want the first only", n)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := provider.Complete(ctx, simple()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("out of time: %v: want %v", err, context.DeadlineExceeded)
	}
}

func redirect(t *testing.T, p Wire) {
	other := serve(t, write(200, nil, p.Reply(llm.Reply{Text: "from elsewhere", Stop: "end"})))
	for _, status := range []int{301, 302, 303, 307, 308} {
		provider, _ := p.open(t, write(status, map[string]string{"Location": other.URL + "/elsewhere"}, nil))
		e := fails(t, provider)
		if e.Status != status || e.Temporary() || !strings.Contains(e.Message, "/elsewhere") {
			t.Errorf("status %d: %#v: want the address in an error for good", status, e)
		}
	}
	if n := len(other.calls()); n != 0 {
		t.Errorf("%d redirects were followed: want none", n)
	}
}

func concurrent(t *testing.T, p Wire) {
	provider, s := p.open(t, write(200, nil, p.Reply(llm.Reply{Text: "I", Stop: "end"})))
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if got, err := provider.Complete(t.Context(), question()); err != nil || got.Text != "I" {
				t.Errorf("Complete: %+v, %v", got, err)
			}
		})
	}
	all.Wait()
	if n := len(s.calls()); n != 16 {
		t.Errorf("%d calls: want 16", n)
	}
}

func extra(t *testing.T, p Wire) {
	provider, s := p.open(t, write(200, nil, p.Reply(llm.Reply{Text: "I", Stop: "end"})))
	q := simple()
	q.Extra = map[string]any{"enable_thinking": false, "nested": map[string]any{"a": 1.5}, "options": map[string]any{"top_k": 3.0}}
	before, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	must(t, provider, q)
	body := s.calls()[0].Body
	options, _ := body["options"].(map[string]any)
	if body["enable_thinking"] != false || !equal(body["nested"], q.Extra["nested"]) || options["top_k"] != 3.0 {
		t.Errorf("body %v: want the extra fields %v at its top level", body, q.Extra)
	}
	if after, err := json.Marshal(q); err != nil || string(after) != string(before) {
		t.Errorf("the request was changed to %s (%v): want %s", after, err, before)
	}
	for _, own := range p.Reserved {
		q.Extra = map[string]any{own: true}
		if _, err := provider.Complete(t.Context(), q); !llm.IsKind(err, llm.KindRequest) {
			t.Errorf("the extra field %q: %v: want kind %q", own, err, llm.KindRequest)
		}
	}
	q.Extra = map[string]any{"f": func() {}}
	if _, err := provider.Complete(t.Context(), q); !llm.IsKind(err, llm.KindRequest) {
		t.Errorf("an extra field that is no JSON: %v: want kind %q", err, llm.KindRequest)
	}
}

// recovers checks that an error leaves nothing behind.
func recovers(t *testing.T, p Wire) {
	n := 0
	provider, _ := p.open(t, func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			write(400, nil, p.Fail("no"))(w, r)
			return
		}
		write(200, nil, p.Reply(llm.Reply{Text: "yes", Stop: "end"}))(w, r)
	})
	if e := fails(t, provider); e.Status != 400 {
		t.Errorf("status %d: want 400", e.Status)
	}
	if got := must(t, provider, simple()); got.Text != "yes" || len(got.Warnings) != 0 {
		t.Errorf("after an error: %+v: want a plain reply", got)
	}
}
