package upload

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// A Probe asks a system whether a state has been reached, such as that all documents
// are indexed.
type Probe struct {
	call  Call
	terms []term
	kind  string
}

// A term is a condition on one value of the reply.
type term struct {
	path reply.Path
	op   string
	want string
}

// operators are the operators of a condition, longer ones before their prefixes.
var operators = []string{">=", "<=", "!=", "=", ">", "<"}

// ParseProbe parses a probe: a call, and one or more conditions on the reply that must
// all be true: "https://host/status state=ready", "tool:nc_get_vector_sync_status
// status=idle indexed_count>=5183". An address that begins with "/" is on the system's
// host, and one before tool:NAME is that of an MCP server. In a condition "{{documents}}" stands
// for the number of documents.
func ParseProbe(s, kind string, documents int) (Probe, error) {
	words := strings.Fields(s)
	if len(words) < 2 {
		return Probe{}, fmt.Errorf("%q: expected an address or tool:NAME, and then a condition such as status=idle", s)
	}
	server := ""
	if strings.HasPrefix(words[0], "http") && strings.HasPrefix(words[1], toolPrefix) && len(words) > 2 {
		server, kind, words = words[0], KindMCP, words[1:]
	}
	call, err := parseProbed(words[0], kind)
	if err != nil {
		return Probe{}, fmt.Errorf("%q: %w", s, err)
	}
	call.Address = cmp.Or(server, call.Address)
	p := Probe{call: call, kind: kind}
	for _, w := range words[1:] {
		t, err := parseTerm(strings.ReplaceAll(w, "{{documents}}", strconv.Itoa(documents)))
		if err != nil {
			return Probe{}, err
		}
		p.terms = append(p.terms, t)
	}
	return p, nil
}

func parseTerm(s string) (term, error) {
	at, op := len(s), ""
	for _, o := range operators {
		if i := strings.Index(s, o); i >= 0 && i < at {
			at, op = i, o
		}
	}
	if op == "" || at == 0 {
		return term{}, fmt.Errorf("condition %q: expected PATH=VALUE, or another of %s", s, strings.Join(operators, " "))
	}
	path, err := reply.ParsePath(s[:at])
	if err != nil {
		return term{}, fmt.Errorf("condition %q: %w", s, err)
	}
	t := term{path, op, s[at+len(op):]}
	if strings.ContainsAny(op, "<>") {
		if _, err := strconv.ParseFloat(t.want, 64); err != nil {
			return term{}, fmt.Errorf("condition %q: expected a number after %q", s, op)
		}
	}
	return t, nil
}

// holds reports whether a condition is true, and the value it found.
func (t term) holds(v any) (ok bool, is string) {
	found, there := t.path.Find(v)
	if !there || len(found) != 1 {
		return false, "nothing"
	}
	is, isScalar := scalar(found[0])
	if !isScalar {
		data, _ := json.Marshal(found[0]) // decoded JSON can be encoded
		return false, text.Shorten(string(data), 60)
	}
	order := cmp.Compare(is, t.want)
	a, errA := strconv.ParseFloat(is, 64)
	b, errB := strconv.ParseFloat(t.want, 64)
	if errA == nil && errB == nil {
		order = cmp.Compare(a, b)
	} else if strings.ContainsAny(t.op, "<>") {
		return false, is
	}
	switch t.op {
	case "=":
		ok = order == 0
	case "!=":
		ok = order != 0
	case ">=":
		ok = order >= 0
	case "<=":
		ok = order <= 0
	case ">":
		ok = order > 0
	case "<":
		ok = order < 0
	}
	return ok, is
}

// Server returns the address of the MCP server to ask; "" if the system is asked.
func (p Probe) Server() string {
	if p.call.Tool == "" {
		return ""
	}
	return p.call.Address
}

// state returns the values that the conditions found, and whether all are true.
func (p Probe) state(v any) (all bool, state string) {
	all = true
	var parts []string
	for _, t := range p.terms {
		ok, is := t.holds(v)
		all = all && ok
		parts = append(parts, t.path.String()+" "+is)
	}
	return all, strings.Join(parts, ", ")
}

func (p Probe) String() string {
	s := p.call.String()
	for _, t := range p.terms {
		s += " " + t.path.String() + t.op + t.want
	}
	return s
}

// Waiting describes how a probe is repeated.
type Waiting struct {
	// Timeout bounds the whole wait, Call one call; 0 means unlimited.
	Timeout, Call time.Duration
	// Progress receives what the probe found. May be nil.
	Progress func(state string, waited time.Duration)
	Secrets  secret.Set
	Now      func() time.Time
	// Sleep is as in [Config].
	Sleep func(ctx context.Context, d time.Duration) error
}

// The wait between two probes grows from the first to the second value.
const (
	firstProbe = time.Second
	lastProbe  = 15 * time.Second
)

// A LateError is returned if the conditions of a probe were not met in time.
type LateError struct {
	Probe Probe
	After time.Duration
	// Last is the last state found.
	Last string
}

func (e *LateError) Error() string {
	return fmt.Sprintf("%s is not true after %v: %s", e.Probe, e.After, e.Last)
}

// Wait repeats the probe until its conditions are true, and returns the state. A
// temporary failure is repeated too; a permanent failure, a reply that says "failed", the end of the time
// (*[LateError]) and the end of ctx are errors.
func (p Probe) Wait(ctx context.Context, s Sink, w Waiting) (state string, err error) {
	if w.Sleep == nil {
		w.Sleep = backoff.Sleep
	}
	start := w.Now()
	for wait := firstProbe; ; wait = min(wait*3/2, lastProbe) {
		ok, state, err := p.ask(ctx, s, w)
		waited := w.Now().Sub(start)
		switch {
		case err != nil:
			return "", err
		case ok:
			return state, nil
		case w.Timeout > 0 && waited >= w.Timeout:
			return "", &LateError{p, w.Timeout, state}
		}
		if w.Progress != nil {
			w.Progress(state, waited)
		}
		if w.Timeout > 0 {
			wait = min(wait, w.Timeout-waited)
		}
		if err := w.Sleep(ctx, wait); err != nil {
			return "", err
		}
	}
}

// ask probes once. A temporary failure is a state.
func (p Probe) ask(ctx context.Context, s Sink, w Waiting) (ok bool, state string, err error) {
	bounded := ctx
	if w.Call > 0 {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeout(ctx, w.Call)
		defer cancel()
	}
	v, err := s.Do(bounded, p.call)
	var known *target.Error
	switch {
	case ctx.Err() != nil:
		return false, "", ctx.Err()
	case err == nil:
		ok, state := p.state(v)
		if o, _ := v.(map[string]any); !ok && (o["status"] == "failed" || o["state"] == "failed") {
			_, says := reply.Failed(o)
			return false, "", fmt.Errorf("%s: the system says that it failed: %s", p.call, w.Secrets.Scrub(cmp.Or(says, state)))
		}
		return ok, w.Secrets.Scrub(state), nil
	case errors.Is(err, context.DeadlineExceeded):
		return false, "no response in time", nil
	case isTransient(err, &known):
		return false, w.Secrets.Scrub(err.Error()), nil
	}
	return false, "", fmt.Errorf("%s: %s", p.call, w.Secrets.Scrub(err.Error()))
}

// Trigger makes a call once, with retries, such as one that starts indexing.
func Trigger(ctx context.Context, cfg Config, c Call) error {
	err := newUpload(ctx, cfg).try(ctx, 0, func(ctx context.Context, _ bool) error {
		_, err := cfg.Sink.Do(ctx, c)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", c, err)
	}
	return nil
}
