package web

import (
	"encoding/base64"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/query"
)

// values are the parameters of an address.
type values struct{ url.Values }

// valuesOf returns the parameters of an address. Boxes of a form that share a name are one
// parameter with commas.
func valuesOf(all url.Values) values {
	out := url.Values{}
	for name, list := range all {
		out.Set(name, strings.Join(list, ","))
	}
	return values{out}
}

// mostPages bounds the number of a page, so that the place of its first row is a number, too.
const mostPages = 1 << 20

// number returns a parameter that counts from 1; anything else is 1.
func (v values) number(name string) int {
	n, err := strconv.Atoi(v.Get(name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, mostPages)
}

// with returns the query of an address with some parameters changed, as pairs of names and
// values; "" leaves a parameter out. The number of the page is left out unless it is given.
func (v values) with(pairs ...string) string {
	out := maps.Clone(v.Values)
	if out == nil {
		out = url.Values{}
	}
	out.Del("page")
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			out.Del(pairs[i])
		} else {
			out.Set(pairs[i], pairs[i+1])
		}
	}
	for name, all := range out {
		if len(all) == 0 || all[0] == "" {
			delete(out, name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "?" + out.Encode()
}

// only returns the parameters with the given names.
func (v values) only(names ...string) values {
	out := url.Values{}
	for _, name := range names {
		if v.Get(name) != "" {
			out.Set(name, v.Get(name))
		}
	}
	return values{out}
}

// hidden returns parameters as fields of a form that are not shown.
func (v values) hidden(names ...string) (out []option) {
	for _, name := range names {
		if value := v.Get(name); value != "" {
			out = append(out, option{Value: value, Text: name})
		}
	}
	return out
}

func runAddress(run string) string { return "/runs/" + url.PathEscape(run) }

func casesAddress(run string) string { return runAddress(run) + "/cases" }

// filterAddress is the address of the cases of a run that a filter selects.
func filterAddress(run, filter string) string {
	return casesAddress(run) + values{}.with("q", filter)
}

// caseAddress is the address of a case in a list of cases.
func caseAddress(run, id string, list values) string {
	return casesAddress(run) + "/" + caseSegment(id) + list.only("q", "sort").with()
}

// coded begins the segment of an id that cannot stand in a path as it is.
const coded = "~"

// caseSegment returns the id of a case as a segment of a path. Browsers resolve "." and
// "..", and servers refuse control characters.
func caseSegment(id string) string {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	if id == "" || id == "." || id == ".." || strings.HasPrefix(id, coded) || strings.ContainsFunc(id, control) {
		return coded + base64.RawURLEncoding.EncodeToString([]byte(id))
	}
	return url.PathEscape(id)
}

// CaseOf returns the id of a segment that a path was split into: [caseSegment] reversed.
func CaseOf(segment string) string {
	if rest, ok := strings.CutPrefix(segment, coded); ok {
		if id, err := base64.RawURLEncoding.DecodeString(rest); err == nil {
			return string(id)
		}
	}
	return segment
}

// narrowed returns a filter with one more term.
func narrowed(q query.Query, name, value string) string {
	return q.With(query.Term(name, ":", value)).String()
}
