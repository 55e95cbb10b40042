package template

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// A Pattern is a parsed text with placeholders. The zero Pattern is the empty text. It
// is safe for concurrent use.
type Pattern struct {
	text  string
	parts []part
}

// A part is a piece of text, or a placeholder if name is not empty.
type part struct {
	literal string
	name    string
	json    bool
	// fallback is the default as a JSON value, text its source.
	defaults bool
	fallback json.RawMessage
	text     string
}

// ParsePattern parses a text. The error quotes the invalid part.
func ParsePattern(s string) (Pattern, error) {
	p := Pattern{text: s}
	literal := func(text string) {
		if n := len(p.parts); n > 0 && p.parts[n-1].name == "" {
			p.parts[n-1].literal += text
		} else if text != "" {
			p.parts = append(p.parts, part{literal: text})
		}
	}
	for {
		before, after, open := strings.Cut(s, "{{")
		literal(before)
		if !open {
			return p, nil
		}
		if rest, braces := strings.CutPrefix(after, "{{"); braces {
			literal("{{")
			s = rest
			continue
		}
		inner, rest, closed := strings.Cut(after, "}}")
		if !closed {
			return Pattern{}, fmt.Errorf("placeholder %q is not closed: expected }} after its name, or {{{{ for two braces", "{{"+text.Shorten(after, 40))
		}
		one, err := parsePart(inner)
		if err != nil {
			return Pattern{}, err
		}
		p.parts = append(p.parts, one)
		s = rest
	}
}

// parsePart parses the text between the braces.
func parsePart(inner string) (part, error) {
	name, fallback, defaults := strings.Cut(inner, "|")
	p := part{name: strings.TrimSpace(name), defaults: defaults}
	if rest, word := strings.CutPrefix(p.name, "json"); word && strings.TrimLeftFunc(rest, unicode.IsSpace) != rest {
		p.json, p.name = true, strings.TrimSpace(rest)
	}
	shown := "{{" + text.Shorten(inner, 40) + "}}"
	switch {
	case p.name == "":
		return part{}, fmt.Errorf("placeholder %q has no name: expected one such as {{question}}", shown)
	case strings.ContainsAny(p.name, "{}\"") || strings.ContainsFunc(p.name, unicode.IsControl):
		return part{}, fmt.Errorf("placeholder %q: a name cannot contain braces, quotation marks or line ends: expected a space between a brace "+
			"and a placeholder, and {{{{ for two braces", shown)
	case slices.Contains(strings.Split(p.name, "."), ""):
		return part{}, fmt.Errorf("placeholder %q: a name is missing beside a dot", shown)
	}
	if defaults {
		p.text = strings.TrimSpace(fallback)
		p.fallback = json.RawMessage(p.text)
		v, err := decode(p.fallback)
		if err != nil {
			p.fallback, err = Marshal(p.text)
		} else if text, ok := v.(string); ok {
			p.text = text
		}
		if err != nil {
			return part{}, fmt.Errorf("placeholder %q: %w", shown, err)
		}
	}
	return p, nil
}

// String returns the text as it was written.
func (p Pattern) String() string { return p.text }

// Constant reports whether the text has no placeholders.
func (p Pattern) Constant() bool {
	return !slices.ContainsFunc(p.parts, func(one part) bool { return one.name != "" })
}

// Names lists the placeholders without a default, in order.
func (p Pattern) Names() []string {
	var names []string
	for _, one := range p.parts {
		if one.name != "" && !one.defaults && !slices.Contains(names, one.name) {
			names = append(names, one.name)
		}
	}
	return names
}

// Uses reports whether a placeholder, with a default or without, is one of the values or
// a path into it.
func (p Pattern) Uses(values ...string) bool {
	return slices.ContainsFunc(p.parts, func(one part) bool {
		root, _, _ := strings.Cut(one.name, ".")
		return one.name != "" && slices.Contains(values, root)
	})
}

// Cut splits the pattern at the first sep outside of placeholders; sep is in neither
// part. Without a sep, before is the whole pattern.
func (p Pattern) Cut(sep string) (before, after Pattern, found bool) {
	for i, one := range p.parts {
		a, b, here := strings.Cut(one.literal, sep)
		if !here {
			continue
		}
		return Pattern{text: p.text, parts: append(slices.Clone(p.parts[:i]), part{literal: a})},
			Pattern{text: p.text, parts: append([]part{{literal: b}}, p.parts[i+1:]...)}, true
	}
	return p, Pattern{}, false
}

// Fill returns the text with all placeholders replaced. escape, if it is not nil, is
// applied to each value.
func (p Pattern) Fill(values map[string]any, escape func(string) string) (string, error) {
	if len(p.parts) == 1 && p.parts[0].name == "" {
		return p.parts[0].literal, nil
	}
	var b strings.Builder
	for _, one := range p.parts {
		text := one.literal
		if one.name != "" {
			var err error
			if text, err = one.within(values); err != nil {
				return "", err
			}
			if escape != nil {
				text = escape(text)
			}
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Address returns the pattern as an address. Values are escaped for the path, and after
// the first "?" for the query. An error says that a value would lead out of the path: a
// filled path has no segment "." or "..", however often a server decodes it.
func (p Pattern) Address(values map[string]any) (string, error) {
	path, query, asks := p.Cut("?")
	address, err := path.Fill(values, url.PathEscape)
	if err != nil || !asks {
		return address, cmp.Or(err, path.climbs(address))
	}
	rest, err := query.Fill(values, url.QueryEscape)
	return address + "?" + rest, cmp.Or(err, path.climbs(address))
}

// plainer decodes what means something in a path; servers differ in how often they decode.
var plainer = strings.NewReplacer("%2e", ".", "%2f", "/", "%5c", "/", `\`, "/", "%3b", ";", "%25", "%")

// climbs returns an error if the filled path has a segment that leads elsewhere.
func (p Pattern) climbs(path string) error {
	plain := strings.ToLower(path)
	for before := ""; before != plain; {
		before, plain = plain, plainer.Replace(plain)
	}
	for segment := range strings.SplitSeq(plain, "/") {
		// Some servers cut what follows a semicolon.
		if segment, _, _ = strings.Cut(segment, ";"); !p.Constant() && (segment == "." || segment == "..") {
			return fmt.Errorf("a placeholder makes the path segment %q, which leads to another address: it must be in the query or in the body",
				segment)
		}
	}
	return nil
}

// value returns the pattern as a value: a single placeholder keeps its type.
func (p Pattern) value(values map[string]any) (any, error) {
	if len(p.parts) != 1 || p.parts[0].name == "" || p.parts[0].json {
		return p.Fill(values, nil)
	}
	one := p.parts[0]
	v, ok, err := one.find(values)
	if err == nil && !ok {
		return decode(one.fallback)
	}
	return v, err
}

// within returns the value as part of a longer text.
func (p part) within(values map[string]any) (string, error) {
	v, ok, err := p.find(values)
	switch {
	case err != nil:
		return "", err
	case !ok && p.json:
		return string(p.fallback), nil
	case !ok:
		return p.text, nil
	}
	if text, is := v.(string); is && !p.json {
		return text, nil
	}
	raw, err := Marshal(v)
	if err != nil {
		return "", fmt.Errorf("placeholder %q: %w", p.name, err)
	}
	return string(raw), nil
}

// find looks up the value. ok is false if the default applies.
func (p part) find(values map[string]any) (v any, ok bool, err error) {
	v, err = Find(values, p.name)
	if p.defaults && (err != nil || v == nil) {
		return nil, false, nil
	}
	return v, err == nil, err
}

// Marshal encodes JSON without HTML escaping.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decode decodes one JSON value and keeps numbers as written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("unexpected data after the value")
	}
	return v, nil
}
