package upload_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/upload"
)

// endpoint keeps documents as a server does that honours Idempotency-Key.
type endpoint struct {
	*httptest.Server
	mu    sync.Mutex
	docs  map[string]map[string]any
	calls []string
	// fail answers instead, after the document was kept when it says so.
	fail func(n int, w http.ResponseWriter) (kept, failed bool)
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{docs: map[string]map[string]any{}}
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("X-Key"))
	if strings.HasPrefix(r.URL.Path, "/status") {
		fmt.Fprintf(w, `{"state": {"name": "ready"}, "indexed": %d, "parts": [1, 2]}`, len(e.calls)-1)
		return
	}
	body := map[string]any{}
	data, err := io.ReadAll(r.Body)
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &body)
	}
	if err != nil || len(data) > 0 && r.Header.Get("Content-Type") != "application/json" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	kept, failed := true, false
	if e.fail != nil {
		kept, failed = e.fail(len(e.calls), w)
	}
	if key := r.Header.Get("Idempotency-Key"); kept && key != "" {
		e.docs[key] = body
	}
	if !failed {
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"result": {"uid": "u-%v"}, "id": %d, "status": "created"}`, body["id"], 6+len(e.calls))
	}
}

func sinkTo(t *testing.T, c upload.HTTPConfig) *upload.HTTP {
	t.Helper()
	c.Now = time.Now
	h, err := upload.NewHTTP(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	docs := documents(20)
	docs[0].Source = "docs/one.md"
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL + "/docs", ReadID: "result.uid", Header: http.Header{"X-Key": {"k"}}}), docs)
	if res := send(t, c); res.Added != 20 || len(e.docs) != 20 {
		t.Errorf("%+v, %d are there", res, len(e.docs))
	}
	if res := send(t, c); res.Known != 20 || len(e.calls) != 20 {
		t.Errorf("again: %+v after %d calls", res, len(e.calls))
	}
	if m := readJournal(t, c.Journal).DocumentMap(); m["u-MED-1"] != "MED-1" || m["Title of 20"] != "MED-20" || len(m) != 40 {
		t.Errorf("the map is %v", m)
	}
	c.Documents[3].Text = "newer"
	if res := send(t, c); res.Known != 19 || len(res.Different) != 1 || len(e.calls) != 20 {
		t.Errorf("changed: %+v after %d calls", res, len(e.calls))
	}
	c.Force = true
	if res := send(t, c); res.Known != 19 || res.Replaced != 1 || len(e.calls) != 21 {
		t.Errorf("by force: %+v after %d calls", res, len(e.calls))
	}
	if e.calls[0] != "POST /docs k" {
		t.Errorf("called %s", e.calls[0])
	}
	var first map[string]any
	for _, d := range e.docs {
		if d["id"] == "MED-1" {
			first = d
		}
	}
	if d := cmp.Diff(map[string]any{"id": "MED-1", "title": "Title of 1", "text": "text 1\n", "source": "docs/one.md"}, first); d != "" {
		t.Errorf("what was sent (-want +got):\n%s", d)
	}
}

func TestHTTPTemplate(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	docs := []assay.Document{{ID: "a/b c?d", Title: "T", Text: "x", Metadata: map[string]any{"year": 1999.0}}}
	h := sinkTo(t, upload.HTTPConfig{Endpoint: e.URL + "/docs/{{id}}?refresh=true", Method: "PUT",
		Send: map[string]any{"body": "{{name}}: {{text}}", "year": "{{metadata.year}}"}})
	c := config(t, h, docs)
	send(t, c)
	if e.calls[0] != "PUT /docs/a%2Fb%20c%3Fd?refresh=true " {
		t.Errorf("called %s", e.calls[0])
	}
	for _, d := range e.docs {
		if diff := cmp.Diff(map[string]any{"body": "T: x", "year": 1999.0}, d); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
	}
	// A reply has "id", so that it is taken without being asked for.
	if e := readJournal(t, c.Journal).Entries[0]; e.Remote != "7" || e.Document != "a/b c?d" {
		t.Errorf("journal: %+v", e)
	}
	if p := h.Destination(); strings.Contains(p.Endpoint, "refresh") {
		t.Errorf("the place has the query: %s", p)
	}
}

// A document whose id would lead to another address is named before anything is sent.
func TestHTTPClimbingID(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	h := sinkTo(t, upload.HTTPConfig{Endpoint: e.URL + "/docs/{{id}}/put?t={{title}}"})
	for _, id := range []string{"..", "%2e%2e/a"} {
		c := config(t, h, []assay.Document{{ID: "ok", Text: "z"}, {ID: id, Text: "x"}})
		if _, err := upload.Upload(t.Context(), c); err == nil || len(e.calls) != 0 ||
			!strings.Contains(err.Error(), fmt.Sprintf("document %q: endpoint: ", id)) || !strings.Contains(err.Error(), "leads to another address") {
			t.Errorf("%q: %v after %q", id, err, e.calls)
		}
	}
	send(t, config(t, h, []assay.Document{{ID: "ok", Title: "a&b=c", Text: "z"}}))
	if e.calls[0] != "POST /docs/ok/put?t=a%26b%3Dc " {
		t.Errorf("called %q", e.calls)
	}
}

// TestHTTPFailures loses replies and fails: the key makes every document one.
func TestHTTPFailures(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	e.fail = func(n int, w http.ResponseWriter) (bool, bool) {
		switch n % 5 {
		case 1:
			panic(http.ErrAbortHandler)
		case 2:
			w.WriteHeader(http.StatusGatewayTimeout)
			return true, true
		case 3:
			w.WriteHeader(http.StatusTooManyRequests)
			return false, true
		}
		return true, false
	}
	docs := documents(60)
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL}), docs)
	c.Retries = 20
	res := send(t, c)
	if res.Added != 60 || len(e.docs) != 60 || len(e.calls) < 120 {
		t.Errorf("%+v: %d are there after %d calls", res, len(e.docs), len(e.calls))
	}
	if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "may exist twice, unless the system supports the Idempotency-Key header") {
		t.Errorf("warnings %q", res.Warnings)
	}
}

// A system that says when to come again did not execute the request.
func TestHTTPComeAgain(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	e.fail = func(n int, w http.ResponseWriter) (bool, bool) {
		if n > 1 {
			return true, false
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		return false, true
	}
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL}), documents(1))
	c.Retries = 2
	if res := send(t, c); res.Added != 1 || len(e.calls) != 2 || len(res.Warnings) > 0 {
		t.Errorf("%+v after %q", res, e.calls)
	}
}

// A reply of status 200 may report a failure: the document is not there, and is sent again later.
func TestHTTPReportsFailures(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"error": "quota exceeded"}`, `{"success": false, "message": "quota"}`, `{"status": "error"}`, `{"errors": true, "items": [{"index": {"status": 400}}]}`,
		`{"ok": false}`, `{"statusCode": 500, "error": "Internal"}`, `{"error": {"code": 429, "message": "slow"}}`,
	} {
		e := newEndpoint(t)
		e.fail = func(_ int, w http.ResponseWriter) (bool, bool) {
			_, _ = w.Write([]byte(body))
			return false, true
		}
		c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL}), documents(2))
		c.Retries = 0
		if res, _ := upload.Upload(t.Context(), c); res.Added != 0 || len(readJournal(t, c.Journal).DocumentMap()) != 0 {
			t.Errorf("%s: %+v", body, res)
		}
	}
	for _, body := range []string{`{"id": "a", "error": null}`, `{"id": "b", "success": true}`, `{"id": 7, "status": "queued", "errors": []}`} {
		e := newEndpoint(t)
		e.fail = func(_ int, w http.ResponseWriter) (bool, bool) {
			_, _ = w.Write([]byte(body))
			return true, true
		}
		if res := send(t, config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL}), documents(1))); res.Added != 1 {
			t.Errorf("%s: %+v", body, res)
		}
	}
}

func TestHTTPConflict(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	e.fail = func(_ int, w http.ResponseWriter) (bool, bool) {
		w.WriteHeader(http.StatusConflict)
		return false, true
	}
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL}), documents(2))
	if res := send(t, c); len(res.Different) != 2 || res.Done() != 2 {
		t.Errorf("%+v", res)
	}
	if m := readJournal(t, c.Journal).DocumentMap(); m["MED-2"] != "MED-2" {
		t.Errorf("the map is %v", m)
	}
}

func TestHTTPNoID(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL, ReadID: "data.id"}), documents(30))
	c.Concurrency = 1
	_, err := upload.Upload(context.Background(), c)
	if err == nil || !strings.Contains(err.Error(), "the reply has no id at data.id") || len(e.calls) != 1 {
		t.Errorf("error %v after %d calls", err, len(e.calls))
	}
}

// TestHTTPSharedID takes what is no id for one.
func TestHTTPSharedID(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: e.URL, ReadID: "status"}), documents(9))
	c.Concurrency = 1
	res := send(t, c)
	if len(res.Warnings) != 1 || res.Warnings[0] != `documents "MED-1" and "MED-2" got the same id "created"; give the path of a unique id `+
		`(--read-id)` {
		t.Errorf("warnings %q", res.Warnings)
	}
	if m := readJournal(t, c.Journal).DocumentMap(); m["created"] != "" || len(m) != 9 {
		t.Errorf("the map is %v", m)
	}
}

func TestHTTPDown(t *testing.T) {
	t.Parallel()
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: "http://127.0.0.1:1"}), documents(30))
	res, err := upload.Upload(context.Background(), c)
	if err == nil || !strings.Contains(err.Error(), "5 documents failed in a row, the last with: nothing listens at 127.0.0.1:1") || res.Done() != 0 {
		t.Errorf("%v: %+v", err, res)
	}
}

func TestHTTPTimeout(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(release) })
	c := config(t, sinkTo(t, upload.HTTPConfig{Endpoint: s.URL}), documents(1))
	c.Timeout, c.Retries = 20*time.Millisecond, 2
	res := send(t, c)
	if len(res.Refused) != 1 || res.Refused[0].Reason != "no response within 20ms" {
		t.Errorf("%+v", res)
	}
}

func TestNewSinkProblems(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]upload.HTTPConfig{
		"endpoint: expected an address":        {Endpoint: "ftp://host/"},
		"endpoint: contains a user or":         {Endpoint: "http://a:b@host/"},
		`method "LIST": expected one of GET, `: {Endpoint: "http://host/", Method: "LIST"},
		"send: ":                               {Endpoint: "http://host/", Send: map[string]any{"a": "{{id"}},
		`read-id "a[": `:                       {Endpoint: "http://host/", ReadID: "a["},
	} {
		if _, err := upload.NewHTTP(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v: want %s", c, err, want)
		}
	}
	for want, c := range map[string]upload.NextcloudConfig{
		"needs a user and an app password":                  {Endpoint: "http://host/", User: "a"},
		`user "a:b": contains a colon`:                      {Endpoint: "http://host/", User: "a:b", Password: secret.New("x")},
		`category "a/..b": Notes would change "..b" to "b"`: {Endpoint: "http://host/", User: "a", Password: secret.New("x"), Category: "a/..b"},
		`category "a//b": Notes would change`:               {Endpoint: "http://host/", User: "a", Password: secret.New("x"), Category: "a//b"},
		"endpoint: expected an address":                     {Endpoint: "host", User: "a", Password: secret.New("x")},
	} {
		if _, err := upload.NewNextcloud(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v: want %s", c, err, want)
		}
	}
	for in, want := range map[string]string{
		"https://host": "https://host/index.php/apps/notes/api/v1", "https://host/nc/": "https://host/nc/index.php/apps/notes/api/v1",
		"https://host/index.php": "https://host/index.php/apps/notes/api/v1", "https://host/apps/notes/api/v1/": "https://host/apps/notes/api/v1",
		"https://host/nc/index.php/apps/notes/api/v1": "https://host/nc/index.php/apps/notes/api/v1",
	} {
		n, err := upload.NewNextcloud(upload.NextcloudConfig{Endpoint: in, User: "a", Password: secret.New("x")})
		if err != nil || n.Destination().Endpoint != want {
			t.Errorf("%s: %v, %v: want %s", in, n, err, want)
		}
	}
}

// TestCredentialsStay makes calls to another host than that of the system.
func TestCredentialsStay(t *testing.T) {
	t.Parallel()
	e, other := newEndpoint(t), newEndpoint(t)
	h := sinkTo(t, upload.HTTPConfig{Endpoint: e.URL + "/docs", Header: http.Header{"X-Key": {"k"}}})
	c := config(t, h, nil)
	for _, s := range []string{"POST /index", "POST " + other.URL + "/index", other.URL + "/start", "PUT " + e.URL + "/x?y=z"} {
		call, err := upload.ParseTrigger(s, upload.KindHTTP)
		if err == nil {
			err = upload.Trigger(context.Background(), c, call)
		}
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if d := cmp.Diff([]string{"POST /index k", "PUT /x?y=z k"}, e.calls); d != "" {
		t.Errorf("the system's calls (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"POST /index ", "POST /start "}, other.calls); d != "" {
		t.Errorf("the other's calls (-want +got):\n%s", d)
	}
}
