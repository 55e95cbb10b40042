package llm

import (
	"errors"
	"fmt"
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
	// default of the protocol.
	BaseURL string
	// KeyEnv is the name of the environment variable that holds the key.
	// Empty is that of the protocol at the vendor's own address, and no key at
	// any other: a key is not sent to a server that it was not meant for.
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

// Open makes a provider of a kind, one of [Kinds]. It makes no call. Errors are a
// key that is needed and missing, a key that no header can carry, and an address
// that is not a plain http or https one; none of them quotes a secret.
func Open(kind string, o Options) (Provider, error) {
	p := find(kind)
	if p == nil {
		return nil, fmt.Errorf("provider %q: want one of %q", kind, Kinds())
	}
	t, err := p.reach(o)
	if err != nil {
		return nil, err
	}
	d := p.dialect(t.base)
	return &server{transport: t, negotiation: negotiation{fallbacks: d.fallbacks}, encode: d.encode, decode: d.decode}, nil
}

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
		return nil, errors.New("base URL: contains a user or a password: want the key in an environment variable")
	case hasKey(u.Query()):
		return nil, errors.New("base URL: contains a key in its query, and reports show addresses: want the key in an environment variable")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("base URL %q: want http:// or https:// and a host", s)
	case u.Fragment != "":
		return nil, fmt.Errorf("base URL %q: want no fragment (#)", s)
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
		return secret.Secret{}, errors.New("key variable: not a valid name: want one such as OPENAI_API_KEY, not the key itself")
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
			return secret.Secret{}, fmt.Errorf("the environment variable %s: not a valid key: want printable ASCII without spaces", shown)
		}
	}
	return secret.New(key), nil
}

// reach prepares the way to a server; paths are further ends of addresses that
// are taken off the base URL.
func (p *Protocol) reach(o Options, paths ...string) (transport, error) {
	if o.Name == "" {
		o.Name = p.Kind
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	t := transport{name: o.Name, protocol: p, extra: o.Extra, keyEnv: o.KeyEnv}
	if err := t.locate(o, append(paths, p.paths...)); err != nil {
		return t, fmt.Errorf("provider %q: %w", o.Name, err)
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

// locate sets the address, and the key that is meant for it.
func (t *transport) locate(o Options, paths []string) (err error) {
	given := o.BaseURL
	if given == "" {
		given = t.protocol.BaseURL
		if t.protocol.baseURL != nil {
			given = t.protocol.baseURL(o.Getenv)
		}
	}
	if t.base, err = address(given, paths...); err != nil {
		return err
	}
	vendor, err := url.Parse(t.protocol.BaseURL)
	if err != nil {
		return err
	}
	if t.keyEnv == "" && strings.EqualFold(t.base.Hostname(), vendor.Hostname()) {
		t.keyEnv = t.protocol.KeyEnv
	}
	switch {
	case t.keyEnv != "":
		t.key, err = keyFrom(o, t.keyEnv)
	case t.protocol.NeedsKey:
		err = fmt.Errorf("no key: want the name of the environment variable that holds the key of %s; %s is only sent to %s",
			t.base.Host, t.protocol.KeyEnv, vendor.Host)
	}
	return err
}
