package reply

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// componentKind matches what the name of a component says that it does: it finds, joins or
// filters documents. The last match counts, as in retriever_filter.
var componentKind = lazyregexp.New(`(?i)^.*(?:(retriev|search|fetch|look_?up|bm25|embed|keyword|semantic|dense|sparse|vector)|` +
	`(join|merg|fus|rrf)|(rank|filter|grad|compress|post_?process|sampl|dedup))`)

// A component is a part of a pipeline that lists documents. Its place is that of its kind in
// a pipeline, from 1; 0 if the name says nothing, and below 0 if it may be one of the searches that another joins.
type component struct {
	name  string
	place int
	ids   []string
}

// after reports whether a component ran after another: its kind comes later, or it kept some
// of the documents of the other.
func (c component) after(o component) bool {
	if c.place != o.place && c.place > 0 && o.place > 0 {
		return c.place > o.place
	}
	return c.place != 1 && c.place >= 0 && len(c.ids) < len(o.ids) && !slices.ContainsFunc(c.ids, func(id string) bool { return !slices.Contains(o.ids, id) })
}

// lastDocuments returns the path of the documents of the component that ran last, of those
// in the object at before. ok is false if none lists documents; the warning says that
// nothing tells which is last.
func lastDocuments(v any, before string) (p Path, warning string, ok bool) {
	var path []string
	all, _ := v.(map[string]any)
	if before != "" {
		path = []string{strings.TrimSuffix(before, ".")}
		all, _ = all[path[0]].(map[string]any)
	}
	var found []component
	var kinds [4]int
	for _, name := range slices.Sorted(maps.Keys(all)) {
		o, _ := all[name].(map[string]any)
		list, isList := o["documents"].([]any)
		if !isList || !readable(list) {
			continue
		}
		c := component{name: name, ids: []string{}}
		if m := componentKind().FindStringSubmatch(name); m != nil {
			c.place = slices.IndexFunc(m[1:], func(s string) bool { return s != "" }) + 1
		}
		for _, d := range list {
			if o, isObject := d.(map[string]any); isObject {
				d = firstOf(o, "id", "content")
			}
			c.ids = append(c.ids, fmt.Sprint(d))
		}
		found = append(found, c)
		kinds[c.place]++
	}
	if kinds[1] < 2 && kinds[2] > 0 {
		for i := range found {
			found[i].place = cmp.Or(found[i].place, -1)
		}
	}
	for _, c := range found {
		rival := slices.IndexFunc(found, func(o component) bool { return o.name != c.name && !slices.Equal(o.ids, c.ids) && !c.after(o) })
		if rival < 0 {
			return keys(append(path, c.name, "documents")...), "", true
		}
		warning = fmt.Sprintf("the components %q and %q list different documents, and nothing says which is last: return those of one of them, "+
			"or set read.passages", found[rival].name, c.name)
	}
	return p, warning, false
}
