package llm_test

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
)

// A trip answers every request without a network and keeps the last one.
type trip struct {
	status int
	body   string
	header http.Header
	last   *http.Request
	sent   string
}

func (r *trip) RoundTrip(q *http.Request) (*http.Response, error) {
	data, err := io.ReadAll(q.Body)
	if err != nil {
		return nil, err
	}
	r.last, r.sent = q, string(data)
	h := r.header
	if h == nil {
		h = http.Header{}
	}
	return &http.Response{StatusCode: r.status, Header: h, Body: io.NopCloser(strings.NewReader(r.body)), Request: q}, nil
}

func hello(model string) llm.Request {
	return llm.Request{Model: model, Messages: []llm.Message{{Role: "user", Text: "hello"}}}
}

func TestOpenAddressAndKey(t *testing.T) {
	t.Parallel()
	keys := []string{"ANTHROPIC_API_KEY", "sk-ant-vendor", "OPENAI_API_KEY", "sk-openai-vendor\n", "OTHER_KEY", "sk-other-key"}
	for _, c := range []struct {
		kind    string
		o       llm.Options
		env     []string
		url     string
		header  string // the name of the header with the key, then the key
		missing string // a header that must not be there
	}{
		{"anthropic", llm.Options{}, keys, "https://api.anthropic.com/v1/messages", "X-Api-Key: sk-ant-vendor", "Authorization"},
		{
			"anthropic",
			llm.Options{BaseURL: "https://API.anthropic.com/v1/"},
			keys,
			"https://API.anthropic.com/v1/messages",
			"X-Api-Key: sk-ant-vendor",
			"",
		},
		{
			"anthropic",
			llm.Options{BaseURL: "https://proxy.example/a", KeyEnv: "OTHER_KEY"},
			keys,
			"https://proxy.example/a/v1/messages",
			"X-Api-Key: sk-other-key",
			"",
		},
		{"openai", llm.Options{}, keys, "https://api.openai.com/v1/chat/completions", "Authorization: Bearer sk-openai-vendor", "Api-Key"},
		{
			"openai",
			llm.Options{BaseURL: "https://api.openai.com/v1/chat/completions"},
			keys,
			"https://api.openai.com/v1/chat/completions",
			"Authorization: Bearer sk-openai-vendor",
			"",
		},
		{"openai", llm.Options{BaseURL: " http://127.0.0.1:8000/v1/ "}, keys, "http://127.0.0.1:8000/v1/chat/completions", "", "Authorization"},
		{
			"openai",
			llm.Options{BaseURL: "https://api.deepseek.com", KeyEnv: "OTHER_KEY"},
			keys,
			"https://api.deepseek.com/chat/completions",
			"Authorization: Bearer sk-other-key",
			"",
		},
		{
			"openai",
			llm.Options{BaseURL: "https://x.openai.azure.com/openai/deployments/d?api-version=1", KeyEnv: "OTHER_KEY"},
			keys,
			"https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
			"Api-Key: sk-other-key",
			"",
		},
		{"ollama", llm.Options{}, keys, "http://127.0.0.1:11434/api/chat", "", "Authorization"},
		{"ollama", llm.Options{BaseURL: "http://box:1/api"}, []string{"OLLAMA_HOST", "elsewhere"}, "http://box:1/api/chat", "", "Authorization"},
		{
			"ollama",
			llm.Options{BaseURL: "https://ollama.example", KeyEnv: "OTHER_KEY"},
			keys,
			"https://ollama.example/api/chat",
			"Authorization: Bearer sk-other-key",
			"",
		},
		{"ollama", llm.Options{}, []string{"OLLAMA_HOST", "0.0.0.0"}, "http://127.0.0.1:11434/api/chat", "", ""},
		{"ollama", llm.Options{}, []string{"OLLAMA_HOST", ":8080"}, "http://127.0.0.1:8080/api/chat", "", ""},
		{"ollama", llm.Options{}, []string{"OLLAMA_HOST", "box"}, "http://box:11434/api/chat", "", ""},
		{"ollama", llm.Options{}, []string{"OLLAMA_HOST", "https://box/path/"}, "https://box:443/path/api/chat", "", ""},
		{"ollama", llm.Options{}, []string{"OLLAMA_HOST", "http://box"}, "http://box:80/api/chat", "", ""},
		{"ollama", llm.Options{}, []string{"OLLAMA_HOST", "[::]:9"}, "http://127.0.0.1:9/api/chat", "", ""},
		{"ollama", llm.Options{}, []string{"OLLAMA_HOST", "\"[fe80::1]\""}, "http://[fe80::1]:11434/api/chat", "", ""},
	} {
		net := &trip{status: 500}
		c.o.Getenv, c.o.HTTP = env(c.env...), &http.Client{Transport: net}
		p := open(t, c.kind, c.o)
		if p.Name() != c.kind {
			t.Errorf("name %q: want %q", p.Name(), c.kind)
		}
		if _, err := p.Complete(t.Context(), hello("m")); !llm.IsKind(err, llm.KindServer) {
			t.Errorf("%s %+v: %v", c.kind, c.o.BaseURL, err)
			continue
		}
		if got := net.last.URL.String(); got != c.url {
			t.Errorf("%s %q calls %q: want %q", c.kind, c.o.BaseURL, got, c.url)
		}
		if name, value, _ := strings.Cut(c.header, ": "); net.last.Header.Get(name) != value {
			t.Errorf("%s %q sends %q: want %q", c.kind, c.o.BaseURL, net.last.Header, c.header)
		}
		if c.missing != "" && net.last.Header.Get(c.missing) != "" {
			t.Errorf("%s %q sends the header %s", c.kind, c.o.BaseURL, c.missing)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind string
		o    llm.Options
		want string
	}{
		{"bard", llm.Options{}, `provider "bard": expected one of ["anthropic" "openai" "ollama"`},
		{"anthropic", llm.Options{}, `provider "anthropic": no key: the environment variable ANTHROPIC_API_KEY is not set`},
		{"openai", llm.Options{Name: "mine"}, `provider "mine": no key: the environment variable OPENAI_API_KEY is not set`},
		{"openai", llm.Options{BaseURL: "http://box/v1", KeyEnv: "BOX_KEY"}, `BOX_KEY is not set`},
		{"openai", llm.Options{BaseURL: "http://box/v1", KeyEnv: "SPACED"}, `SPACED: not a valid key`},
		{"openai", llm.Options{BaseURL: "http://box/v1", KeyEnv: "FOREIGN"}, `FOREIGN: not a valid key`},
		{"openai", llm.Options{BaseURL: "http://box/v1", KeyEnv: "BLANK"}, `BLANK is not set`},
		// A key in the place of its name is not quoted.
		{"openai", llm.Options{KeyEnv: "sk-abcdef"}, `not a valid name`},
		{"openai", llm.Options{KeyEnv: "gsk_abcdef"}, `the environment variable that was named for the key is not set`},
		{
			"anthropic",
			llm.Options{BaseURL: "https://proxy.example"},
			`name the environment variable that holds the key of proxy.example`,
		},
		{"openai", llm.Options{BaseURL: "ftp://box"}, `base URL "ftp://box": expected http:// or https:// and a host`},
		{"openai", llm.Options{BaseURL: "box:8000/v1"}, `expected http:// or https:// and a host`},
		{"openai", llm.Options{BaseURL: "https://"}, `expected http:// or https:// and a host`},
		{"openai", llm.Options{BaseURL: "https://box/#v1"}, `must have no fragment (#)`},
		{"openai", llm.Options{BaseURL: "https://me:gsk_abcdef@box/v1"}, `contains a user or a password`},
		{"openai", llm.Options{BaseURL: "https://box/v1?api-version=2&api_key=gsk_abcdef"}, `contains a key in its query`},
		{"ollama", llm.Options{BaseURL: "https://gsk_abcdef@box/%zz"}, `base URL: invalid URL escape`},
	} {
		c.o.Getenv = env("SPACED", "a b", "FOREIGN", "schlüssel", "BLANK", " ")
		p, err := llm.Open(c.kind, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Open(%q, %+v) = %v, %v: want %q", c.kind, c.o, p, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "abcdef") {
			t.Errorf("the error quotes a secret: %v", err)
		}
	}
	if _, err := llm.Open("openai", llm.Options{}); err == nil {
		t.Error("Open without an environment finds a key")
	}
}

// A client's policies are not taken over, nor changed for their owner.
func TestOpenLeavesClientAlone(t *testing.T) {
	t.Parallel()
	jar := &jar{}
	followed := false
	client := &http.Client{
		Transport:     &trip{status: 302, header: http.Header{"Location": {"http://else/"}}},
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { followed = true; return nil },
	}
	p := open(t, "ollama", llm.Options{HTTP: client})
	if _, err := p.Complete(t.Context(), hello("m")); !llm.IsKind(err, llm.KindModel) {
		t.Errorf("a redirect: %v: want kind %q", err, llm.KindModel)
	}
	if followed || jar.used || client.Jar == nil || client.CheckRedirect == nil {
		t.Errorf("followed %t, cookies %t, client %+v", followed, jar.used, client)
	}
}

// The time limit of a client that was handed in is a time-out, too.
func TestOpenClientTimeout(t *testing.T) {
	t.Parallel()
	p := open(t, "openai", llm.Options{BaseURL: "http://box", HTTP: &http.Client{Transport: late{}}})
	if _, err := p.Complete(t.Context(), hello("m")); !llm.IsKind(err, llm.KindTimeout) {
		t.Errorf("%v: want kind %q", err, llm.KindTimeout)
	}
}

type late struct{}

func (late) RoundTrip(*http.Request) (*http.Response, error) { return nil, os.ErrDeadlineExceeded }

func FuzzOpen(f *testing.F) {
	for _, s := range []string{"", "http://a", "box:1", "[::]", "https://u:p@h/", "://", "http://[::1", "\x00", "http://h/%2f?q#f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, o := range []llm.Options{{BaseURL: s}, {Getenv: env("OLLAMA_HOST", s)}} {
			net := &trip{status: 200, body: `{"message":{"content":"x"}}`}
			o.HTTP = &http.Client{Transport: net}
			p, err := llm.Open("ollama", o)
			if err != nil {
				continue
			}
			_, err = p.Complete(t.Context(), hello("m"))
			if err != nil && !llm.IsKind(err, llm.KindRequest) && !llm.IsKind(err, llm.KindNetwork) {
				t.Fatalf("%q: %v", s, err)
			}
			if err == nil && (net.last.URL.User != nil || !strings.HasSuffix(net.last.URL.Path, "/api/chat")) {
				t.Fatalf("%q calls %q", s, net.last.URL)
			}
		}
	})
}

type jar struct{ used bool }

func (j *jar) SetCookies(*url.URL, []*http.Cookie)    { j.used = true }
func (j *jar) Cookies(*url.URL) (none []*http.Cookie) { j.used = true; return none }
