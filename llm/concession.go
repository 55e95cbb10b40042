package llm

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A concession is a part of a request that servers which speak the protocol may
// refuse for some of their models, and what is sent without it.
type concession struct {
	name string
	// words are in the text of the refusal, any of them, in lower case.
	words []string
	// yield changes the body and reports whether there was anything to change.
	yield func(body map[string]any) bool
	// warning tells what the reply now lacks.
	warning string
}

// An agreement is what a server takes of the protocol, learnt from what it
// refused, for each model. It is safe for concurrent use.
type agreement struct {
	terms []concession

	mu   sync.Mutex
	made map[string]bool // by model and name
}

// ask makes a call. When the server refuses a part of the request that there is
// a concession for, the call is made once more with it; a refused request costs
// nothing. A concession that led to a reply is remembered for the model, and
// the call that found it gets its warning, so that each is given once.
func (g *agreement) ask(ctx context.Context, t *transport, model string, c call) (answer, []string, error) {
	for _, term := range g.terms {
		if g.has(model, term) {
			term.yield(c.body)
		}
	}
	var found []concession
	var reasons []string
	for {
		a, err := t.post(ctx, model, c)
		if err == nil {
			return a, g.remember(model, found, reasons), nil
		}
		var e *Error
		if !errors.As(err, &e) || !refuses(e) {
			return a, nil, err
		}
		i := slices.IndexFunc(g.terms, func(term concession) bool {
			return slices.ContainsFunc(term.words, func(w string) bool {
				return strings.Contains(strings.ToLower(e.Message), w)
			}) && term.yield(c.body)
		})
		if i < 0 {
			return a, nil, err
		}
		// Every concession takes something out that is not put back, so this
		// ends.
		found, reasons = append(found, g.terms[i]), append(reasons, e.Message)
	}
}

// refuses reports whether an error may be about a part of the request.
func refuses(e *Error) bool {
	return e.Kind == KindRequest && (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity || e.Status == http.StatusNotImplemented)
}

func (g *agreement) has(model string, c concession) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.made[model+"\x00"+c.name]
}

func (g *agreement) remember(model string, found []concession, reasons []string) []string {
	var warnings []string
	for i, c := range found {
		if g.first(model, c.name) {
			warnings = append(warnings, model+": "+c.warning+" ("+reasons[i]+")")
		}
	}
	return warnings
}

// first notes a concession and reports whether it is new.
func (g *agreement) first(model, name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	id := model + "\x00" + name
	if g.made[id] {
		return false
	}
	if g.made == nil {
		g.made = map[string]bool{}
	}
	g.made[id] = true
	return true
}

// Warnings of concessions that several protocols make.
const (
	noThinking    = "does not think: it is not asked to"
	noSchema      = "takes no JSON schema: only the prompt asks for the form"
	noForm        = "takes no form of the reply, not even JSON: only the prompt asks for it"
	noTemperature = "takes no temperature: its own is used"
	noSeed        = "takes no seed"
)

// drop makes a concession of leaving a field out.
func drop(field, warning string, words ...string) concession {
	return concession{name: field, words: append(words, strings.ToLower(field)), warning: warning, yield: func(body map[string]any) bool {
		_, there := body[field]
		delete(body, field)
		return there
	}}
}

// dropIn is drop for a field of an object in the body.
func dropIn(object, field, warning string, words ...string) concession {
	c := drop(field, warning, words...)
	inner := c.yield
	c.yield = func(body map[string]any) bool {
		fields, _ := body[object].(map[string]any)
		return inner(fields)
	}
	return c
}
