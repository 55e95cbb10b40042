package llm

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A fallback changes a request that a server rejects. Servers of one protocol, and
// their models, support different parts of it.
type fallback struct {
	name string
	// words identify the rejection: its text, in lower case, contains one of them.
	words []string
	// apply changes the body and reports whether there was anything to change.
	apply func(body map[string]any) bool
	// broken is set if servers also reject the part with status 500.
	broken bool
	// warning tells the user what the request no longer contains.
	warning string
}

// A negotiation remembers the fallbacks that the models of a server need. It is
// safe for concurrent use.
type negotiation struct {
	fallbacks []fallback
	made      sync.Map // has the models and names of those made
}

// ask makes a call. If the server rejects a part of the request that has a fallback,
// ask repeats the call with the fallback applied; a rejected request costs nothing.
// Fallbacks that led to a reply are remembered for the model, and their warnings are
// returned once.
func (g *negotiation) ask(ctx context.Context, t *transport, model string, c call) (answer, []string, error) {
	for _, term := range g.fallbacks {
		if _, made := g.made.Load([2]string{model, term.name}); made {
			term.apply(c.body)
		}
	}
	var found []fallback
	for {
		a, err := t.post(ctx, model, c)
		if err == nil {
			var warnings []string
			for _, f := range found {
				if g.first(model, f.name) {
					warnings = append(warnings, model+": "+f.warning)
				}
			}
			return a, warnings, nil
		}
		var e *Error
		if !errors.As(err, &e) || !refuses(e) {
			return a, nil, err
		}
		if shorten(c.body, e.Message) {
			found = append(found, fallback{name: "room", warning: "has room for shorter replies alone than --judge-max-tokens allows (" + e.Message + ")"})
			continue
		}
		i := slices.IndexFunc(g.fallbacks, func(term fallback) bool {
			return (term.broken || e.Kind == KindRequest) && slices.ContainsFunc(term.words, func(w string) bool {
				return strings.Contains(strings.ToLower(e.Message), w)
			}) && term.apply(c.body)
		})
		if i < 0 {
			return a, nil, err
		}
		// Every fallback removes something from the body, or lowers a limit, so the loop ends.
		used := g.fallbacks[i]
		used.warning += " (" + e.Message + ")"
		found = append(found, used)
	}
}

// refuses reports whether an error may mean that a part of the request is unsupported.
func refuses(e *Error) bool {
	statuses := []int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented, http.StatusInternalServerError}
	return (e.Kind == KindRequest || e.Kind == KindTooLong || e.Kind == KindServer) && slices.Contains(statuses, e.Status)
}

// The words by which servers say how many tokens a reply, or it and the input together, may
// have, and how many the input has.
var (
	mostTokens  = lazyregexp.New(`(?i)(?:at most|less than or equal to|<=|context length (?:is|of)|\d >)\D{0,12}(\d+)`)
	inputTokens = lazyregexp.New("(?i)(\\d+) (?:input tokens|in the messages|tokens from the input|`inputs`)")
)

// shorten lowers the limit of the reply of an OpenAI request to what the server has room for by
// its own words, and reports whether it did.
func shorten(body map[string]any, said string) bool {
	most := mostTokens().FindStringSubmatch(said)
	for _, field := range []string{"max_tokens", "max_completion_tokens"} {
		limit, there := body[field].(int)
		if !there || most == nil {
			continue
		}
		room, _ := strconv.Atoi(most[1])
		if input := inputTokens().FindStringSubmatch(said); input != nil {
			used, _ := strconv.Atoi(input[1])
			room -= used
		}
		if room > 0 && room < limit {
			body[field] = room
			return true
		}
	}
	return false
}

// first records a fallback and reports whether it is new for the model.
func (g *negotiation) first(model, name string) bool {
	_, again := g.made.LoadOrStore([2]string{model, name}, true)
	return !again
}

// Warnings of fallbacks that several protocols share.
const (
	noThinking    = "does not support thinking; the request was sent without it"
	noSchema      = "does not support JSON schemas; only the prompt describes the format of the reply"
	noForm        = "does not support JSON replies; only the prompt describes the format of the reply"
	noTemperature = "does not accept a temperature; its default is used"
	noSeed        = "does not accept a seed"
	noLogprobs    = "does not return log probabilities"
)

// drop returns the fallback that removes a field from the body.
func drop(field, warning string, words ...string) fallback {
	return fallback{name: field, words: append(words, strings.ToLower(field)), warning: warning, apply: func(body map[string]any) bool {
		_, there := body[field]
		delete(body, field)
		return there
	}}
}

// dropLogprobs removes the request for log probabilities.
var dropLogprobs = fallback{name: "logprobs", words: []string{"logprobs", "log probabilities"}, warning: noLogprobs,
	apply: func(body map[string]any) bool {
		_, there := body["logprobs"]
		delete(body, "logprobs")
		delete(body, "top_logprobs")
		return there
	}}

// dropIn is like drop for a field of an object in the body.
func dropIn(object, field, warning string, words ...string) fallback {
	c := drop(field, warning, words...)
	inner := c.apply
	c.apply = func(body map[string]any) bool {
		fields, _ := body[object].(map[string]any)
		return inner(fields)
	}
	return c
}
