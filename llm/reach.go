package llm

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/assay-eval/assay/internal/backoff"
)

// A Reacher is a [Provider], or an [Endpoint], that can find out whether its server is
// there before anything depends on it.
type Reacher interface {
	// Reach returns nil if requests for the model can be expected to succeed, and else
	// the *[Error] that they would meet. It needs a deadline in ctx. slow is set if the
	// server is there but has not said one word by then, as one that loads a model.
	//
	// Nothing is charged if the server lists the model. Only if it does not, the model is
	// asked for one word, of at most 16 tokens: by a client that accounts for it and does not
	// retry; nil asks without.
	Reach(ctx context.Context, model string, by Provider) (slow bool, err error)
}

// Probing is the operation of the word that [Reacher] asks for.
const Probing = "probe"

// reachPause is the time between attempts to reach a server that may be starting.
const reachPause = 500 * time.Millisecond

// Reach implements [Reacher].
func (s *server) Reach(ctx context.Context, model string, by Provider) (slow bool, err error) {
	listed, err := s.list(ctx, model)
	if listed || err != nil {
		return false, err
	}
	word := Request{Operation: Probing, Model: model, MaxTokens: 16, Messages: []Message{{Role: "user", Text: "Reply with the word yes."}}}
	if by == nil {
		by = s
	}
	for {
		_, err := by.Complete(ctx, word)
		var e *Error
		switch {
		case err == nil:
			return false, nil
		case !errors.As(err, &e), e.Kind == KindTimeout:
			// The server is there, or list would have failed.
			return true, nil
		case e.Kind == KindAuth, e.Kind == KindModel:
			return false, err
		case e.Kind != KindServer && e.Kind != KindNetwork:
			// A limit, a refusal, or no text in 16 tokens: the model is there.
			return false, nil
		}
		if backoff.Sleep(ctx, reachPause) != nil {
			return false, err
		}
	}
}

// Reach implements [Reacher]. The server may not list its models, so that any response
// but a rejection of the key means that it is there.
func (e *Endpoint) Reach(ctx context.Context, model string, _ Provider) (slow bool, err error) {
	_, err = e.list(ctx, model)
	return false, err
}

// list reports whether the server lists a model. Any response, an error too, shows that
// the server is there, so that it is an error only if none arrives until ctx is done.
func (t *transport) list(ctx context.Context, model string) (bool, error) {
	var last error
	for {
		listed, err := t.lists(ctx, model)
		if err == nil {
			return listed, nil
		}
		if e := (*Error)(nil); errors.As(err, &e) {
			last = err
		}
		if backoff.Sleep(ctx, reachPause) != nil {
			break
		}
	}
	if last == nil {
		last = t.fail(model, KindTimeout, "no reply from "+t.base.Host)
	}
	return false, last
}

// lists asks for the list of models once.
func (t *transport) lists(ctx context.Context, model string) (bool, error) {
	req, err := t.request(ctx, http.MethodGet, t.protocol.listing, nil)
	if err != nil {
		return false, t.fail(model, KindRequest, "the address cannot be called")
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return false, t.broken(ctx, model, "no reply", err)
	}
	defer resp.Body.Close()
	return ok(resp.StatusCode) && names(io.LimitReader(resp.Body, maxReply), model), nil
}

// names reports whether a list of models has a model, in whatever field: servers call it
// "id", "name" or "model", with "models/" before it or ":latest" behind it.
func names(list io.Reader, model string) bool {
	for d := json.NewDecoder(list); ; {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if name, is := token.(string); is && slices.Contains([]string{model, "models/" + model, model + ":latest"}, name) {
			return true
		}
	}
}
