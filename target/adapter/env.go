package adapter

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// reads gives the mapping of replies, and what a target that is read so reports.
func (e *Env) reads() (reply.Mapping, metric.Part, error) {
	m, err := reply.NewMapping(e.Read)
	if err != nil || m.Empty() {
		return m, Anything, err
	}
	parts := map[string]metric.Part{
		reply.Answer: metric.ReadAnswer, reply.Delta: metric.ReadAnswer, reply.Passages: metric.ReadPassages, reply.Text: metric.ReadPassages,
		reply.Document: metric.ReadPassages, reply.ID: metric.ReadPassages, reply.Source: metric.ReadPassages,
		// The passages of a stage stand in for those of the response.
		reply.Stages: metric.ReadTrace | metric.ReadPassages, reply.Retrieved: metric.ReadTrace | metric.ReadPassages,
		reply.Filtered:   metric.ReadTrace | metric.ReadPassages,
		reply.Transcript: metric.ReadTrace, reply.SubQuestions: metric.ReadTrace, reply.Prompted: metric.ReadTrace,
	}
	var reports metric.Part
	for field := range e.Read {
		reports |= parts[strings.ReplaceAll(field, "-", "_")]
	}
	return m, reports, nil
}

// send reads the template of what is sent: the one of the settings, else the
// other.
func (e *Env) send(otherwise any) (v any, err error) {
	if e.Send == "" {
		return otherwise, nil
	}
	if err := json.Unmarshal([]byte(e.Send), &v); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	return v, nil
}

// TLSConfig gives the certificates of the settings, with the paths of their
// files.
func (s *Settings) TLSConfig(path func(string) string) target.TLS {
	t := s.HTTP.TLS
	t.CA, t.Cert, t.Key = path(t.CA), path(t.Cert), path(t.Key)
	return t
}

// Header gives the headers of the settings.
func (s *Settings) Header() http.Header {
	header := http.Header{}
	for name, v := range s.HTTP.Headers {
		header.Set(name, v)
	}
	return header
}

// unchecked warns of a connection that anybody could answer.
func (e *Env) unchecked() []string {
	if !e.HTTP.TLS.Insecure {
		return nil
	}
	return []string{"the certificate of the target is not checked (http.tls.insecure)"}
}

// drive finds a path of Windows that has lost its backslashes.
var drive = lazyregexp.New(`^[A-Za-z]:[^\\/]`)

// command splits the command as a shell would, without expanding anything.
func (s *Settings) command() ([]string, error) {
	words, err := process.Words(s.Command)
	if err != nil {
		return nil, err
	}
	if drive().MatchString(words[0]) {
		return nil, fmt.Errorf("command %q: a backslash quotes what follows it, which leaves %q; put '…' around a path with backslashes",
			s.Command, words[0])
	}
	return words, nil
}

// described adds what was set of sending and reading: it can move a number.
func (e *Env) described(settings map[string]string) map[string]string {
	settings = With(settings, "method", e.HTTP.Method)
	settings = With(settings, "send", e.Shown("send", e.Send))
	for _, field := range slices.Sorted(maps.Keys(e.Read)) {
		settings = With(settings, "read "+field, e.Read[field])
	}
	for _, name := range slices.Sorted(maps.Keys(e.Values)) {
		settings = With(settings, "value "+name, strings.TrimPrefix(e.Shown("value", name+"="+e.Values[name]), name+"="))
	}
	return settings
}

// reachable refuses addresses of other machines when the network is forbidden.
func (e *Env) reachable(endpoint string) error {
	u, err := url.Parse(endpoint)
	if !e.Offline || err != nil {
		return nil // what is no address is the adapter's to say
	}
	if IsLoopback(u) {
		return nil
	}
	return fmt.Errorf("endpoint %s is on another machine, which --offline forbids", e.Shown("endpoint", endpoint))
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

// With adds a setting that is not empty to the description of a target.
func With(settings map[string]string, key, value string) map[string]string {
	if value == "" {
		return settings
	}
	if settings == nil {
		settings = map[string]string{}
	}
	settings[key] = value
	return settings
}
