package adapter

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/preset"
	"github.com/assay-eval/assay/target/template"
)

var httpAdapter = Adapter{
	Name:    "http",
	Doc:     "a JSON endpoint, streams included; --preset knows common servers",
	Example: "--endpoint URL",
	Open:    openHTTP,
}

func openHTTP(_ context.Context, e *Env) (Opened, error) {
	c, o, err := e.httpConfig()
	if err != nil {
		return Opened{}, err
	}
	o.Target, err = target.NewHTTP(c)
	return o, err
}

// httpConfig gathers what the settings, and a preset, say of a JSON endpoint.
func (e *Env) httpConfig() (c target.HTTPConfig, o Opened, err error) {
	o.Reports = Anything
	settings := map[string]string{}
	if name := e.Preset; name != "" {
		p, err := preset.Load(name)
		if err != nil {
			return c, o, err
		}
		if p.Adapter != e.Adapter {
			return c, o, fmt.Errorf("preset %s is for the adapter %s; use --adapter %s", name, p.Adapter, p.Adapter)
		}
		if c, err = p.Config(e.Endpoint, e.Values); err != nil {
			return c, o, err
		}
		settings["preset"] = name
		if o.Reports = metric.ReadPassages; p.Answers {
			o.Reports = Anything
		}
	} else {
		if e.Endpoint == "" {
			return c, o, fmt.Errorf("adapter %s: no endpoint; use --endpoint URL, or --preset with one of %s",
				e.Adapter, strings.Join(preset.Names(), ", "))
		}
		c.Endpoint = e.Endpoint
		c.Values = values(e.Values)
	}
	if c.Header == nil {
		c.Header = http.Header{}
	}
	maps.Copy(c.Header, e.Header())
	if e.HTTP.Method != "" {
		c.Method = e.HTTP.Method
	}
	if c.Send, err = e.send(c.Send); err != nil {
		return c, o, err
	}
	if len(e.Read) > 0 {
		read, reports, err := e.reads()
		if err != nil {
			return c, o, err
		}
		if !c.Read.Empty() {
			reports |= o.Reports
		}
		c.Read, o.Reports = read.Over(c.Read), reports
	}
	c.TopK, c.Secrets, c.Now = e.TopK, append(c.Secrets, e.Secrets...), e.Now
	c.TLS, c.Proxy = e.TLSConfig(e.Path), e.HTTP.Proxy
	if err := e.reachable(c.Endpoint); err != nil {
		return c, o, err
	}
	if embeds(c) {
		if c.Embedder, err = e.Embedder(); err != nil {
			return c, o, err
		}
		settings["embedder"] = c.Embedder.Identity()
	}
	o.Info.Endpoint = e.Shown("endpoint", c.Endpoint)
	o.Info.Settings = e.described(settings)
	o.Warnings = append(o.Warnings, e.unchecked()...)
	return c, o, nil
}

// embeds reports whether a request holds the embedding of the question.
func embeds(c target.HTTPConfig) bool {
	t, err := template.Parse([]any{c.Send, c.Endpoint})
	return err == nil && slices.Contains(t.Names(), "embedding")
}
