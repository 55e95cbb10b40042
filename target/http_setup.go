package target

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

// An httpStep is one call of the setup.
type httpStep struct {
	name string
	call httpCall
	save map[string]reply.Path
}

// newSteps compiles the setup and returns the placeholder names that it fills.
func (h *HTTP) newSteps(steps []Step) ([]string, error) {
	known := map[string]any{}
	maps.Copy(known, h.values)
	if h.topK >= 1 {
		known[valueTopK] = h.topK
	}
	var saved []string
	for i, s := range steps {
		name := fmt.Sprintf("setup step %d", i+1)
		call, err := newHTTPCall(s.Method, s.Endpoint, s.Send, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		parts := call.names()
		for _, part := range slices.Sorted(maps.Keys(parts)) {
			for _, placeholder := range parts[part] {
				if _, err := template.Find(known, placeholder); err != nil {
					return nil, fmt.Errorf("%s: %s: %w; a setup step runs once and has no case", name, part, err)
				}
			}
		}
		for _, one := range slices.Sorted(maps.Keys(s.Save)) {
			_, given := h.values[one]
			if given || slices.Contains(saved, one) {
				return nil, fmt.Errorf("%s: save: %q has a value already: want another name", name, one)
			}
			if err := checkValues(map[string]any{one: ""}, nil); err != nil {
				return nil, fmt.Errorf("%s: save: %w", name, err)
			}
			saved, known[one] = append(saved, one), ""
		}
		h.steps = append(h.steps, httpStep{name, call, s.Save})
	}
	return saved, nil
}

// setup runs the setup calls unless they have succeeded. One case runs them while the
// others wait; after a failure the next case tries again.
func (h *HTTP) setup(ctx context.Context) (*httpState, *Error) {
	if s := h.state.Load(); s.ready {
		return s, nil
	}
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return nil, &Error{Kind: Timeout, Err: fmt.Errorf("waiting for the setup: %w", ctx.Err())}
	}
	s := h.state.Load()
	if s.ready {
		return s, nil
	}
	next := &httpState{ready: true, saved: map[string]any{}, secrets: slices.Clone(s.secrets)}
	values := maps.Clone(h.values)
	if values == nil {
		values = map[string]any{}
	}
	if h.topK >= 1 {
		values[valueTopK] = h.topK
	}
	for _, step := range h.steps {
		v, fail := h.exchange(ctx, &step.call, values, next.secrets, false)
		if fail == nil {
			fail = step.take(v, next)
		}
		if fail != nil {
			fail.Err = fmt.Errorf("%s: %w", step.name, fail.Err)
			return nil, fail
		}
		maps.Copy(values, next.saved)
		show(ctx, func(x *Exchange) { x.Notes = append(x.Notes, step.note(next)) })
	}
	h.state.Store(next)
	return next, nil
}

// take stores the values from a step's reply.
func (s *httpStep) take(v any, to *httpState) *Error {
	for _, name := range slices.Sorted(maps.Keys(s.save)) {
		path := s.save[name]
		found, ok := path.Find(v)
		switch {
		case !ok || len(found) == 0:
			return Errorf(Reply, "save: nothing at %q in the reply, for {{%s}}", path, name)
		case len(found) == 1:
			to.saved[name] = found[0]
		default:
			to.saved[name] = found
		}
		if text, is := to.saved[name].(string); is && Credential(name) {
			to.secrets = append(to.secrets, secret.New(text))
		}
	}
	return nil
}

// note describes the step for a watcher.
func (s *httpStep) note(state *httpState) string {
	note := fmt.Sprintf("%s: %s %s", s.name, s.call.method, s.call.address.base+s.call.address.path.String())
	for _, name := range slices.Sorted(maps.Keys(s.save)) {
		shown := fmt.Sprint(state.saved[name])
		if Credential(name) {
			shown = "[secret]"
		}
		note += fmt.Sprintf(", %s = %s", name, text.Shorten(shown, 100))
	}
	return state.secrets.Scrub(note)
}
