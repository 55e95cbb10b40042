package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// entries is the value of a map in a Config, which is set entry by entry.
type entries interface {
	value
	// split splits an entry into name and value.
	split(string) (name, v string, err error)
	// name returns the canonical spelling of a name.
	name(string) (string, error)
	set(name, v string) error
	get(name string) string
	names() []string
}

var errPair = errors.New("expected NAME=VALUE")

// texts is a map of texts by name. Loose names are the user's own; others are
// words of this program, in which "-" and "_" are the same.
type texts struct {
	p     *map[string]string
	loose bool
}

func (v texts) split(s string) (string, string, error) {
	name, is, ok := strings.Cut(s, "=")
	if !ok {
		return "", "", errPair
	}
	return strings.TrimSpace(name), is, nil
}

func (v texts) name(s string) (string, error) {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r == '=' || unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "", fmt.Errorf("name %q: expected a name without spaces and \"=\"", s)
	}
	if !v.loose {
		s = strings.ReplaceAll(s, "-", "_")
	}
	return s, nil
}

func (v texts) set(name, s string) error {
	if *v.p == nil {
		*v.p = map[string]string{}
	}
	(*v.p)[name] = s
	return nil
}
func (v texts) get(name string) string { return (*v.p)[name] }
func (v texts) names() []string        { return slices.Sorted(maps.Keys(*v.p)) }
func (v texts) Type() string           { return "NAME=VALUE" }

// headers is a map of HTTP headers. Names are compared case-insensitively.
type headers struct{ p *map[string]string }

// split splits "Name: value". Its errors never repeat what may be a secret.
func (v headers) split(s string) (string, string, error) {
	name, is, ok := strings.Cut(s, ":")
	if !ok {
		return "", "", errors.New(`expected "Name: value"`)
	}
	return strings.TrimSpace(name), strings.TrimSpace(is), nil
}

func (v headers) name(s string) (string, error) {
	// A token of RFC 9110, section 5.6.2.
	if s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}) {
		// The name may be a misplaced value, and so a secret.
		return "", errors.New(`invalid header name: expected letters, digits and dashes, as in "Authorization: Bearer TOKEN"`)
	}
	return textproto.CanonicalMIMEHeaderKey(s), nil
}

func (v headers) set(name, s string) error {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return errors.New("control character in the value: expected a single line")
	}
	if *v.p == nil {
		*v.p = map[string]string{}
	}
	(*v.p)[name] = strings.TrimSpace(s)
	return nil
}
func (v headers) get(name string) string { return (*v.p)[name] }
func (v headers) names() []string        { return slices.Sorted(maps.Keys(*v.p)) }
func (v headers) Type() string           { return `"Name: value"` }

// numbers is a map of numbers by metric. Entries in ratios are between 0 and 1.
type numbers struct {
	p        *map[string]float64
	min, max float64
	ratios   []string
}

// split cuts at the last "=", because names of metrics may contain one, as in
// "rbp(p=0.8)=0.5".
func (v numbers) split(s string) (string, string, error) {
	i := strings.LastIndexByte(s, '=')
	if i < 0 || i < strings.LastIndexByte(s, ')') {
		return "", "", errors.New("expected METRIC=NUMBER")
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+1:]), nil
}

// name replaces dashes by underscores, which names of metrics have.
func (v numbers) name(s string) (string, error) {
	if s == "" || strings.ContainsFunc(s, unicode.IsControl) {
		return "", fmt.Errorf("metric %q: expected a metric name", s)
	}
	end := len(s)
	if i := strings.IndexAny(s, "(@"); i >= 0 {
		end = i
	}
	return strings.ReplaceAll(s[:end], "-", "_") + s[end:], nil
}

func (v numbers) set(name, s string) error {
	lo, hi := v.min, v.max
	if slices.Contains(v.ratios, name) {
		lo, hi = 0, 1
	}
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(f):
		return errors.New("expected a number")
	case f < lo || f > hi:
		return fmt.Errorf("expected a number from %g to %g", lo, hi)
	}
	if *v.p == nil {
		*v.p = map[string]float64{}
	}
	(*v.p)[name] = f
	return nil
}
func (v numbers) get(name string) string { return strconv.FormatFloat((*v.p)[name], 'g', -1, 64) }
func (v numbers) names() []string        { return slices.Sorted(maps.Keys(*v.p)) }
func (v numbers) Type() string           { return "METRIC=NUMBER" }
