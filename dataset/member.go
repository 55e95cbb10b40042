package dataset

import (
	"fmt"
	"slices"
)

// A member of an object is a part of what the object stands for.
type member struct {
	name string
	// to is where the value goes: a pointer to a text, a truth or a number, a nameOf, or a function.
	to any
	// want is what messages ask for. A member that is needed must be there.
	want   string
	needed bool
}

// A nameOf is where a text goes that may be written as a whole number.
type nameOf struct{ *string }

// fill reads the members of an object. It warns of others, whose names it puts after prefix.
func (r *record) fill(n *node, at, prefix string, members []member) {
	var known []string
	for _, m := range members {
		known = append(known, m.name)
		v, place, ok := present(n, m.name), at+"."+m.name, true
		if v == nil {
			if m.needed {
				r.fail(n, place, "missing", m.want)
			}
			continue
		}
		switch to := m.to.(type) {
		case func(*node):
			to(v)
		case *string:
			*to = r.text(v, place, m.want)
		case nameOf:
			*to.string, ok = idOf(v)
		case *bool:
			yes := r.truth(v, place)
			*to = yes != nil && *yes
		case *int:
			*to, ok = v.whole()
			ok = ok && *to >= 0
		case *float64:
			*to, ok = v.float()
		case **float64:
			*to = new(float64)
			**to, ok = v.float()
		}
		if !ok {
			r.fail(v, place, v.what(), m.want)
		}
	}
	for _, f := range n.fields {
		if !slices.Contains(known, f.name) {
			r.l.warn(r.origin(), prefix+clip(f.name), "unknown field, ignored"+suggest(f.name, known))
		}
	}
}

// present returns a member that exists and is not null.
func present(n *node, name string) *node {
	if v := n.get(name); !v.absent() {
		return v
	}
	return nil
}

// objects calls read with every object of a list and its place, and returns whether there is a list. Other entries are
// reported.
func (r *record) objects(n *node, name, want string, read func(item *node, at string)) bool {
	if n == nil {
		return false
	}
	if n.kind != list {
		r.fail(n, name, n.what(), "a list, each entry "+want)
		return false
	}
	for i, item := range n.items {
		if at := fmt.Sprintf("%s[%d]", name, i); item.kind == object {
			read(item, at)
		} else {
			r.fail(item, at, item.what(), want)
		}
	}
	return true
}
