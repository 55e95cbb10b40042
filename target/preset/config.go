package preset

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// Config fills in the preset and returns the configuration for a server at endpoint, or
// at the preset's default endpoint if that is "". The caller sets TopK, Embedder, TLS,
// Proxy and Now. A query in the endpoint, such as "?tenant=a", is appended to every
// address.
func (p Preset) Config(endpoint string, values map[string]string) (target.HTTPConfig, error) {
	p, err := p.Fill(values)
	if err != nil {
		return target.HTTPConfig{}, err
	}
	if endpoint == "" {
		endpoint = p.Endpoint
	}
	if endpoint == "" {
		return target.HTTPConfig{}, fmt.Errorf("preset %s: no endpoint: %s has no default address; use --endpoint", p.Name, p.Title)
	}
	base, query, _ := strings.Cut(endpoint, "?")
	address := func(path string) string {
		whole := strings.TrimRight(base, "/") + path
		if query != "" {
			whole += "?" + query
		}
		return whole
	}

	c := target.HTTPConfig{Endpoint: address(p.Path), Method: p.Method, Header: http.Header{}, Send: p.Send, Values: map[string]any{}}
	for name, text := range p.Header {
		c.Header.Set(name, text)
	}
	for _, v := range p.Values {
		if v.Set == nil {
			continue
		}
		c.Values[v.Name] = v.Set
		if text, ok := v.Set.(string); ok && v.Secret {
			c.Secrets = append(c.Secrets, secret.New(text))
			// The scheme name is not secret, but the credentials after it are.
			if _, credentials, two := strings.Cut(text, " "); two {
				c.Secrets = append(c.Secrets, secret.New(credentials))
			}
		}
	}
	if len(p.Read) > 0 {
		if c.Read, err = reply.NewMapping(p.Read); err != nil {
			return target.HTTPConfig{}, fmt.Errorf("preset %s: %w", p.Name, err)
		}
	}
	for _, s := range p.Setup {
		step := target.Step{Endpoint: address(s.Path), Save: map[string]reply.Path{}}
		for name, path := range s.Save {
			if step.Save[name], err = reply.ParsePath(path); err != nil {
				return target.HTTPConfig{}, fmt.Errorf("preset %s: setup: %s: %w", p.Name, name, err)
			}
		}
		c.Setup = append(c.Setup, step)
	}
	return c, nil
}
