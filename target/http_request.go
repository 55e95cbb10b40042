package target

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/template"
)

// An httpCall is a request template.
type httpCall struct {
	method  string
	address httpAddress
	// body is nil when nothing is sent.
	body *template.Template
}

// newHTTPCall compiles a request. usual is the body if send is nil, unless the method
// has no body.
func newHTTPCall(method, endpoint string, send, usual any) (httpCall, error) {
	if send == nil && usual == nil {
		method = cmp.Or(method, http.MethodGet)
	}
	call := httpCall{method: strings.ToUpper(cmp.Or(method, http.MethodPost))}
	if !httpguts.ValidHeaderFieldName(call.method) || call.method == http.MethodConnect || call.method == http.MethodHead {
		return call, fmt.Errorf("method %q: expected one such as POST or GET", method)
	}
	var err error
	if call.address, err = newHTTPAddress(endpoint); err != nil {
		return call, fmt.Errorf("endpoint: %w", err)
	}
	if send == nil && call.method != http.MethodGet && call.method != http.MethodDelete {
		send = usual
	}
	if send != nil {
		if call.body, err = template.Parse(send); err != nil {
			return call, fmt.Errorf("send: %w", err)
		}
	}
	return call, nil
}

// names lists the placeholders without a default, by the part that uses them.
func (call *httpCall) names() map[string][]string {
	n := map[string][]string{"endpoint": call.address.tail.Names()}
	if call.body != nil {
		n["send"] = call.body.Names()
	}
	return n
}

// uses reports whether the endpoint or the body has a placeholder of one of the values.
func (call *httpCall) uses(values ...string) bool {
	return call.address.tail.Uses(values...) || call.body != nil && call.body.Uses(values...)
}

// An httpAddress is an address whose path and query may hold placeholders.
type httpAddress struct {
	// base is scheme, host and port.
	base string
	tail template.Pattern
	user *url.Userinfo
}

func newHTTPAddress(s string) (httpAddress, error) {
	var a httpAddress
	s = strings.TrimSpace(s)
	if s == "" {
		return a, errors.New("is empty: expected an address such as http://127.0.0.1:8000/query")
	}
	scheme, rest, ok := strings.Cut(s, "://")
	scheme = strings.ToLower(scheme)
	switch {
	case !ok:
		return a, fmt.Errorf("%q has no scheme: expected http:// or https:// before it", s)
	case scheme != "http" && scheme != "https":
		return a, fmt.Errorf("scheme %q: expected http or https", scheme)
	}
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	if strings.Contains(authority, "{{") {
		return a, errors.New("a placeholder in the host name: it must be in the path or in the query")
	}
	u, err := url.Parse(scheme + "://" + authority)
	if err != nil || u.Hostname() == "" {
		host := authority[strings.LastIndex(authority, "@")+1:] // a password must not be shown
		return a, fmt.Errorf("host %q cannot be read: expected one such as 127.0.0.1:8000", host)
	}
	a.user, a.base = u.User, scheme+"://"+u.Host
	if a.tail, err = template.ParsePattern(tail); err != nil {
		return a, err
	}
	a.tail, _, _ = a.tail.Cut("#") // a fragment is never sent
	// Filled with sample values, to check the text between the placeholders.
	sample := map[string]any{}
	for _, name := range a.tail.Names() {
		sample[name] = "x"
	}
	text, err := a.fill(sample)
	if err != nil {
		return a, err
	}
	if _, err := url.Parse(text); err != nil || strings.ContainsAny(text, " \t") {
		return a, fmt.Errorf("%q is not a valid URL; escape special characters, such as %%20 and the like", text)
	}
	return a, nil
}

// fill returns the complete address.
func (a *httpAddress) fill(values map[string]any) (string, error) {
	tail, err := a.tail.Address(values)
	return a.base + tail, err
}

// An httpHeader is one header, whose value may hold placeholders.
type httpHeader struct {
	name  string
	value template.Pattern
}

// newHTTPHeader checks the headers. Messages do not show the values, which may be
// secrets.
func newHTTPHeader(header http.Header, user *url.Userinfo) ([]httpHeader, error) {
	var out []httpHeader
	for _, given := range slices.Sorted(maps.Keys(header)) {
		name := http.CanonicalHeaderKey(strings.TrimSpace(given))
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return nil, fmt.Errorf("header %q: expected a name of letters, digits and hyphens", given)
		case slices.Contains([]string{"Content-Length", "Transfer-Encoding", "Trailer", "Connection"}, name):
			return nil, fmt.Errorf("header %q: the connection sets it", name)
		}
		for _, text := range header[given] {
			text = strings.TrimSpace(text)
			if !httpguts.ValidHeaderFieldValue(text) {
				return nil, fmt.Errorf("header %q: its value holds a line end or another control character", name)
			}
			value, err := template.ParsePattern(text)
			if err != nil {
				return nil, fmt.Errorf("header %q: %w", name, err)
			}
			out = append(out, httpHeader{name, value})
		}
	}
	if user != nil && !slices.ContainsFunc(out, func(h httpHeader) bool { return h.name == "Authorization" }) {
		password, _ := user.Password()
		coded := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
		value, err := template.ParsePattern("Basic " + coded)
		if err != nil {
			return nil, err
		}
		out = append(out, httpHeader{"Authorization", value})
	}
	return out, nil
}

// httpSecrets collects the secrets that the configuration contains, in addition to
// those that the caller names.
func httpSecrets(header []httpHeader, user *url.Userinfo) secret.Set {
	var set secret.Set
	for _, h := range header {
		if !secret.Header(h.name) || !h.value.Constant() {
			continue
		}
		text := h.value.String()
		_, key, scheme := strings.Cut(text, " ")
		if scheme && strings.HasSuffix(h.name, "Authorization") {
			text = strings.TrimSpace(key)
		}
		set = append(set, secret.New(text))
		if plain, err := base64.StdEncoding.DecodeString(text); err == nil && strings.HasPrefix(h.value.String(), "Basic ") {
			_, password, _ := strings.Cut(string(plain), ":")
			set = append(set, secret.New(password))
		}
	}
	if password, is := user.Password(); is {
		set = append(set, secret.New(password))
	}
	return set
}

// checkNames checks that every placeholder will have a value, and that the request
// depends on the case.
func (h *HTTP) checkNames(c HTTPConfig, saved []string) error {
	parts := h.call.names()
	for _, one := range h.header {
		parts["header "+one.name] = one.value.Names()
	}
	also := saved
	if c.Embedder != nil {
		also = append(slices.Clone(saved), valueEmbedding)
	}
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		for _, name := range parts[part] {
			if name == valueEmbedding && c.Embedder == nil {
				return fmt.Errorf("%s: {{embedding}} needs an embedder; set one, or use {{question}}", part)
			}
			h.embeds = h.embeds || name == valueEmbedding
		}
		if err := checkValues(c.Values, parts[part], also...); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	ofCase := []string{valueQuestion, valueID, valueMetadata, valueTags, valueEmbedding}
	switch {
	case h.call.uses(ofCase...) || slices.ContainsFunc(h.header, func(one httpHeader) bool { return one.value.Uses(ofCase...) }):
		return nil
	case h.call.body == nil:
		return fmt.Errorf("%s without a body, and no question in the endpoint: expected {{question}} in it, as in %s/search?q={{question}}",
			h.call.method, h.call.address.base)
	}
	return errors.New(`send: no placeholder of the case, so that every request would be the same: expected {{question}} in it`)
}

// request builds the request of a call. With strict every header needs its values.
func (h *HTTP) request(ctx context.Context, call *httpCall, values map[string]any, strict bool) (*http.Request, []byte, error) {
	address, err := call.address.fill(values)
	if err != nil {
		return nil, nil, fmt.Errorf("endpoint: %w", err)
	}
	var body []byte
	if call.body != nil {
		v, err := call.body.Fill(values)
		if err == nil {
			body, err = template.Marshal(v)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("send: %w", err)
		}
	}
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, call.method, address, content)
	if err != nil {
		return nil, nil, fmt.Errorf("endpoint: %w", err)
	}
	if body != nil {
		req.Header["Content-Type"] = []string{"application/json"}
	}
	req.Header["Accept"] = []string{"application/json, */*;q=0.5"}
	req.Header["User-Agent"], req.Header["Accept-Encoding"] = []string{"assay"}, []string{"gzip"}
	mine := map[string]bool{}
	for _, one := range h.header {
		text, err := one.value.Fill(values, oneLine)
		switch {
		case err != nil && strict:
			return nil, nil, fmt.Errorf("header %q: %w", one.name, err)
		case err != nil:
			continue
		case one.name == "Host":
			req.Host = text
			continue
		case mine[one.name]:
			req.Header[one.name] = append(req.Header[one.name], text)
		default:
			mine[one.name], req.Header[one.name] = true, []string{text}
		}
	}
	return req, body, nil
}

// oneLine makes a text valid in a header.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
