package llm

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/assay-eval/assay/internal/secret"
)

// Options say how a provider is reached. The zero value reaches the default
// address of its kind without a key.
type Options struct {
	// Name is what users call the provider; empty is its kind. Providers
	// whose replies differ need names that differ: it is part of the key of
	// every call in the ledger, the address is not.
	Name string
	// BaseURL is the address of the server, http or https; empty is the
	// vendor's, or for ollama the one that OLLAMA_HOST names.
	BaseURL string
	// KeyEnv is the name of the environment variable that holds the key.
	// Empty is ANTHROPIC_API_KEY or OPENAI_API_KEY at the vendor's own
	// address, and no key at any other: a key is not sent to a server that
	// it was not meant for.
	KeyEnv string
	// Getenv looks up environment variables; nil is an empty environment.
	Getenv func(string) string
	// Extra are further fields of every request, below those of the request
	// itself. Unlike [Request.Extra] they are not part of the ledger's key.
	Extra map[string]any
	// HTTP makes the calls; nil is a client with the defaults of net/http. Its
	// policies on redirects and cookies are not used: no redirect is followed,
	// no cookie kept.
	HTTP *http.Client
}

// Open makes a provider that speaks the protocol of kind: "anthropic", "openai"
// (OpenAI and every compatible server) or "ollama". It makes no call. A key that
// is needed and missing, a key that no header can carry, and an address that is
// not a plain http or https one are errors; none of them quotes a secret.
func Open(kind string, o Options) (Provider, error) {
	var open func(Options) (Provider, error)
	switch kind {
	case "anthropic":
		open = openAnthropic
	case "openai":
		open = openOpenAI
	case "ollama":
		open = openOllama
	default:
		return nil, fmt.Errorf("provider %q: want one of \"anthropic\", \"openai\", \"ollama\"", kind)
	}
	if o.Name == "" {
		o.Name = kind
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	p, err := open(o)
	if err != nil {
		return nil, named(o.Name, err)
	}
	return p, nil
}

// named says of which provider an error is.
func named(provider string, err error) error { return fmt.Errorf("provider %q: %w", provider, err) }

// address reads the base URL of a server; ends are paths that users may have
// copied along with it.
func address(s string, ends ...string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil {
		// The error's own text would quote the address, password and all.
		var e *url.Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return nil, fmt.Errorf("base URL: %w", err)
	}
	switch {
	case u.User != nil:
		return nil, errors.New("base URL: holds a user or a password: want the key in an environment variable")
	case hasKey(u.Query()):
		return nil, errors.New("base URL: holds a key in its query, and addresses are written into reports: want the key in an environment variable")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("base URL %q: want http:// or https:// and a host", s)
	case u.Fragment != "":
		return nil, fmt.Errorf("base URL %q: want none with #", s)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	for _, end := range ends {
		u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, end), "/")
	}
	u.RawPath = ""
	return u, nil
}

// keyParameter is the name of a parameter that holds a key; "api-version" is
// none.
var keyParameter = regexp.MustCompile(`(?i)^(.*[_-])?(key|token|secret|password|sig|signature)$`)

func hasKey(q url.Values) bool {
	for name := range q {
		if keyParameter.MatchString(name) {
			return true
		}
	}
	return false
}

var (
	variable      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	plainVariable = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)
)

// keyFrom reads the key that a variable of the environment holds. The name may
// be a key that was put in the wrong place, so it is only quoted when it looks
// like a name.
func keyFrom(o Options, name string) (secret.Secret, error) {
	if !variable.MatchString(name) {
		return secret.Secret{}, errors.New("the variable of the key: not the name of a variable: want one such as OPENAI_API_KEY, not the key itself")
	}
	shown := "that was named for the key"
	if plainVariable.MatchString(name) {
		shown = name
	}
	key := strings.TrimSpace(o.Getenv(name))
	if key == "" {
		return secret.Secret{}, fmt.Errorf("no key: the environment variable %s is not set", shown)
	}
	for _, c := range []byte(key) {
		if c <= ' ' || c > '~' {
			return secret.Secret{}, fmt.Errorf("the environment variable %s: holds what no key can: want one word in ASCII", shown)
		}
	}
	return secret.New(key), nil
}

// reach prepares the way to a server. home is the vendor's own host, whose key
// stands in the variable keyEnv; needed says that no server of this kind
// answers without a key.
func reach(o Options, base *url.URL, home, keyEnv string, needed bool) (transport, error) {
	t := transport{name: o.Name, base: base, extra: o.Extra, keyEnv: o.KeyEnv}
	if t.keyEnv == "" && home != "" && strings.EqualFold(base.Hostname(), home) {
		t.keyEnv = keyEnv
	}
	switch {
	case t.keyEnv != "":
		var err error
		if t.key, err = keyFrom(o, t.keyEnv); err != nil {
			return t, err
		}
	case needed:
		return t, fmt.Errorf("no key: want the name of the environment variable that holds the key of %s; %s is only sent to %s", base.Host, keyEnv, home)
	}
	client := http.Client{}
	if o.HTTP != nil {
		client = *o.HTTP
	}
	client.Jar = nil
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.client = &client
	return t, nil
}

// ollamaHost turns what OLLAMA_HOST holds into a base URL, as Ollama reads it:
// scheme, port and host may each be missing. A server that listens on all
// addresses is called at the loopback one.
func ollamaHost(s string) string {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	scheme, rest, given := strings.Cut(s, "://")
	if !given {
		scheme, rest = "http", s
	}
	rest, path, _ := strings.Cut(rest, "/")
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		host, port = strings.Trim(rest, "[]"), "11434"
		if given {
			port = map[string]string{"http": "80", "https": "443"}[scheme]
		}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return strings.TrimRight(scheme+"://"+net.JoinHostPort(host, port)+"/"+path, "/")
}
