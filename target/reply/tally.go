package reply

import (
	"fmt"
	"strings"
)

// A tally reads the passages of a list and counts which fields were found, and where.
type tally struct {
	m Mapping
	// base is the path of a passage.
	base string
	// named is set if "document" is a name, and no text.
	named bool
	// paths are the first paths at which the fields were found, found the counts.
	paths map[string]string
	found map[string]int
	// wrong are the fields with an unreadable value.
	wrong map[string]bool
}

// read reads passage i.
func (t *tally) read(r *reader, i int, v any) {
	into := &r.out.Passages[i]
	var in []place
	switch v := v.(type) {
	case nil:
		return
	case string:
		into.Text = v
		t.count(Text, "")
	case map[string]any:
		in = places(v)
	default:
		if !t.wrong[""] {
			t.wrong[""] = true
			r.problem(Passages, at(t.base, i), kindOf(v), "a text or an object (paths of ids alone go under read.id, without read.passages)")
		}
		return
	}
	if in != nil {
		into.Details = details(in)
	}
	for _, field := range columnFields {
		if p, ok := t.m.paths[field]; ok {
			value, found := p.one(v)
			if !found || t.wrong[field] {
				continue
			}
			if !set(into, field, value) {
				t.wrong[field] = true
				r.problem(field+" of passages", below(at(t.base, i), p.text), noText(value), wants[field])
				continue
			}
			t.count(field, p.text)
			continue
		}
		if in == nil {
			continue
		}
		if value, path := find(field, in, t.named); path != nil && set(into, field, value) {
			if t.found[field] == 0 {
				t.paths[field] = below(t.base, keys(path...).text)
			}
			t.found[field]++
		}
	}
}

// count counts a field; rel is its path within the passage.
func (t *tally) count(field, rel string) {
	if t.found[field] == 0 {
		t.paths[field] = below(t.base, rel)
	}
	t.found[field]++
}

// report says where each field was found. Fields that were not found are reported for
// texts and for fields with a path.
func (t *tally) report(r *reader, values []any) {
	for _, field := range columnFields {
		p, given := t.m.paths[field]
		part := field + " of passages"
		switch {
		case t.wrong[field] || t.wrong[""] || len(values) == 0:
		case t.found[field] > 0:
			r.found(part, t.paths[field], "%d of %d", t.found[field], len(values))
		case given:
			r.missing(part, below(t.base, p.text), p.stops(values[0], "a passage"))
		case field == Text:
			r.missing(part, t.base, "nothing under a usual name: "+describe(values[0]))
		}
	}
}

// describe returns the type of a passage, or its keys.
func describe(v any) string {
	return missing(v, "a passage")
}

// below joins a path with a relative one.
func below(base, rel string) string {
	rel = strings.TrimPrefix(strings.TrimPrefix(rel, "$"), ".")
	if rel == "" || strings.HasPrefix(rel, "[") {
		return base + rel
	}
	return fmt.Sprintf("%s.%s", base, rel)
}
