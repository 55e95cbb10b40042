package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// checkMap is a map of checks by name. The value of an entry is JSON or YAML.
type checkMap struct{ p *map[string]assay.Check }

func (v checkMap) split(s string) (string, string, error) {
	name, is, ok := strings.Cut(s, "=")
	if !ok {
		return "", "", errors.New(`expected NAME=CHECK, as in "short={kind: length, max: 80}"`)
	}
	return strings.TrimSpace(name), is, nil
}

// checkName is what follows "check." in the name of a metric.
var checkName = lazyregexp.New(`^[a-z][a-z0-9_]*$`)

func (v checkMap) name(s string) (string, error) {
	s = strings.ReplaceAll(s, "-", "_")
	if !checkName().MatchString(s) {
		return "", fmt.Errorf("name %q: expected lower-case letters, digits and \"_\", as in short_answer", s)
	}
	return s, nil
}

func (v checkMap) set(name, s string) error {
	is, err := parseTree(s)
	if err != nil {
		return err
	}
	text, err := compact(is)
	if err != nil {
		return err
	}
	c, err := checks.Parse([]byte(text))
	if err != nil {
		return err
	}
	if *v.p == nil {
		*v.p = map[string]assay.Check{}
	}
	(*v.p)[name] = c
	return nil
}

func (v checkMap) get(name string) string {
	c, known := (*v.p)[name]
	if !known {
		return ""
	}
	s, err := compact(c)
	if err != nil { // it was read from JSON
		return ""
	}
	return s
}
func (v checkMap) names() []string { return slices.Sorted(maps.Keys(*v.p)) }
func (v checkMap) Type() string    { return "NAME=CHECK" }
