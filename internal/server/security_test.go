package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/store"
)

// Every test here is named after what somebody who means harm would do.

// scopesOf has the operations whose scope is not that of their method: an exception is
// added here, and nowhere by accident.
var scopesOf = map[string]Scope{
	"add-label": ScopeLabel, "change-label": ScopeLabel, "withdraw-label": ScopeLabel,
	"put-view": ScopeLabel, "delete-view": ScopeLabel,
	"health": ScopeNone, "ready": ScopeNone, "compare-runs": ScopeRead, "gate-run": ScopeRead, "put-ground-truth": ScopeRun,
	"reset-profile": ScopeAdmin,
}

// scopesByMethod has the scope that every other operation needs.
var scopesByMethod = map[string]Scope{
	http.MethodGet: ScopeRead, http.MethodPost: ScopeRun, http.MethodPut: ScopeAdmin, http.MethodDelete: ScopeAdmin,
}

var pathParameter = regexp.MustCompile(`\{[a-z_]+\}`)

func TestEveryOperationWantsItsScope(t *testing.T) {
	b := start(t, withRivers(t), func(c *Config) { c.Tokens = true })
	tokens := map[Scope]string{ScopeNone: ""}
	for _, s := range Scopes {
		_, tokens[s] = b.issue(s, time.Time{})
	}
	revoked, gone := b.issue(ScopeAdmin, time.Time{})
	if err := b.store.DeleteItem(t.Context(), store.KindToken, revoked.ID); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for path, item := range b.server.api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete, item.Patch, item.Head, item.Options} {
			if op == nil {
				continue
			}
			need, listed := scopesOf[op.OperationID]
			if !listed {
				need = scopesByMethod[op.Method]
			}
			if need == "" {
				t.Errorf("%s %s: the method has no scope", op.Method, path)
				continue
			}
			seen++
			var body any
			if op.RequestBody != nil {
				body = "{}"
			}
			at := pathParameter.ReplaceAllString(path, "none")
			for have, token := range tokens {
				b.token = token
				got := b.do(op.Method, at, body).StatusCode
				want := 0
				switch {
				case have.Covers(need):
				case have == ScopeNone:
					want = 401
				default:
					want = 403
				}
				if want == 0 && (got == 401 || got == 403) || want != 0 && got != want {
					t.Errorf("%s %s with the scope %s: status %d, want %s to be enough", op.Method, at, have, got, need)
				}
			}
			if b.token = gone; need != ScopeNone {
				b.do(op.Method, at, body).want(t, 401)
			}
		}
	}
	if seen < 40 {
		t.Errorf("%d operations: want those of the whole API", seen)
	}
	// What is no operation.
	b.token = ""
	b.do("GET", "/metrics", nil).want(t, 401)
	for _, path := range []string{"/docs", "/docs.css", "/openapi.json"} {
		b.do("GET", path, nil).want(t, 200)
	}
}

// TestTimingSafeCompare: a secret that is nearly right, one that is wrong and one
// of no token are the same to whoever asks, and all of a secret counts.
func TestTimingSafeCompare(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	_, good := b.issue(ScopeRead, time.Time{})
	other := map[byte]string{'A': "B"}
	said := map[string]bool{}
	for i := len(tokenPrefix); i < len(good)-1; i++ {
		with := "A"
		if o, ok := other[good[i]]; ok {
			with = o
		}
		b.token = good[:i] + with + good[i+1:]
		said[b.do("GET", "/api/v1/runs", nil).want(t, 401).text] = true
	}
	b.token = tokenPrefix + strings.Repeat("0", 32) + "_" + strings.Repeat("A", 43)
	said[b.do("GET", "/api/v1/runs", nil).want(t, 401).text] = true
	if len(said) != 1 {
		t.Errorf("%d different replies: %q", len(said), slices.Collect(maps.Keys(said)))
	}
	b.token = good
	b.do("GET", "/api/v1/runs", nil).want(t, 200)
	source, err := os.ReadFile("token.go")
	if err != nil || !bytes.Contains(source, []byte("subtle.ConstantTimeCompare(")) {
		t.Errorf("hashes are not compared in constant time (%v)", err)
	}
}

func TestIdempotencyKeysOfTwoTokensAreTwo(t *testing.T) {
	b := start(t, withRivers(t), func(c *Config) { c.Tokens = true })
	ids := map[string]bool{}
	for range 2 {
		_, b.token = b.issue(ScopeRun, time.Time{})
		g := b.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl"}`, "Idempotency-Key", "same").want(t, 202)
		ids[read[RunView](t, g).ID] = true
	}
	if len(ids) != 2 {
		t.Error("one token was given the reply of another")
	}
	// Nor is a reply given to who may not ask.
	_, b.token = b.issue(ScopeRead, time.Time{})
	b.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl"}`, "Idempotency-Key", "same").want(t, 403)
}

func TestDNSRebinding(t *testing.T) {
	b := start(t)
	for _, host := range []string{
		"evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "2130706433", "127.1", "0.0.0.0", "169.254.169.254",
	} {
		b.do("GET", "/api/v1/runs", nil, "Host", host).want(t, 421)
	}
	for _, host := range []string{"localhost", "LOCALHOST:80", "localhost.", "127.0.0.9", "[::1]:8321"} {
		b.do("GET", "/api/v1/runs", nil, "Host", host).want(t, 200)
	}
}

func TestCrossOriginPosts(t *testing.T) {
	b := start(t, withRivers(t))
	host := strings.TrimPrefix(b.url, "http://")
	for _, headers := range [][]string{
		{"Origin", "http://evil.example"}, {"Origin", "null"}, {"Origin", "http://localhost:1"},
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
		// What a page can send without being asked first.
		{"Origin", "http://evil.example", "Content-Type", "text/plain"}, {"Origin", "http://evil.example", "Content-Type", ""},
	} {
		b.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl"}`, headers...).want(t, 403)
		b.do("DELETE", "/api/v1/runs/none", nil, headers...).want(t, 403)
	}
	body, _ := form(t, "x.jsonl", `{"id":"a","question":"?"}`)
	b.do("POST", "/api/v1/datasets", body, "Origin", "http://evil.example", "Content-Type", "multipart/form-data; boundary=x").want(t, 403)
	b.do("POST", "/api/v1/runs", `{"dataset":"none"}`, "Origin", "http://"+host).want(t, 400)
	// No other origin is allowed to read, either.
	for _, method := range []string{"GET", "OPTIONS"} {
		g := b.do(method, "/api/v1/runs", nil, "Origin", "http://evil.example", "Access-Control-Request-Method", "POST")
		if g.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: allows %q", method, g.Header.Get("Access-Control-Allow-Origin"))
		}
	}
}

// TestContentTypeConfusion: what is no JSON is not read as JSON.
func TestContentTypeConfusion(t *testing.T) {
	b := start(t)
	for _, ct := range []string{
		"text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
		"application/cbor", "application/yaml", "text/plain;application/json",
	} {
		b.do("POST", "/api/v1/gate", `{"run_id":"none"}`, "Content-Type", ct).want(t, 415)
	}
	b.do("POST", "/api/v1/gate", `{"run_id":"none"}`, "X-HTTP-Method-Override", "DELETE").want(t, 404)
}

// TestJSONThatIsReadTwice: what is checked is what is used.
func TestJSONThatIsReadTwice(t *testing.T) {
	b := start(t, withRivers(t))
	long := strings.Repeat("x", 300)
	for _, body := range []string{
		`{"question":"q","profile":"A","Profile":"none"}`,
		`{"question":"q","profile":"A","PROFILE":"none"}`,
		`{"question":"q","profile":"A","Label":"` + long + `"}`,
		`{"question":"q","profile":"A","label":"` + long + `"}`,
		`{"question":"q","profile":"A","profile":"none"}`,
		`{"question":"q","profile":"A","\u0070rofile":"none"}`,
	} {
		if g := b.do("POST", "/api/v1/test/generate/text", body).want(t, 400); strings.Contains(g.text, "unknown profile") {
			t.Errorf("%s: %s: was not refused before it was used", body, g.text)
		}
	}
}

func TestJSONThatIsDeepLongOrLarge(t *testing.T) {
	b := start(t, withRivers(t))
	for what, config := range map[string]string{
		"deep":            strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000),
		"deeper":          strings.Repeat("[", 1<<20),
		"a large number":  `{"top_k":1e99999999}`,
		"a long number":   `{"seed":` + strings.Repeat("9", 100_000) + `}`,
		"many draws":      `{"repeat":100000000}`,
		"many at once":    `{"concurrency":100000}`,
		"no number":       `{"weights":{"mrr":"NaN"}}`,
		"a long time-out": `{"timeout":"1000000h"}`,
	} {
		if g := b.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl","config":`+config+`}`).want(t, 400); len(g.text) > 16<<10 {
			t.Errorf("%s: a reply of %d bytes", what, len(g.text))
		}
	}
}

// TestNumbersThatAreNone: NaN passes every comparison with a bound.
func TestNumbersThatAreNone(t *testing.T) {
	b := start(t, withRivers(t))
	one, two := b.begin(`{"dataset":"rivers.jsonl"}`), b.begin(`{"dataset":"rivers.jsonl"}`)
	b.ended(one)
	b.ended(two)
	b.do("POST", "/api/v1/labels", map[string]any{"run_id": one, "case_id": "tc_1", "metric": "mrr", "value": 1}).want(t, 201)
	for _, path := range []string{
		"/api/v1/compare?runs=" + one + "," + two + "&level=NaN", "/api/v1/calibration?metric=mrr&run_id=" + one + "&level=NaN",
		"/api/v1/calibration?metric=mrr&run_id=" + one + "&threshold=NaN", "/api/v1/calibration?metric=mrr&run_id=" + one + "&positive=Inf",
		"/api/v1/runs/" + one + "/cases?metric=mrr&below=NaN",
	} {
		b.do("GET", path, nil).want(t, 400)
	}
}

// TestInjectionIntoQueries: wildcards and quotes are what they are.
func TestInjectionIntoQueries(t *testing.T) {
	b := start(t, withRivers(t))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	b.ended(id)
	at := "/api/v1/runs/" + id + "/cases?"
	if l := read[page[caseView]](t, b.do("GET", at+"q=ROME", nil).want(t, 200)); l.Total != 1 {
		t.Errorf("%d cases with Rome: want 1", l.Total)
	}
	for _, q := range []string{"%", "__", "' OR 1=1 --", `"`, "(a+)+$", ".*", `\`} {
		phrase := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(q) + `"`
		for parameter, text := range map[string]string{"q": phrase, "tag": q} {
			if l := read[page[caseView]](t, b.do("GET", at+parameter+"="+url.QueryEscape(text), nil).want(t, 200)); l.Total != 0 {
				t.Errorf("%s=%q: %d cases: want none", parameter, text, l.Total)
			}
		}
		if l := read[page[RunView]](t, b.do("GET", "/api/v1/runs?name="+url.QueryEscape(q), nil).want(t, 200)); l.Total != 0 {
			t.Errorf("name=%q: %d runs: want none", q, l.Total)
		}
		b.do("GET", at+"sort="+url.QueryEscape(q), nil).want(t, 400)
		b.do("GET", at+"metric="+url.QueryEscape(q), nil).want(t, 400)
	}
	b.do("GET", at+"sort=id;drop%20table%20runs", nil).want(t, 400)
}

func TestPathTraversalInIDs(t *testing.T) {
	dir := folder(
		t,
		map[string]string{
			"in/gold.jsonl": `{"id":"a","question":"?"}`, "secret.jsonl": `{"id":"planted","question":"?"}`,
			"in/.hidden.jsonl": `{"id":"planted","question":"?"}`,
		},
	)
	b := start(t, withRivers(t), func(c *Config) { c.Datasets = filepath.Join(dir, "in") })
	b.do("GET", "/api/v1/datasets/gold.jsonl", nil).want(t, 200)
	for _, name := range []string{
		"../secret.jsonl", `..\secret.jsonl`, "./gold.jsonl", "gold.jsonl/.", "/etc/passwd", filepath.Join(dir, "secret.jsonl"),
		".hidden.jsonl", "..", ".", "gold.jsonl\x00", "gold.jsonl\r\nX-A: b",
		"GOLD.JSONL", "ɡold.jsonl", "gold.jsonl ", "%2e%2e%2fsecret.jsonl", "latest", strings.Repeat("a", 5000),
	} {
		for _, kind := range []string{"datasets", "baselines", "runs", "documents", "test/results", "test/evaluations", "profiles"} {
			if g := b.do("GET", "/api/v1/"+kind+"/"+url.PathEscape(name), nil); g.StatusCode != 404 && g.StatusCode != 400 ||
				strings.Contains(g.text, "planted") {
				t.Errorf("GET %s %q: status %d: %s", kind, name, g.StatusCode, g.text)
			}
		}
		g := b.do("POST", "/api/v1/runs", map[string]any{"dataset": name}).want(t, 400)
		b.do("POST", "/api/v1/runs", map[string]any{"config": map[string]any{"dataset": name}}).want(t, 400)
		b.do("POST", "/api/v1/runs", map[string]any{"dataset": "gold.jsonl", "config": map[string]any{"baseline": name}}).want(t, 400)
		if strings.Contains(g.text, "planted") {
			t.Errorf("%q: %s", name, g.text)
		}
		if name != "GOLD.JSONL" && name != "latest" {
			body, ct := form(t, "x.jsonl", `{"id":"a","question":"?"}`, "name", name)
			b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 400)
		}
	}
	// A raw path, which no client would send so.
	for _, path := range []string{
		"/api/v1/runs/../../etc/passwd", "//api/v1/runs", "/api/v1/./runs", "/api/v1/runs/%0d%0aX:y", "/api/v1/runs/..%2f..%2f",
	} {
		said := b.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if !strings.HasPrefix(said, "HTTP/1.1 404 ") || strings.Contains(said, "\r\nX:y") {
			t.Errorf("%s: %s", path, said)
		}
	}
}

// raw sends bytes, and reads the reply to its end.
func (b *bench) raw(text string) string {
	b.t.Helper()
	c, err := (&net.Dialer{}).DialContext(b.t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		b.t.Fatal(err)
	}
	said, err := io.ReadAll(c)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(said)
}

// TestAnUploadReadsNoFileOfTheServer: a case's recording is a path.
func TestAnUploadReadsNoFileOfTheServer(t *testing.T) {
	secret := filepath.Join(folder(t, map[string]string{"secret.wav": "planted"}), "secret.wav")
	b := start(t, withRivers(t))
	for _, path := range []string{secret, "../../etc/passwd", "q.wav", "/dev/zero"} {
		for file, content := range map[string]string{
			"a.jsonl": fmt.Sprintf(`{"id":"a","question":"?","audio":%q}`, path),
			"a.json":  fmt.Sprintf(`[{"id":"a","question":"?","audio":%q}]`, path),
			"a.yaml":  fmt.Sprintf("test_cases:\n  - {id: a, question: '?', audio: %q}\n", path),
			"a.csv":   "id,question,audio\na,?," + path + "\n",
			"a.tsv":   "id\tquestion\taudio\na\t?\t" + path + "\n",
		} {
			body, ct := form(t, file, content)
			if g := b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 400); !strings.Contains(g.text, "audio") {
				t.Errorf("%s: %s: want the field", file, g.text)
			}
		}
	}
	// An archive whose entry is a link.
	if err := unpackable([]byte(linked(t, "corpus.jsonl", secret)), maxUnpacked); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link in an archive: %v", err)
	}
}

// TestNamesAreNotTakenForFilesOfTheServer: a dataset that is called as the
// settings call a file would be read in its place.
func TestNamesAreNotTakenForFilesOfTheServer(t *testing.T) {
	b := start(t, withRivers(t, "prices=prices.json", "judge=fake:script.yaml", "dataset=own.jsonl"))
	for _, name := range []string{"prices.json", "script.yaml", "own.jsonl"} {
		body, ct := form(t, "x.jsonl", `{"id":"a","question":"?"}`, "name", name)
		b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 409)
	}
	// It may have been there before the setting.
	body, ct := form(t, "x.jsonl", `{"id":"a","question":"?"}`, "name", "rubric.yaml")
	b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 201)
	if err := b.server.cfg.Settings.Set("rubric", "rubric.yaml", config.FromFlag, "test"); err != nil {
		t.Fatal(err)
	}
	b.do("POST", "/api/v1/runs", `{"dataset":"rubric.yaml"}`).want(t, 400)
}

// TestSSRFByTheSettingsOfARun: a request chooses no address, no command, no file
// and no key.
func TestSSRFByTheSettingsOfARun(t *testing.T) {
	evil, asked := spied(t)
	b := start(t,
		withRivers(t, "judge=fake", "max-cost=1", `providers={"own":{"kind":"openai","base_url":"http://127.0.0.1:9/v1","key_env":"OWN_KEY"}}`),
		func(c *Config) {
			c.Endpoints = []string{"https://rag.example/v2"}
		})
	for _, set := range []map[string]any{
		{"endpoint": evil}, {"endpoint": "http://169.254.169.254/latest"}, {"endpoint": "https://rag.example/v2/../admin"},
		{"endpoint": "https://rag.example/v2/%2e%2e/admin"}, {
			"endpoint": "https://rag.example/v2/%252e%252e/admin",
		},
		{"endpoint": "https://rag.example/v2/..%5cadmin"}, {
			"endpoint": "https://rag.example/v2.evil.example",
		}, {"endpoint": "https://rag.example/v2@evil.example"}, {"endpoint": "https://rag.example.evil.example/v2"},
		{"endpoint": "https://rag.example/v2/x#y"},
		{"endpoint": "http://rag.example/v2"}, {"endpoint": "https://rag.example/v2/a\r\nX-A: b"}, {"endpoint": "file:///etc/passwd"},
		{"judge-url": evil}, {"judge-key-env": "OWN_KEY"}, {
			"providers": map[string]any{"own": map[string]any{"base_url": evil}},
		}, {"http": map[string]any{"proxy": evil}}, {"http": map[string]any{"headers": map[string]any{"X": "${OWN_KEY}"}}},
		{"judge": "anthropic:m"}, {"judge": "fake:/etc/passwd"},
		{"generator": "fake:/etc/passwd"}, {"judge": "own:m\r\nX-A: b"}, {"decomposer": "ollama:m"},
		{"adapter": "exec"}, {"command": "id"}, {"corpus": "/etc"}, {"rubric": "/etc/passwd"},
		{"responses": "/etc/passwd"}, {"document-map": "/etc/passwd"}, {"qrels": "/etc/passwd"},
		{"prices": "/etc/passwd"}, {"store": "/tmp/x"}, {"transcriber-command": "id"},
		{"max-cost": 2}, {"max-cost": 0}, {"name": "a\u0000b"}, {"name": "\u001b[2J"},
	} {
		g := b.do("POST", "/api/v1/runs", map[string]any{"dataset": "rivers.jsonl", "config": set}).want(t, 400)
		if !strings.Contains(g.text, "body.config.") {
			t.Errorf("%v: %s", set, g.text)
		}
	}
	for _, set := range []map[string]any{{"endpoint": "https://rag.example/v2/ask?k=1"}, {"max-cost": 0.5}, {"name": "${OWN_KEY}"}} {
		b.do("POST", "/api/v1/runs", map[string]any{"dataset": "rivers.jsonl", "config": set}).want(t, 202)
	}
	if n := asked(); n != 0 {
		t.Errorf("a server that nobody allowed was asked %d times", n)
	}
}

// TestRedirectsLeadNowhere: a target that may be asked cannot send the server on,
// nor have what is for it sent elsewhere.
func TestRedirectsLeadNowhere(t *testing.T) {
	evil, asked := spied(t)
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, evil+"/latest/meta-data", http.StatusTemporaryRedirect)
	}))
	defer target.Close()
	b := start(t, withRivers(t, "adapter=http", "endpoint="+target.URL, "http.headers.X-Api-Key=planted", "retries=0"))
	g := b.do("POST", "/api/v1/test/generate/text", `{"question":"q","profile":"A"}`).want(t, 502)
	if strings.Contains(g.text+b.log.String(), "planted") {
		t.Errorf("%s: tells a key", g.text)
	}
	if n := asked(); n != 0 {
		t.Errorf("the redirect was followed %d times", n)
	}
}

// TestSecretsAreToldNowhere: what targets and providers are given as keys is in no
// reply, no report and no log.
func TestSecretsAreToldNowhere(t *testing.T) {
	const planted = "sk-planted-0123456789"
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/broken") {
			http.Error(w, "no: "+r.Header.Get("X-Api-Key"), http.StatusForbidden)
			return
		}
		// A target that repeats what it was sent.
		_ = json.NewEncoder(w).Encode(
			map[string]any{"answer": "you sent " + r.Header.Get("X-Api-Key"), "contexts": []string{r.Header.Get("X-Api-Key")}},
		)
	}))
	defer target.Close()
	b := start(t, withRivers(t, "adapter=http", "endpoint="+target.URL, "http.headers.X-Api-Key="+planted, "metrics=exact_match", "retries=0"),
		func(c *Config) {
			c.Endpoints = []string{target.URL}
		})
	said := b.do("POST", "/api/v1/test/generate/text", `{"question":"q","profile":"A"}`).text
	for _, body := range []string{
		`{"dataset":"rivers.jsonl"}`, `{"dataset":"rivers.jsonl","config":{"endpoint":"` + target.URL + `/broken"}}`,
	} {
		g := b.do("POST", "/api/v1/runs", body)
		said += g.text
		if g.StatusCode != 202 {
			continue
		}
		id := read[RunView](t, g).ID
		b.ended(id)
		for _, path := range []string{"", "/cases", "/cases/tc_1", "/report.json", "/report.html", "/report.md", "/report.csv",
			"/report.xml", "/report.txt", "/report.comment.md"} {
			said += b.do("GET", "/api/v1/runs/"+id+path, nil).text
		}
	}
	for _, path := range []string{"/api/v1/targets", "/openapi.json", "/docs", "/metrics"} {
		said += b.do("GET", path, nil).text
	}
	if i := strings.Index(said, planted); i >= 0 {
		t.Errorf("…%s: tells a key", said[max(0, i-300):i+len(planted)])
	}
	if strings.Contains(b.log.String(), planted) {
		t.Error("a key is in the log")
	}
	if !strings.Contains(said, "you sent") {
		t.Error("the target was never asked")
	}
}

// TestTemplatesHaveNothingToTell: a template has the placeholders of its step.
func TestTemplatesHaveNothingToTell(t *testing.T) {
	b := start(t, withRivers(t))
	g := b.do("GET", "/api/v1/profiles/A", nil)
	p := read[profileWhole](t, g.want(t, 200))
	for _, bad := range []string{"{{env}}", "{{OWN_KEY}}", "{{.Env}}", "{{passages.key}}", "{{include /etc/passwd}}"} {
		templates := maps.Clone(p.Templates)
		templates["generate"] += bad
		b.do("PUT", "/api/v1/profiles/A", map[string]any{"templates": templates}).want(t, 400)
	}
}

func TestOversizedBodies(t *testing.T) {
	b := start(t, withRivers(t))
	b.do("POST", "/api/v1/gate", `{"run_id":"`+strings.Repeat("a", maxBody)+`"}`).want(t, 413)
	// A body that does not tell its length.
	b.do(
		"POST", "/api/v1/gate", io.MultiReader(strings.NewReader(`{"run_id":"`), strings.NewReader(strings.Repeat("a", maxBody+1))),
	).want(t, 413)
	// So many large ones are read at once.
	for range maxLarge {
		b.server.large <- struct{}{}
	}
	large := `{"run_id":"none","rules":["` + strings.Repeat("a", smallBody) + `"]}`
	if g := b.do("POST", "/api/v1/gate", large).want(t, 503); g.Header.Get("Retry-After") == "" {
		t.Error("want a time after which to try again")
	}
	b.do("POST", "/api/v1/gate", `{"run_id":"none"}`).want(t, 404)
	<-b.server.large
	b.do("POST", "/api/v1/gate", large).want(t, 404)
	b.do("POST", "/api/v1/gate", large).want(t, 404)
	// Uploads are put into files, and one at a time is read.
	b.server.filing <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.server.documents.add(ctx, []huma.FormFile{{Filename: "a.md", File: nil}}, nil); err == nil {
		t.Error("an upload is read beside another")
	}
}

// TestSlowBodies: the time that a body has grows with what came of it.
func TestSlowBodies(t *testing.T) {
	var until time.Time
	in := &trickle{}
	b := &body{ReadCloser: in, limit: maxBody, grace: bodyGrace, deadline: func(at time.Time) error {
		if !at.IsZero() {
			until = at
		}
		return nil
	}}
	p := make([]byte, bodyRate)
	for i := range 3 {
		if _, err := b.Read(p); err != nil {
			t.Fatal(err)
		}
		if want := b.began.Add(bodyGrace + time.Duration(i)*time.Second); !until.Equal(want) {
			t.Errorf("after %d bytes: %s, want %s", i*bodyRate, until, want)
		}
	}
	in.err = os.ErrDeadlineExceeded
	if _, err := b.Read(p); err == nil || !b.tooSlow {
		t.Errorf("%v: want a body that is too slow", err)
	}
}

// trickle gives as much as is asked for, until it fails.
type trickle struct{ err error }

func (t *trickle) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	return len(p), nil
}

func (*trickle) Close() error { return nil }

// gzipped packs a text.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDecompressionBombs(t *testing.T) {
	b := start(t)
	blank := strings.Repeat("\n", maxMarks+1)
	first := `{"id":"a","question":"?"}` + "\n"
	beir := map[string]string{"queries.jsonl": `{"_id":"q","text":"?"}` + "\n", "qrels/test.tsv": "q\td\t1\n"}
	inner := maps.Clone(beir)
	inner["corpus.jsonl"] = gzipped(t, `{"_id":"d","text":"x"}`+"\n"+blank)
	for what, c := range map[string]struct{ file, content string }{
		"a gzip":          {"x.jsonl", gzipped(t, first+blank)},
		"a gzip in a zip": {"x.zip", zipped(t, inner)},
		"values":          {"x.json", gzipped(t, `[{"id":"a","question":"?","metadata":{"x":[`+strings.Repeat("0,", maxMarks+1)+`0]}}]`)},
		"cases":           {"x.jsonl", gzipped(t, strings.Repeat(`{"question":"?"}`+"\n", maxCases+1))},
		"an alias of aliases": {
			"x.yaml", "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + aliases(8) + "test_cases: [{id: a, question: '?', metadata: {x: *a8}}]\n",
		},
	} {
		body, ct := form(t, c.file, c.content)
		if len(body) > 1<<20 {
			t.Errorf("%s: %d bytes: this is no bomb", what, len(body))
		}
		b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 400)
	}
	file := filepath.Join(folder(t, map[string]string{"x.jsonl": first}), "x.jsonl")
	if _, err := dataset.Load(t.Context(), file, dataset.Options{Limits: uploadLimits}); err != nil {
		t.Errorf("%v: want a small dataset to be read", err)
	}
}

// aliases writes anchors that each hold ten times the one before.
func aliases(n int) (out string) {
	last := "a"
	for i := 1; i <= n; i++ {
		name := fmt.Sprintf("a%d", i)
		out += name + ": &" + name + " [" + strings.Repeat("*"+last+",", 9) + "*" + last + "]\n"
		last = name
	}
	return out
}

// TestFormsOfThousandsOfParts: what the parts cost is counted, and nothing is left
// behind.
func TestFormsOfThousandsOfParts(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	b := start(t)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := range 5000 {
		f, err := w.CreateFormFile("files", fmt.Sprintf("f%d.md", i))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(f, strings.Repeat("x", 100))
	}
	_ = w.Close()
	b.do("POST", "/api/v1/documents", body.String(), "Content-Type", w.FormDataContentType()).want(t, 400)
	left, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "multipart-") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestStreamsAreLimited(t *testing.T) {
	b := start(t, withRivers(t))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	b.ended(id)
	for range maxStreams {
		b.server.streams <- struct{}{}
	}
	if g := b.do("GET", "/api/v1/runs/"+id+"/events", nil).want(t, 503); g.Header.Get("Retry-After") == "" {
		t.Error("want a time after which to try again")
	}
	b.do("POST", "/api/v1/query", `{"question":"q"}`).want(t, 503)
	<-b.server.streams
	// Each gives its place back.
	for range 2 {
		b.do("GET", "/api/v1/runs/"+id+"/events", nil).want(t, 200)
		b.do("POST", "/api/v1/query", `{"question":"","profile":"A"}`).want(t, 400)
		b.do("POST", "/api/v1/query", `{"question":"q","profile":"A"}`).want(t, 200)
	}
}

// TestNamesThatFillTheMemory: what does not exist leaves nothing behind.
func TestNamesThatFillTheMemory(t *testing.T) {
	b := start(t, withRivers(t))
	result := b.do("POST", "/api/v1/test/generate/text", `{"question":"q","profile":"A"}`).want(t, 200).text
	for i := range 3 {
		b.do("POST", "/api/v1/test/generate/text", map[string]any{"question": "q", "profile": "A", "target": fmt.Sprint("t", i)}).want(t, 400)
		var r map[string]any
		if err := json.Unmarshal([]byte(result), &r); err != nil {
			t.Fatal(err)
		}
		r["target"] = fmt.Sprint("u", i)
		b.do("POST", "/api/v1/test/evaluate?dimensions=audio", map[string]any{"results": r})
	}
	if n := len(b.server.servings.opening); n > 1 {
		t.Errorf("%d targets are remembered: want one", n)
	}
}

// TestTextsThatNoDataBaseKeeps: they are wrong, and no failure.
func TestTextsThatNoDataBaseKeeps(t *testing.T) {
	b := start(t, withRivers(t))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	b.ended(id)
	for path, body := range map[string]string{
		"/api/v1/runs":               `{"dataset":"rivers.jsonl","name":"a\u0000b"}`,
		"/api/v1/test/generate/text": `{"question":"q","profile":"A","label":"a\u0000b"}`,
	} {
		b.do("POST", path, body).want(t, 400)
	}
	for path, body := range map[string]string{
		"/api/v1/labels": `{"run_id":"` + id + `","case_id":"tc_1","metric":"mrr","value":1,"annotator":"a\u0000b","comment":"\u0000"}`,
		"/api/v1/query":  `{"question":"a\u0000b"}`,
	} {
		if g := b.do("POST", path, body); g.StatusCode >= 500 || strings.Contains(g.text, `"status":500`) {
			t.Errorf("%s: %s", path, g.text)
		}
	}
	whole := b.do("PUT", "/api/v1/baselines/one", map[string]any{"run_id": id})
	whole.want(t, 200)
	text := strings.ReplaceAll(b.do("GET", "/api/v1/baselines/one", nil).text, id, `a\u0000b`)
	b.do("PUT", "/api/v1/baselines/two", `{"baseline":`+text+`}`).want(t, 400)
}

// attacks are texts that would act where they are shown.
var attacks = []string{
	`<script>window.hacked=1</script>`, `</script><script>window.hacked=1</script>`, `<svg onload=window.hacked=1>`,
	`<img src=x onerror=window.hacked=1>`, `[x](javascript:window.hacked=1)`,
	`=cmd|' /C calc'!A0`, "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "\r=1+1", "\x1b[2J\x1b]0;hacked\a",
	"\u202egnp.exe", "]]><x>", "::error::hacked", "a\r\nX-Hacked: 1",
}

// TestInjectionFromAnswers: what cases, systems and requests say is only shown in
// reports.
func TestInjectionFromAnswers(t *testing.T) {
	var cases strings.Builder
	for i, a := range attacks {
		line, err := json.Marshal(map[string]any{"id": a, "question": a + fmt.Sprint(i), "tags": []string{a}, "ground_truth": a})
		if err != nil {
			t.Fatal(err)
		}
		cases.Write(append(line, '\n'))
	}
	b := start(t, withRivers(t, "metrics=mrr"), with(echo{}))
	body, ct := form(t, "attack.jsonl", cases.String())
	b.do("POST", "/api/v1/datasets", body, "Content-Type", ct).want(t, 201)
	id := b.begin(map[string]any{"dataset": "attack.jsonl", "name": attacks[0], "config": map[string]any{"metrics": []string{"token_f1"}}})
	if v := b.ended(id); v.State != stateFinished {
		t.Fatalf("%+v", v)
	}
	at := "/api/v1/runs/" + id

	page := b.do("GET", at+"/report.html", nil).want(t, 200)
	policy := page.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "sandbox allow-scripts", "form-action 'none'", "base-uri 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %q: want %q", policy, want)
		}
	}
	root, err := html.Parse(strings.NewReader(page.text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || strings.Contains(strings.ToLower(a.Val), "javascript:") && a.Key != "id" &&
				a.Key != "data-id" && (a.Key == "href" || a.Key == "src") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
		if n.Parent != nil && n.Parent.Data == "script" && strings.HasPrefix(strings.TrimSpace(n.Data), "window.hacked") {
			t.Error("an answer is run as a script")
		}
	}

	table := b.do("GET", at+"/report.csv", nil).want(t, 200)
	rows, err := csv.NewReader(strings.NewReader(table.text)).ReadAll()
	if err != nil || len(rows) != len(attacks)+1 {
		t.Fatalf("%d rows (%v): want %d", len(rows), err, len(attacks)+1)
	}
	for _, row := range rows {
		for _, cell := range []string{row[0], row[3], row[4], row[5], row[6]} {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r\n") || strings.ContainsAny(cell, "\x1b\u202e") {
				t.Errorf("cell %q: a spreadsheet runs it", cell)
			}
		}
	}
	if table.Header.Get("Content-Disposition") == "" || table.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%v: want a file that is saved", table.Header)
	}

	d := xml.NewDecoder(strings.NewReader(b.do("GET", at+"/report.xml", nil).want(t, 200).text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("report.xml: %v", err)
		}
	}
	md := b.do("GET", at+"/report.md", nil).want(t, 200).text
	var shown bytes.Buffer
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))
	if err := markdown.Convert([]byte(md), &shown); err != nil {
		t.Fatal(err)
	}
	if root, err = html.Parse(&shown); err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if slices.Contains([]string{"script", "svg", "img", "a", "iframe"}, n.Data) && n.Type == html.ElementNode {
			t.Errorf("report.md: <%s> acts", n.Data)
		}
	}
	if strings.ContainsAny(md, "\x1b\u202e") {
		t.Error("report.md has control characters")
	}
	// JSON is told as what it is, and the browser believes it.
	for _, path := range []string{
		at, at + "/cases", at + "/cases/" + url.PathEscape(attacks[0]), at + "/report.json",
		"/api/v1/runs/" + url.PathEscape(attacks[0]),
	} {
		g := b.do("GET", path, nil)
		if ct := g.Header.Get("Content-Type"); !strings.HasPrefix(ct, "application/json") &&
			!strings.HasPrefix(ct, "application/problem+json") || g.Header.Get("X-Content-Type-Options") != "nosniff" ||
			g.Header.Get("X-Hacked") != "" {
			t.Errorf("%s: %v", path, g.Header)
		}
	}
	if strings.Contains(b.log.String(), "hacked") {
		t.Error("a text of a request is in the log")
	}
}

// echo is a system that says what it is asked.
type echo struct{}

func (echo) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	return assay.Response{Answer: c.Question, Passages: []assay.Passage{{ID: c.ID, Document: c.ID, Text: c.Question, Source: c.ID}}}, nil
}

// What asks a target says in the contract that the target may fail.
func TestContractNamesTheFailuresOfTargets(t *testing.T) {
	t.Parallel()
	b := start(t)
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]json.RawMessage `json:"responses"`
		} `json:"paths"`
	}
	if err := json.Unmarshal([]byte(b.do("GET", "/openapi.json", nil).want(t, 200).text), &doc); err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../docs/server.md")
	if err != nil {
		t.Fatal(err)
	}
	for path, statuses := range map[string][]string{
		"/test/generate/text": {"409", "502", "503", "504"}, "/test/generate/audio": {"409", "502", "503", "504"},
		"/test/evaluate": {"404", "503"}, "/query": {"409", "503"},
	} {
		for _, status := range statuses {
			if _, ok := doc.Paths[prefix+path]["post"].Responses[status]; !ok {
				t.Errorf("%s: no %s", path, status)
			}
			if !strings.Contains(string(guide), "\n| "+status+" |") {
				t.Errorf("docs/server.md: no line for %s", status)
			}
		}
	}
}
