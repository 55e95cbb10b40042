// Package profile holds the prompts of the built-in pipeline as templates that
// users may change: eight to a profile, one for each step. A profile has a name
// and a hash; A, B and C come with the program.
//
// A template is a text with placeholders, such as {{question}}; "{{{{" stands
// for "{{". The steps compose to three prompts:
//
//   - [Profile.Decompose]: decompose, a blank line, decompose_format.
//   - [Profile.Filter]: filter is the system text. The message is filter_intro,
//     filter_section for each sub-question with its chunks, and filter_outro,
//     with blank lines between.
//   - [Profile.Generate]: generate, in which {{sections}} is generate_per_subq
//     for each sub-question with its chunks, with blank lines between.
//
// The pipeline reads what comes back in one form each: {"questions": ["…"]} of
// decompose, {"scores": [{"chunk": 1, "score": 7.5}]} of the filter, and a text
// with citations as [1] of generate. Templates may ask for it in other words,
// not for another form.
package profile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

const (
	// MaxTemplate bounds a template in characters: ten times the longest of
	// those that come with the program.
	MaxTemplate = 20_000
	// maxName bounds a name in bytes.
	maxName = 64
	// version counts the changes of this package that move what a model reads:
	// how the steps compose and how chunks are written.
	version = "assay.profile/1"
)

// A Profile is a named set of templates, by the names of their steps. It is not
// changed once it is made; [Profile.With] gives another.
type Profile struct {
	Name      string
	Templates map[string]string
}

// CheckName refuses what cannot name a profile: anything but letters, digits,
// ".", "_" and "-" after a letter or a digit, and more than 64 bytes.
func CheckName(name string) error {
	ok := len(name) > 0 && len(name) <= maxName
	for i, c := range []byte(name) {
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		ok = ok && (plain || i > 0 && strings.IndexByte("._-", c) >= 0)
	}
	if !ok {
		return fmt.Errorf(
			"profile %q: expected a name of letters, digits, \".\", \"_\" and \"-\", of at most %d characters, such as %q",
			text.Shorten(name, maxName), maxName, "minutes-zh",
		)
	}
	return nil
}

// With gives the profile with another template in the place of a step's.
func (p Profile) With(step, template string) Profile {
	p.Templates = maps.Clone(p.Templates)
	if p.Templates == nil {
		p.Templates = map[string]string{}
	}
	p.Templates[step] = template
	return p
}

// A Mistake is what is wrong with a template.
type Mistake struct {
	Step string
	// Err says what is wrong, and what would be right; it begins with the step.
	Err error
}

// Validate checks a profile and gives every mistake, one a line: a name, a step
// that is unknown, missing, empty or too long, a placeholder that the step does
// not have, that is not closed, or without which the step is of no use.
func (p Profile) Validate() error {
	at := fmt.Sprintf("profile %q", text.Shorten(p.Name, maxName))
	problems := []error{CheckName(p.Name)}
	for _, m := range p.Mistakes() {
		problems = append(problems, fmt.Errorf("%s: %w", at, m.Err))
	}
	return errors.Join(problems...)
}

// Mistakes gives what [Profile.Validate] refuses of the templates: those of the
// steps in their order, then the steps that are unknown.
func (p Profile) Mistakes() []Mistake {
	var out []Mistake
	for _, s := range steps {
		template, ok := p.Templates[s.Name]
		if !ok {
			out = append(out, Mistake{s.Name, fmt.Errorf("%s: missing: expected a template", s.Name)})
			continue
		}
		for _, err := range s.check(template) {
			out = append(out, Mistake{s.Name, err})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Templates)) {
		if _, err := Find(name); err != nil {
			out = append(out, Mistake{name, err})
		}
	}
	return out
}

// check gives the mistakes of a template of the step.
func (s Step) check(template string) []error {
	switch n := utf8.RuneCountInString(template); {
	case !utf8.ValidString(template):
		return []error{fmt.Errorf("%s: expected UTF-8", s.Name)}
	case strings.TrimSpace(template) == "":
		return []error{fmt.Errorf("%s: empty: expected a template", s.Name)}
	case n > MaxTemplate:
		return []error{fmt.Errorf("%s: %d characters: expected at most %d", s.Name, n, MaxTemplate)}
	case strings.ContainsFunc(template, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }):
		return []error{fmt.Errorf("%s: a control character: expected text, tabs and line ends", s.Name)}
	}
	parts, problems := parse(template)
	used := map[string]bool{}
	for _, part := range parts {
		if part.name == "" {
			continue
		}
		used[part.name] = true
		if _, ok := s.placeholder(part.name); !ok {
			problems = append(problems, part.wrong(s))
		}
	}
	if len(problems) == 0 {
		for _, h := range s.Placeholders {
			if h.Required && !used[h.Name] {
				problems = append(problems, fmt.Errorf("no {{%s}}: expected it somewhere, for it is %s", h.Name, h.Doc))
			}
		}
	}
	for i, err := range problems {
		problems[i] = fmt.Errorf("%s: %w", s.Name, err)
	}
	return problems
}

// Hash is "sha256:" and hexadecimal digits over the templates and the way they
// compose, not over the name: two profiles with the same hash put the same
// prompts.
func (p Profile) Hash() string {
	h := sha256.New()
	fmt.Fprintln(h, version)
	for _, name := range slices.Sorted(maps.Keys(p.Templates)) {
		// The lengths keep one text from passing for two.
		fmt.Fprintf(h, "%d %s %d %s\n", len(name), name, len(p.Templates[name]), p.Templates[name])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Equal reports whether two profiles put the same prompts.
func (p Profile) Equal(q Profile) bool { return maps.Equal(p.Templates, q.Templates) }

// IsDefault reports whether the templates are those that come with the program
// under the profile's name.
func (p Profile) IsDefault() bool {
	d, ok := Default(p.Name)
	return ok && d.Equal(p)
}

// MarshalJSON gives {"name", "templates", "hash", "default"}, the templates in
// the order of the steps; default is [Profile.IsDefault].
func (p Profile) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for _, name := range p.order() {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(name))
		b.WriteByte(':')
		b.Write(quote(p.Templates[name]))
	}
	return fmt.Appendf(
		nil, `{"name":%s,"templates":{%s},"hash":%s,"default":%t}`, quote(p.Name), b.Bytes(), quote(p.Hash()), p.IsDefault(),
	), nil
}

// UnmarshalJSON reads what MarshalJSON gives. The hash and what the default was
// then are not read: they follow from the rest.
func (p *Profile) UnmarshalJSON(data []byte) error {
	var v struct {
		Name      string            `json:"name"`
		Templates map[string]string `json:"templates"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	p.Name, p.Templates = v.Name, v.Templates
	return nil
}

// order gives the names of the templates: the steps in their order, then what
// is no step.
func (p Profile) order() []string {
	var names []string
	for _, s := range steps {
		if _, ok := p.Templates[s.Name]; ok {
			names = append(names, s.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Templates)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// quote gives a text as JSON; what is no UTF-8 becomes U+FFFD.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string has always one
	return bytes.TrimRight(b.Bytes(), "\n")
}
