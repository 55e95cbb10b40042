package target

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// A Step is a GET request that is made once, before the first question, and whose reply
// gives values of placeholders.
type Step struct {
	// Endpoint may hold placeholders.
	Endpoint string
	// Save maps placeholder names to paths in the reply.
	Save map[string]reply.Path
}

// An httpStep is one call of the setup.
type httpStep struct {
	name string
	call httpCall
	save map[string]reply.Path
}

// newSteps compiles the setup and returns the placeholder names that it fills.
func (h *HTTP) newSteps(steps []Step) (saved []string, err error) {
	for i, s := range steps {
		step := httpStep{name: fmt.Sprintf("setup step %d", i+1), save: s.Save}
		if step.call, err = newHTTPCall(http.MethodGet, s.Endpoint, nil, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		h.steps = append(h.steps, step)
		saved = slices.AppendSeq(saved, maps.Keys(s.Save))
	}
	return saved, nil
}

// setup returns the values that the setup saves. One case makes its calls while the others
// wait; after a failure the next case tries again.
func (h *HTTP) setup(ctx context.Context) (map[string]any, *Error) {
	if len(h.steps) == 0 {
		return nil, nil
	}
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return nil, &Error{Kind: Timeout, Err: fmt.Errorf("waiting for the setup: %w", ctx.Err())}
	}
	if h.saved != nil {
		return h.saved, nil
	}
	saved, values := map[string]any{}, map[string]any{}
	maps.Copy(values, h.values)
	for _, step := range h.steps {
		v, fail := h.exchange(ctx, &step.call, values, false)
		if fail == nil {
			fail = step.take(v, saved)
		}
		if fail != nil {
			fail.Err = fmt.Errorf("%s: %w", step.name, fail.Err)
			return nil, fail
		}
		maps.Copy(values, saved)
		note := fmt.Sprintf("%s: GET %s, which gives %v", step.name, step.call.address.base+step.call.address.tail.String(), saved)
		show(ctx, func(x *Exchange) { x.Notes = append(x.Notes, text.Shorten(h.secrets.Scrub(note), maxShown)) })
	}
	h.saved = saved
	return saved, nil
}

// take stores the values from a step's reply.
func (s *httpStep) take(v any, saved map[string]any) *Error {
	for _, name := range slices.Sorted(maps.Keys(s.save)) {
		switch found, _ := s.save[name].Find(v); len(found) {
		case 0:
			return Errorf(Reply, "save: nothing at %q in the reply, for {{%s}}", s.save[name], name)
		case 1:
			saved[name] = found[0]
		default:
			saved[name] = found
		}
	}
	return nil
}
