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

	"github.com/assay-eval/assay/dataset"
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
func (j *Job) reads() (reply.Mapping, metric.Part, error) {
	m, err := reply.NewMapping(j.cfg.Read)
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
	for field := range j.cfg.Read {
		reports |= parts[strings.ReplaceAll(field, "-", "_")]
	}
	return m, reports, nil
}

func (j *Job) openHTTP(_ context.Context, _ *dataset.Dataset) (opened, error) {
	c, o, err := j.httpConfig()
	if err != nil {
		return opened{}, err
	}
	h, err := target.NewHTTP(c)
	j.target = h
	return o, err
}

// httpConfig gathers what the settings, and a preset, say of a JSON endpoint.
func (j *Job) httpConfig() (c target.HTTPConfig, o opened, err error) {
	o.reports = anything
	settings := map[string]string{}
	if name := j.cfg.Preset; name != "" {
		p, err := preset.Load(name)
		if err != nil {
			return c, o, err
		}
		if p.Adapter != j.cfg.Adapter {
			return c, o, fmt.Errorf("preset %s is for the adapter %s: want --adapter %s", name, p.Adapter, p.Adapter)
		}
		if c, err = p.Config(j.cfg.Endpoint, j.cfg.Values); err != nil {
			return c, o, err
		}
		settings["preset"] = name
		if o.reports = metric.ReadPassages; p.Answers {
			o.reports = anything
		}
	} else {
		if j.cfg.Endpoint == "" {
			return c, o, fmt.Errorf("adapter %s: no endpoint: want --endpoint URL, or --preset with one of %s", j.cfg.Adapter, strings.Join(preset.Names(), ", "))
		}
		c.Endpoint = j.cfg.Endpoint
		c.Values = values(j.cfg.Values)
	}
	if c.Header == nil {
		c.Header = http.Header{}
	}
	for name, v := range j.cfg.HTTP.Headers {
		c.Header.Set(name, v)
	}
	if j.cfg.HTTP.Method != "" {
		c.Method = j.cfg.HTTP.Method
	}
	if c.Send, err = j.send(c.Send); err != nil {
		return c, o, err
	}
	if len(j.cfg.Read) > 0 {
		if c.Read, o.reports, err = j.reads(); err != nil {
			return c, o, err
		}
	}
	c.TopK, c.Secrets, c.Now = j.cfg.TopK, append(c.Secrets, j.secrets...), j.world.Now
	c.TLS, c.Proxy = j.tls(), j.cfg.HTTP.Proxy
	if err := j.reachable(c.Endpoint); err != nil {
		return c, o, err
	}
	if embeds(c) {
		if err := j.openEmbedder(); err != nil {
			return c, o, err
		}
		c.Embedder = j.embed
		settings["embedder"] = j.embed.Identity()
	}
	o.info.Endpoint = j.shown("endpoint", c.Endpoint)
	o.info.Settings = j.described(settings)
	o.warnings = append(o.warnings, j.unchecked()...)
	return c, o, nil
}

// embeds reports whether a request holds the embedding of the question.
func embeds(c target.HTTPConfig) bool {
	t, err := template.Parse([]any{c.Send, c.Endpoint})
	return err == nil && slices.Contains(t.Names(), "embedding")
}

func (j *Job) tls() target.TLS { return TLS(&j.cfg, j.world.Path) }

// TLS gives the certificates of the settings, with the paths of their files.
func TLS(c *config.Config, path func(string) string) target.TLS {
	t := c.HTTP.TLS
	return target.TLS{CA: path(t.CA), Cert: path(t.Cert), Key: path(t.Key), ServerName: t.ServerName, Insecure: t.Insecure}
}

// unchecked warns of a connection that anybody could answer.
func (j *Job) unchecked() []string {
	if !j.cfg.HTTP.TLS.Insecure {
		return nil
	}
	return []string{"the certificate of the target is not checked (http.tls.insecure)"}
}

func (j *Job) openOpenAI(_ context.Context, _ *dataset.Dataset) (opened, error) {
	c, o, err := j.httpConfig()
	if err != nil {
		return opened{}, err
	}
	if name := j.cfg.OpenAI.KeyEnv; name != "" && c.Header.Get("Authorization") == "" {
		key := j.world.Getenv(name)
		if key == "" {
			return opened{}, fmt.Errorf("openai.key-env: the environment variable %s is not set", name)
		}
		c.Header.Set("Authorization", "Bearer "+key)
		c.Secrets = append(c.Secrets, secret.New(key))
	}
	h, err := target.NewOpenAI(target.OpenAIConfig{HTTP: c, Model: j.cfg.OpenAI.Model, System: j.cfg.OpenAI.System})
	j.target = h
	o.info.Settings = with(with(o.info.Settings, "model", j.cfg.OpenAI.Model), "system", j.cfg.OpenAI.System)
	return o, err
}

func (j *Job) openMCP(_ context.Context, _ *dataset.Dataset) (o opened, err error) {
	c := target.MCPConfig{
		Endpoint: j.cfg.Endpoint, TLS: j.tls(), Proxy: j.cfg.HTTP.Proxy, Dir: j.world.Path(cmp.Or(j.cfg.Dir, ".")), Stderr: j.world.Stderr, Tool: j.cfg.MCP.Tool, Protocol: j.cfg.MCP.Protocol,
		Values: values(j.cfg.Values), TopK: j.cfg.TopK, Sessions: j.cfg.Concurrency, Secrets: j.secrets, Version: j.world.Version, Now: j.world.Now, Header: http.Header{},
	}
	if (j.cfg.Endpoint == "") == (j.cfg.Command == "") {
		return o, errors.New(`adapter mcp: want either --endpoint URL, or --command "PROGRAM ARGUMENTS"`)
	}
	for name, v := range j.cfg.HTTP.Headers {
		c.Header.Set(name, v)
	}
	if j.cfg.Endpoint != "" {
		if err := j.reachable(j.cfg.Endpoint); err != nil {
			return o, err
		}
		o.info.Endpoint = j.shown("endpoint", j.cfg.Endpoint)
		o.warnings = append(o.warnings, j.unchecked()...)
	} else {
		if c.Command, err = j.command(); err != nil {
			return o, err
		}
		o.info.Endpoint = j.shown("command", j.cfg.Command)
	}
	if c.Send, err = j.send(nil); err != nil {
		return o, err
	}
	if c.Read, o.reports, err = j.reads(); err != nil {
		return o, err
	}
	if spec := j.sampler(); spec != "" {
		m, err := j.models.Open(spec)
		if err != nil {
			return o, fmt.Errorf("sampler %q: %w", spec, err)
		}
		c.Sampler, c.Base = m.Provider, m.Base
		// A trace comes with every answer that was sampled.
		o.reports |= metric.ReadTrace
		o.info.Settings = with(o.info.Settings, "sampler", spec)
	}
	o.info.Settings = j.described(with(with(o.info.Settings, "tool", c.Tool), "protocol", c.Protocol))
	m, err := target.NewMCP(c)
	j.target = m
	return o, err
}

// sampler is the model that answers an MCP server's sampling requests: the one
// that is named, else the first judge that is a model.
func (j *Job) sampler() string {
	if j.cfg.Sampler != "" {
		return j.cfg.Sampler
	}
	if !estimates(j.cfg) {
		return j.cfg.Judges[0]
	}
	return ""
}

// drive finds a path of Windows that has lost its backslashes.
var drive = regexp.MustCompile(`^[A-Za-z]:[^\\/]`)

// command splits the command as a shell would, without expanding anything.
func (j *Job) command() ([]string, error) {
	words, err := shellquote.Split(j.cfg.Command)
	if err != nil || len(words) == 0 {
		return nil, fmt.Errorf("command %q: want a program and its arguments, quoted as for a shell", j.cfg.Command)
	}
	if drive.MatchString(words[0]) {
		return nil, fmt.Errorf("command %q: a backslash quotes what follows it, which leaves %q: want '…' around a path with backslashes", j.cfg.Command, words[0])
	}
	return words, nil
}

func (j *Job) execConfig() (c target.ExecConfig, o opened, err error) {
	c = target.ExecConfig{
		Dir: j.world.Path(cmp.Or(j.cfg.Dir, ".")), Values: values(j.cfg.Values), TopK: j.cfg.TopK, Processes: j.cfg.Processes,
		Stderr: j.world.Stderr, Secrets: j.secrets, Now: j.world.Now,
	}
	if c.Send, err = j.send(nil); err != nil {
		return c, o, err
	}
	c.Read, o.reports, err = j.reads()
	return c, o, err
}

func (j *Job) openExec(_ context.Context, _ *dataset.Dataset) (opened, error) {
	c, o, err := j.execConfig()
	if err != nil {
		return o, err
	}
	if j.cfg.Command == "" {
		return o, errors.New(`adapter exec: no command: want --command "PROGRAM ARGUMENTS"`)
	}
	if c.Command, err = j.command(); err != nil {
		return o, err
	}
	c.Pipelined, c.Start = j.cfg.Exec.Pipelined, j.cfg.Exec.Start
	if c.Processes == 0 && !c.Pipelined {
		c.Processes = j.cfg.Concurrency
	}
	e, err := target.NewExec(c)
	j.target = e
	o.info.Endpoint = j.shown("command", j.cfg.Command)
	o.info.Settings = j.described(nil)
	return o, err
}

func (j *Job) openLangChain(_ context.Context, _ *dataset.Dataset) (opened, error) {
	if j.cfg.ChainPath == "" {
		return opened{}, errors.New("adapter langchain: no chain: want --chain-path path/to/rag.py:chain")
	}
	return j.openPython(j.cfg.ChainPath, target.NewLangChain)
}

func (j *Job) openLlamaIndex(_ context.Context, _ *dataset.Dataset) (opened, error) {
	if j.cfg.IndexPath == "" {
		return opened{}, errors.New("adapter llamaindex: no index: want --index-path DIR, or path/to/rag.py:query_engine")
	}
	return j.openPython(j.cfg.IndexPath, target.NewLlamaIndex)
}

func (j *Job) openPython(path string, open func(python, path string, c target.ExecConfig) (*target.Exec, error)) (opened, error) {
	c, o, err := j.execConfig()
	if err != nil {
		return o, err
	}
	e, err := open(j.cfg.Python, path, c)
	j.target = e
	o.info.Endpoint = path
	o.info.Settings = j.described(with(nil, "python", j.cfg.Python))
	return o, err
}

// described adds what was set of sending and reading: it can move a number.
func (j *Job) described(settings map[string]string) map[string]string {
	settings = with(settings, "method", j.cfg.HTTP.Method)
	settings = with(settings, "send", j.shown("send", j.cfg.Send))
	for _, field := range slices.Sorted(maps.Keys(j.cfg.Read)) {
		settings = with(settings, "read "+field, j.cfg.Read[field])
	}
	for _, name := range slices.Sorted(maps.Keys(j.cfg.Values)) {
		settings = with(settings, "value "+name, strings.TrimPrefix(j.shown("value", name+"="+j.cfg.Values[name]), name+"="))
	}
	return settings
}

// shown takes secrets out of the value of a setting that goes into a report: what
// is one by its place or its name, however short, and what is known to be one.
func (j *Job) shown(key, value string) string {
	if set, err := config.Find(key); err == nil {
		value = set.Shown(value)
	}
	return j.secrets.Scrub(value)
}

// reachable refuses addresses of other machines when the network is forbidden.
func (j *Job) reachable(endpoint string) error {
	u, err := url.Parse(endpoint)
	if !j.cfg.Offline || err != nil {
		return nil // what is no address is the adapter's to say
	}
	if IsLoopback(u) {
		return nil
	}
	return fmt.Errorf("endpoint %s is on another machine, which --offline forbids", j.shown("endpoint", endpoint))
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
