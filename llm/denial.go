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
	of map[string]*denied
}

// denied is what is known of one model: the requests that it denied since its last reply.
type denied struct {
	replied bool
	keys    map[string]bool
}

func (d *denials) model(name string) *denied {
	if d.of == nil {
		d.of = map[string]*denied{}
	}
	if d.of[name] == nil {
		d.of[name] = &denied{keys: map[string]bool{}}
	}
	return d.of[name]
}

// replied records a reply of a model.
func (d *denials) replied(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.model(name)
	m.replied = true
	clear(m.keys)
}

// single records that a model denied the request with the key. It reports whether this
// may concern that request alone.
func (d *denials) single(name, key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.model(name)
	m.keys[key] = true
	return m.replied && len(m.keys) < mostDenials
}
