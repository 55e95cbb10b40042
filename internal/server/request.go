package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
)

// A runRequest starts a run. It is stored with the run, so that the next server
// can continue it.
type runRequest struct {
	Config  settingsObject `json:"config,omitempty" doc:"settings by the keys of the configuration file" example:"{\"top-k\": 5}"`
	Dataset string         `json:"dataset,omitempty" maxLength:"128" doc:"dataset: an upload, or a file of the server" example:"rivers.jsonl"`
	Target  string         `json:"target,omitempty" maxLength:"128" doc:"a configured target; default: the server's settings" example:"slow"`
	Name    string         `json:"name,omitempty" maxLength:"128" doc:"label of the run in reports" example:"nightly"`
}

// A keptRequest is a request as stored with its run.
type keptRequest struct {
	runRequest
	// Elsewhere is set when the command line started the run; its settings are in
	// the run's header only.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Deaths counts the servers in a row that died while they worked on the run and its number
	// of records was Done.
	Deaths int `json:"deaths,omitempty"`
	Done   int `json:"done,omitempty"`
}

// defaultTarget names the server's own settings as a target.
const defaultTarget = "default"

// modelSettings name models as PROVIDER:MODEL.
var modelSettings = config.Keys(func(s config.Setting) bool { return s.Model })

// fileSettings name files and folders of the server.
var fileSettings = config.Keys(func(s config.Setting) bool { return s.File })

// maxConcurrency and maxRepeat are the largest concurrency and repeat that a request
// may set. A thousand repetitions give the noise to three digits.
const (
	maxConcurrency = 64
	maxRepeat      = 1000
	// minRate is the lowest rate, in questions per second: a run holds the place of others.
	minRate = 0.1
)

// settle returns the settings of a requested run. The error is a problem that lists
// every mistake.
func (s *Server) settle(ctx context.Context, q runRequest) (*config.Resolved, error) {
	r, err := s.cfg.Settings.Clone()
	if err != nil {
		return nil, err
	}
	if err := s.checkTarget(q.Target); err != nil {
		return nil, err
	}
	if q.Target != "" && q.Target != defaultTarget {
		if err := r.Apply(q.Target); err != nil {
			return nil, wrong("body.target", r.Secrets().Scrub(err.Error()), q.Target)
		}
	}
	asked, mistakes := config.Request(q.Config)
	var problems []*huma.ErrorDetail
	for _, at := range slices.Sorted(maps.Keys(mistakes)) {
		problems = append(problems, &huma.ErrorDetail{Location: "body.config." + at, Message: mistakes[at].Error()})
	}
	for _, a := range asked {
		if err := s.permit(a); err != nil {
			problems = append(problems, &huma.ErrorDetail{Location: "body.config." + a.At, Message: err.Error(), Value: a.Value})
			continue
		}
		if err := r.Set(a.Key, a.Value, config.FromFlag, "request"); err != nil {
			problems = append(problems, &huma.ErrorDetail{Location: "body.config." + a.At, Message: err.Error(), Value: a.Value})
		}
	}
	for key, v := range map[string]string{"dataset": q.Dataset, "name": q.Name} {
		if strings.ContainsFunc(v, unicode.IsControl) {
			problems = append(problems, &huma.ErrorDetail{Location: "body." + key, Message: "expected text without control characters", Value: v})
		} else if v != "" {
			if err := r.Set(key, v, config.FromFlag, "request"); err != nil {
				problems = append(problems, &huma.ErrorDetail{Location: "body." + key, Message: err.Error(), Value: v})
			}
		}
	}
	problems = append(problems, s.foresee(ctx, r, q)...)
	if problems != nil {
		return nil, wrongs(problems...)
	}
	// The server has its own store, and reports are written on request.
	return r, r.Imply()
}

// permit returns the reason why a request may not set a setting to a value, or nil.
func (s *Server) permit(a config.Requested) error {
	key := a.Setting.Key
	n, notNumber := strconv.ParseFloat(a.Value, 64)
	if !a.Setting.Request {
		settable := config.Keys(func(s config.Setting) bool { return s.Request })
		return fmt.Errorf("%s is the server's alone: a request may set %s", key, strings.Join(settable, ", "))
	}
	switch {
	case strings.ContainsFunc(a.Value, unicode.IsControl):
		return errors.New("expected text without control characters")
	case slices.Contains(modelSettings, key):
		return s.permitModels(key, a.Value)
	case key == "endpoint" && !s.permitsEndpoint(a.Value):
		return fmt.Errorf("this address is not allowed: expected one of %s", quoted(s.cfg.Endpoints))
	case key == "name" && len(a.Value) > 128:
		return errors.New("expected at most 128 bytes")
	case notNumber != nil: // the setting says what it wants
	case key == "concurrency" && n > maxConcurrency:
		return fmt.Errorf("expected at most %d", maxConcurrency)
	case key == "rate" && n > 0 && n < minRate:
		return fmt.Errorf("rate must be 0 (no limit) or at least %g questions per second", minRate)
	case key == "repeat" && n > maxRepeat:
		return fmt.Errorf("expected at most %d", maxRepeat)
	case key == "max-cost" && s.cfg.Settings.MaxCost > 0 && (n == 0 || n > s.cfg.Settings.MaxCost):
		return fmt.Errorf("expected at most %g, which is the server's", s.cfg.Settings.MaxCost)
	}
	return nil
}

// permitModels rejects models of providers that the server's settings do not use:
// the operator may not have meant their address or key to be used.
func (s *Server) permitModels(key, value string) error {
	providers, exact := s.providers()
	for spec := range strings.SplitSeq(value, ",") {
		spec = strings.TrimSpace(spec)
		name, _, isModel := strings.Cut(spec, ":")
		switch {
		case slices.Contains(exact, spec), !isModel && name != "fake":
			// A keyword of the setting, such as offline, which the setting validates.
		case name == "fake" || !slices.Contains(providers, name):
			return fmt.Errorf(
				"%s %q: provider not configured: expected PROVIDER:MODEL with one of %s, or %s", key, spec, quoted(providers),
				quoted(append([]string{"offline"}, exact...)),
			)
		}
	}
	return nil
}

// providers returns the names of the providers that requests may use, and the models
// exactly as the settings name them: a model of the fake provider is a script file,
// and no request may name another file.
func (s *Server) providers() (names, exact []string) {
	c := s.cfg.Settings.Config
	names = slices.Collect(maps.Keys(c.Providers))
	for _, key := range modelSettings {
		for spec := range strings.SplitSeq(s.cfg.Settings.Get(key), ",") {
			name, _, ok := strings.Cut(strings.TrimSpace(spec), ":")
			if !ok && name != "fake" {
				continue
			}
			exact = append(exact, strings.TrimSpace(spec))
			if name != "fake" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	slices.Sort(exact)
	return slices.Compact(names), slices.Compact(exact)
}

// permitsEndpoint reports whether requests may use an address: one of the list, or
// a path below one of them.
func (s *Server) permitsEndpoint(address string) bool {
	return slices.ContainsFunc(append(slices.Clone(s.cfg.Endpoints), s.cfg.Settings.Endpoint), func(allowed string) bool {
		allowed = strings.TrimRight(allowed, "/")
		if allowed == "" {
			return false
		}
		rest, ok := strings.CutPrefix(address, allowed)
		if !ok || rest != "" && rest[0] != '/' && rest[0] != '?' || strings.ContainsAny(rest, "@\\#") {
			return false
		}
		// An escaped ".." also leads to the parent, even if it is escaped twice.
		for range 3 {
			if strings.Contains(rest, "..") || strings.ContainsRune(rest, '\\') {
				return false
			}
			plain, err := url.PathUnescape(rest)
			if err != nil {
				return false
			}
			rest = plain
		}
		return true
	})
}

// ownPath reports whether a client's name equals a path in the server's settings. It
// would be resolved as that path.
func (s *Server) ownPath(r *config.Resolved, name string) bool {
	for _, key := range fileSettings {
		if r.Origins[key] != "request" && r.Get(key) == name {
			return true
		}
	}
	return slices.ContainsFunc(modelSettings, func(key string) bool {
		return slices.ContainsFunc(strings.Split(r.Get(key), ","), func(spec string) bool { return strings.TrimSpace(spec) == "fake:"+name })
	})
}

// foresee returns the mistakes that would make the run fail before its first case.
func (s *Server) foresee(ctx context.Context, r *config.Resolved, q runRequest) []*huma.ErrorDetail {
	var problems []*huma.ErrorDetail
	at := func(key string) string {
		if key == "dataset" && q.Dataset != "" {
			return "body.dataset"
		}
		return "body.config." + key
	}
	add := func(key, message string, value any) {
		problems = append(problems, &huma.ErrorDetail{Location: at(key), Message: message, Value: value})
	}
	if r.Dataset == "" {
		add("dataset", "no dataset: expected the name of one (GET /api/v1/datasets lists them)", nil)
	} else if r.Origins["dataset"] == "request" {
		if _, err := s.findDataset(ctx, r.Dataset); err != nil {
			add("dataset", err.Error(), r.Dataset)
		} else if s.ownPath(r, r.Dataset) {
			add("dataset", "a file in the server's own settings has this name; use a dataset with another name", r.Dataset)
		}
	}
	if r.Baseline != "" && r.Origins["baseline"] == "request" {
		if _, err := s.findBaseline(ctx, r.Baseline); err != nil {
			add("baseline", "no such baseline (GET /api/v1/baselines lists them)", r.Baseline)
		} else if s.ownPath(r, r.Baseline) {
			add("baseline", "a file in the server's own settings has this name; use a baseline with another name", r.Baseline)
		}
	}
	if r.Origins["profile"] == "request" {
		if _, err := s.profiles().Profile(ctx, r.Profile); err != nil {
			add("profile", err.Error(), r.Profile)
		}
	}
	if r.Pipelined() {
		if err := wire.CheckChunks(r.Config); err != nil {
			add("chunk.overlap", err.Error(), r.Chunk.Overlap)
		}
	}
	for _, name := range r.Metrics {
		if _, err := wire.Metrics(r.Config, nil).Parse(name); err != nil {
			add("metrics", err.Error(), name)
		}
	}
	for _, rule := range r.Gate.Rules {
		if _, err := gate.ParseRule(rule); err != nil {
			add("gate.rules", err.Error(), rule)
		}
	}
	return problems
}

// targetNames lists the targets.
func (s *Server) targetNames() []string {
	return append([]string{defaultTarget}, s.cfg.Settings.Named()...)
}

// quoted formats words for a message.
func quoted(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return fmt.Sprintf("%q", words)
}

// A settingsObject is an object of settings in a request. It keeps numbers as
// written.
type settingsObject map[string]any

// Schema is that of any object: an error of its own lists the keys.
func (settingsObject) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Description: "value of the setting of this key"}}
}

// UnmarshalJSON keeps numbers as written.
func (o *settingsObject) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode((*map[string]any)(o))
}
