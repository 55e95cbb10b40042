package redact

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/yaml"
)

// A Recogniser finds one kind of data by its form. Those that are built in are in
// recognisers.yaml, which explains the fields.
type Recogniser struct {
	Name string
	// Doc says what is found, and what is not; Source where the form is defined.
	Doc, Source                   string
	Has, Prefixes, Pattern, Field []string
	Digits                        int
	Same                          string

	pattern, field *regexp.Regexp
	// check is nil if all that the pattern finds is data.
	check func(m match) int
}

// A match is what a pattern found in a text, from start to end.
type match struct {
	text       string
	start, end int
	// labelled tells that it is the pattern's group.
	labelled bool
}

//go:embed recognisers.yaml
var recognisersFile []byte

// table returns the tables of recognisers.yaml.
var table = sync.OnceValue(func() (out struct {
	Recognisers []Recogniser
	IBAN        map[string]int
	Cards       []string
	Spaced      string
}) {
	if _, err := yaml.Read("recognisers.yaml", recognisersFile, &out); err != nil {
		panic(err) // the file is embedded, and tests read it
	}
	return out
})

// Recognisers lists the recognisers that are built in, in the order in which they apply.
func Recognisers() []Recogniser { return table().Recognisers }

func recogniserNames() []string {
	var out []string
	for _, r := range Recognisers() {
		out = append(out, r.Name)
	}
	return out
}

// compiled returns a recogniser of the table that is ready to find.
func (r Recogniser) compiled() Recogniser {
	pattern := strings.ReplaceAll(strings.Join(r.Pattern, "|"), "<spaced>", table().Spaced)
	if r.Prefixes != nil {
		pattern += "|(?:" + strings.Join(r.Prefixes, "|") + `)[\w-]{10,}`
		r.Has = slices.Concat(r.Has, r.Prefixes)
	}
	r.pattern, r.check = regexp.MustCompile(pattern), checks[r.Name]
	if r.Field != nil {
		r.field = regexp.MustCompile(strings.Join(r.Field, "|"))
	}
	return r
}

// find returns where the first data at or after from begin and end; start is below 0 if there are none. The ends of the
// text are ends of words.
func (r *Recogniser) find(s string, from int) (start, end int) {
	for from < len(s) {
		at := r.pattern.FindStringSubmatchIndex(s[from:])
		if at == nil || at[0] == at[1] {
			break
		}
		m := match{s, from + at[0], from + at[1], false}
		if r.Pattern != nil && len(at) > 2 && at[2] >= 0 {
			m = match{s, from + at[2], from + at[3], true}
		}
		if r.check == nil {
			return m.start, m.end
		}
		switch end := r.check(m); {
		case end > 0:
			return m.start, end
		case end < 0:
			from = -end
		default:
			from += at[0] + 1
		}
	}
	return -1, -1
}

// mayFind reports whether a text with so many digits may hold data.
func (r *Recogniser) mayFind(text string, digits int) bool {
	return digits >= r.Digits && (r.Has == nil || slices.ContainsFunc(r.Has, func(sign string) bool { return strings.Contains(text, sign) }))
}

// isField reports whether a value is data as a whole, because of the name of its field.
func (r *Recogniser) isField(path, value string) bool {
	return r.field != nil && phoneText().MatchString(value) && isPhone(value) && r.field.MatchString(path[max(0, len(path)-60):])
}

// plain returns the form of data by which equal ones are known.
func (r *Recogniser) plain(data string) string {
	switch r.Same {
	case "lower":
		return strings.ToLower(data)
	case "alphanumeric":
		return alphanumeric(data)
	}
	return data
}
