package llm

import "sync"

// mostDenials is the number of different requests in a row that a model may deny, after
// it has replied, before every further one counts as denied too.
const mostDenials = 5

// denials tells a denial of one request from that of all: content filters answer 403 and
// some proxies 404 or a redirect to a single request, as others do to a wrong key, an
// empty account or an unknown model.
type denials struct {
	mu sync.Mutex
	// of has, for each model that has replied, the requests that it denied since its last reply.
	of map[string]map[string]bool
}

// replied records a reply of a model.
func (d *denials) replied(model string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[string]map[string]bool{}
	}
	d.of[model] = map[string]bool{}
}

// single records that a model denied the request with the key. It reports whether this
// may concern that request alone.
func (d *denials) single(model, key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	denied := d.of[model]
	if denied == nil {
		return false
	}
	denied[key] = true
	return len(denied) < mostDenials
}
