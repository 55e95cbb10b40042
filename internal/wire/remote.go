package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	shellquote "github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/preset"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

// anything is what a target may report of which nothing is known yet.
const anything = metric.ReadAnswer | metric.ReadPassages | metric.ReadTrace

// reads gives the mapping of replies, and what a target that is read so reports.
func (w *wiring) reads() (reply.Mapping, metric.Part, error) {
	m, err := reply.NewMapping(w.cfg.Read)
	if err != nil || m.Empty() {
		return m, anything, err
	}
	parts := map[string]metric.Part{
		reply.Answer: metric.ReadAnswer, reply.Delta: metric.ReadAnswer, reply.Passages: metric.ReadPassages, reply.Text: metric.ReadPassages,
		reply.Document: metric.ReadPassages, reply.ID: metric.ReadPassages, reply.Source: metric.ReadPassages,
		// The passages of a stage stand in for those of the response.
		reply.Stages: metric.ReadTrace | metric.ReadPassages, reply.Retrieved: metric.ReadTrace | metric.ReadPassages, reply.Filtered: metric.ReadTrace | metric.ReadPassages,
		reply.Transcript: metric.ReadTrace, reply.SubQuestions: metric.ReadTrace, reply.Prompted: metric.ReadTrace,
	}
	var reports metric.Part
	for field := range w.cfg.Read {
		reports |= parts[strings.ReplaceAll(field, "-", "_")]
	}
	return m, reports, nil
}

func (w *wiring) openHTTP(context.Context, *selection) (opened, error) {
	c, o, err := w.httpConfig()
	if err != nil {
		return opened{}, err
	}
	o.target, err = target.NewHTTP(c)
	return o, err
}

// httpConfig gathers what the settings, and a preset, say of a JSON endpoint.
func (w *wiring) httpConfig() (c target.HTTPConfig, o opened, err error) {
	o.reports = anything
	settings := map[string]string{}
	if name := w.cfg.Preset; name != "" {
		p, err := preset.Load(name)
		if err != nil {
			return c, o, err
		}
		if p.Adapter != w.cfg.Adapter {
			return c, o, fmt.Errorf("preset %s is for the adapter %s: want --adapter %s", name, p.Adapter, p.Adapter)
		}
		if c, err = p.Config(w.cfg.Endpoint, w.cfg.Values); err != nil {
			return c, o, err
		}
		settings["preset"] = name
		if o.reports = metric.ReadPassages; p.Answers {
			o.reports = anything
		}
	} else {
		if w.cfg.Endpoint == "" {
			return c, o, fmt.Errorf("adapter %s: no endpoint: want --endpoint URL, or --preset with one of %s",
				w.cfg.Adapter, strings.Join(preset.Names(), ", "))
		}
		c.Endpoint = w.cfg.Endpoint
		c.Values = values(w.cfg.Values)
	}
	if c.Header == nil {
		c.Header = http.Header{}
	}
	for name, v := range w.cfg.HTTP.Headers {
		c.Header.Set(name, v)
	}
	if w.cfg.HTTP.Method != "" {
		c.Method = w.cfg.HTTP.Method
	}
	if c.Send, err = w.send(c.Send); err != nil {
		return c, o, err
	}
	if len(w.cfg.Read) > 0 {
		if c.Read, o.reports, err = w.reads(); err != nil {
			return c, o, err
		}
	}
	c.TopK, c.Secrets, c.Now = w.cfg.TopK, append(c.Secrets, w.secrets...), w.world.Now
	c.TLS, c.Proxy = w.tls(), w.cfg.HTTP.Proxy
	if err := w.reachable(c.Endpoint); err != nil {
		return c, o, err
	}
	if embeds(c) {
		if c.Embedder, err = w.embedder(); err != nil {
			return c, o, err
		}
		settings["embedder"] = c.Embedder.Identity()
	}
	o.info.Endpoint = w.shown("endpoint", c.Endpoint)
	o.info.Settings = w.described(settings)
	o.warnings = append(o.warnings, w.unchecked()...)
	return c, o, nil
}

// embeds reports whether a request holds the embedding of the question.
func embeds(c target.HTTPConfig) bool {
	t, err := template.Parse([]any{c.Send, c.Endpoint})
	return err == nil && slices.Contains(t.Names(), "embedding")
}

func (w *wiring) tls() target.TLS { return TLS(&w.cfg, w.world.Path) }

// TLS gives the certificates of the settings, with the paths of their files.
func TLS(c *config.Config, path func(string) string) target.TLS {
	t := c.HTTP.TLS
	return target.TLS{CA: path(t.CA), Cert: path(t.Cert), Key: path(t.Key), ServerName: t.ServerName, Insecure: t.Insecure}
}

// unchecked warns of a connection that anybody could answer.
func (w *wiring) unchecked() []string {
	if !w.cfg.HTTP.TLS.Insecure {
		return nil
	}
	return []string{"the certificate of the target is not checked (http.tls.insecure)"}
}

func (w *wiring) openOpenAI(context.Context, *selection) (opened, error) {
	c, o, err := w.httpConfig()
	if err != nil {
		return opened{}, err
	}
	if name := w.cfg.OpenAI.KeyEnv; name != "" && c.Header.Get("Authorization") == "" {
		key := w.world.Getenv(name)
		if key == "" {
			return opened{}, fmt.Errorf("openai.key-env: the environment variable %s is not set", name)
		}
		c.Header.Set("Authorization", "Bearer "+key)
		c.Secrets = append(c.Secrets, secret.New(key))
	}
	o.target, err = target.NewOpenAI(target.OpenAIConfig{HTTP: c, Model: w.cfg.OpenAI.Model, System: w.cfg.OpenAI.System})
	o.info.Settings = with(with(o.info.Settings, "model", w.cfg.OpenAI.Model), "system", w.cfg.OpenAI.System)
	return o, err
}

func (w *wiring) openMCP(context.Context, *selection) (o opened, err error) {
	c := target.MCPConfig{
		Endpoint: w.cfg.Endpoint, TLS: w.tls(), Proxy: w.cfg.HTTP.Proxy, Header: http.Header{},
		Dir: w.world.Path(cmp.Or(w.cfg.Dir, ".")), Stderr: w.world.Stderr, Tool: w.cfg.MCP.Tool, Protocol: w.cfg.MCP.Protocol,
		Values: values(w.cfg.Values), TopK: w.cfg.TopK, Sessions: w.cfg.Concurrency, Secrets: w.secrets,
		Version: w.world.Version, Now: w.world.Now,
	}
	if (w.cfg.Endpoint == "") == (w.cfg.Command == "") {
		return o, errors.New(`adapter mcp: want either --endpoint URL, or --command "PROGRAM ARGUMENTS"`)
	}
	for name, v := range w.cfg.HTTP.Headers {
		c.Header.Set(name, v)
	}
	if w.cfg.Endpoint != "" {
		if err := w.reachable(w.cfg.Endpoint); err != nil {
			return o, err
		}
		o.info.Endpoint = w.shown("endpoint", w.cfg.Endpoint)
		o.warnings = append(o.warnings, w.unchecked()...)
	} else {
		if c.Command, err = w.command(); err != nil {
			return o, err
		}
		o.info.Endpoint = w.shown("command", w.cfg.Command)
	}
	if c.Send, err = w.send(nil); err != nil {
		return o, err
	}
	if c.Read, o.reports, err = w.reads(); err != nil {
		return o, err
	}
	if spec := w.sampler(); spec != "" {
		m, err := w.models.Open(spec)
		if err != nil {
			return o, fmt.Errorf("sampler %q: %w", spec, err)
		}
		c.Sampler, c.Base = m.Provider, m.Base
		// A trace comes with every answer that was sampled.
		o.reports |= metric.ReadTrace
		o.info.Settings = with(o.info.Settings, "sampler", spec)
	}
	o.info.Settings = w.described(with(with(o.info.Settings, "tool", c.Tool), "protocol", c.Protocol))
	o.target, err = target.NewMCP(c)
	return o, err
}

// sampler is the model that answers an MCP server's sampling requests: the one
// that is named, else the first judge that is a model.
func (w *wiring) sampler() string {
	if w.cfg.Sampler != "" {
		return w.cfg.Sampler
	}
	if !estimates(w.cfg) {
		return w.cfg.Judges[0]
	}
	return ""
}

// drive finds a path of Windows that has lost its backslashes.
var drive = regexp.MustCompile(`^[A-Za-z]:[^\\/]`)

// command splits the command as a shell would, without expanding anything.
func (w *wiring) command() ([]string, error) {
	words, err := shellquote.Split(w.cfg.Command)
	if err != nil || len(words) == 0 {
		return nil, fmt.Errorf("command %q: want a program and its arguments, quoted as for a shell", w.cfg.Command)
	}
	if drive.MatchString(words[0]) {
		return nil, fmt.Errorf("command %q: a backslash quotes what follows it, which leaves %q: want '…' around a path with backslashes",
			w.cfg.Command, words[0])
	}
	return words, nil
}

func (w *wiring) execConfig() (c target.ExecConfig, o opened, err error) {
	c = target.ExecConfig{
		Dir: w.world.Path(cmp.Or(w.cfg.Dir, ".")), Values: values(w.cfg.Values), TopK: w.cfg.TopK, Processes: w.cfg.Processes,
		Stderr: w.world.Stderr, Secrets: w.secrets, Now: w.world.Now,
	}
	if c.Send, err = w.send(nil); err != nil {
		return c, o, err
	}
	c.Read, o.reports, err = w.reads()
	return c, o, err
}

func (w *wiring) openExec(context.Context, *selection) (opened, error) {
	c, o, err := w.execConfig()
	if err != nil {
		return o, err
	}
	if w.cfg.Command == "" {
		return o, errors.New(`adapter exec: no command: want --command "PROGRAM ARGUMENTS"`)
	}
	if c.Command, err = w.command(); err != nil {
		return o, err
	}
	c.Pipelined, c.Start = w.cfg.Exec.Pipelined, w.cfg.Exec.Start
	if c.Processes == 0 && !c.Pipelined {
		c.Processes = w.cfg.Concurrency
	}
	o.target, err = target.NewExec(c)
	o.info.Endpoint = w.shown("command", w.cfg.Command)
	o.info.Settings = w.described(nil)
	return o, err
}

func (w *wiring) openLangChain(context.Context, *selection) (opened, error) {
	if w.cfg.ChainPath == "" {
		return opened{}, errors.New("adapter langchain: no chain: want --chain-path path/to/rag.py:chain")
	}
	return w.openPython(w.cfg.ChainPath, target.NewLangChain)
}

func (w *wiring) openLlamaIndex(context.Context, *selection) (opened, error) {
	if w.cfg.IndexPath == "" {
		return opened{}, errors.New("adapter llamaindex: no index: want --index-path DIR, or path/to/rag.py:query_engine")
	}
	return w.openPython(w.cfg.IndexPath, target.NewLlamaIndex)
}

func (w *wiring) openPython(path string, open func(python, path string, c target.ExecConfig) (*target.Exec, error)) (opened, error) {
	c, o, err := w.execConfig()
	if err != nil {
		return o, err
	}
	o.target, err = open(w.cfg.Python, path, c)
	o.info.Endpoint = path
	o.info.Settings = w.described(with(nil, "python", w.cfg.Python))
	return o, err
}

// described adds what was set of sending and reading: it can move a number.
func (w *wiring) described(settings map[string]string) map[string]string {
	settings = with(settings, "method", w.cfg.HTTP.Method)
	settings = with(settings, "send", w.shown("send", w.cfg.Send))
	for _, field := range slices.Sorted(maps.Keys(w.cfg.Read)) {
		settings = with(settings, "read "+field, w.cfg.Read[field])
	}
	for _, name := range slices.Sorted(maps.Keys(w.cfg.Values)) {
		settings = with(settings, "value "+name, strings.TrimPrefix(w.shown("value", name+"="+w.cfg.Values[name]), name+"="))
	}
	return settings
}

// shown takes secrets out of the value of a setting that goes into a report: what
// is one by its place or its name, however short, and what is known to be one.
func (w *wiring) shown(key, value string) string {
	if set, err := config.Find(key); err == nil {
		value = set.Shown(value)
	}
	return w.secrets.Scrub(value)
}

// reachable refuses addresses of other machines when the network is forbidden.
func (w *wiring) reachable(endpoint string) error {
	u, err := url.Parse(endpoint)
	if !w.cfg.Offline || err != nil {
		return nil // what is no address is the adapter's to say
	}
	if IsLoopback(u) {
		return nil
	}
	return fmt.Errorf("endpoint %s is on another machine, which --offline forbids", w.shown("endpoint", endpoint))
}

// IsLoopback reports whether an address is on this machine.
func IsLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func values(set map[string]string) map[string]any {
	out := make(map[string]any, len(set))
	for k, v := range set {
		out[k] = v
	}
	return out
}
