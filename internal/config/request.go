package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/scan"
)

// Clone returns an independent copy of the configuration with the same values,
// origins, variables and named configurations.
func (r *Resolved) Clone() (*Resolved, error) {
	out := Default()
	out.Variables, out.named, out.found = r.Variables, slices.Clone(r.named), slices.Clone(r.found)
	var problems []error
	for _, key := range r.Keys() {
		if r.From(key) != FromDefault {
			problems = append(problems, out.Take(r, key))
		}
	}
	return out, errors.Join(problems...)
}

// A Requested is a setting in an HTTP request.
type Requested struct {
	// Key is the setting's key, with the name of the entry for a map; At is its
	// place in the request.
	Key, At string
	Value   string
	// Setting is the setting that the key belongs to.
	Setting Setting
}

// Request reads settings from a JSON object that has the keys of a
// configuration file, nested or with dots. Nothing is expanded: "${NAME}" is
// literal. Numbers must be [json.Number]. All mistakes are returned, ordered by
// their place.
func Request(object map[string]any) (settings []Requested, mistakes map[string]error) {
	q := request{mistakes: map[string]error{}, seen: map[string]string{}}
	q.section("", object, 0)
	return q.settings, q.mistakes
}

type request struct {
	settings []Requested
	mistakes map[string]error
	seen     map[string]string
}

// maxNested is the maximum depth of nested keys.
const maxNested = 4

func (q *request) section(prefix string, object map[string]any, depth int) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at, v := prefix+name, object[name]
		if inner, ok := v.(map[string]any); ok && isSection(at) && depth < maxNested {
			q.section(at+".", inner, depth+1)
			continue
		}
		if v == nil {
			continue
		}
		if err := q.setting(at, v); err != nil {
			q.mistakes[at] = err
		}
	}
}

func (q *request) setting(at string, v any) error {
	key, convert := canonical(at)
	s, entry, err := lookup(key)
	if err != nil {
		return err
	}
	if entry != "" {
		key = s.Key + "." + entry
	} else if s.Entries() {
		return fmt.Errorf("%s: expected an object of names and values", s.Key)
	}
	if first, ok := q.seen[key]; ok {
		return fmt.Errorf("%s is already given as %s; give one of them", at, first)
	}
	q.seen[key] = at
	text, err := requested(s, v)
	if err == nil && convert != nil {
		text, err = convert(text)
	}
	if err != nil {
		return err
	}
	q.settings = append(q.settings, Requested{Key: key, At: at, Value: text, Setting: s})
	return nil
}

// requested returns a value as a flag would take it.
func requested(s Setting, v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case json.Number:
		return v.String(), nil
	case []any:
		if s.Type() != "list" {
			return "", errors.New("expected one value, not a list")
		}
		var all []string
		for _, item := range v {
			text, err := requested(Setting{bind: s.bind}, item)
			if _, nested := item.([]any); nested || err != nil || text == "" || len(scan.Items(text)) != 1 {
				return "", errors.New("expected a list of strings without commas")
			}
			all = append(all, text)
		}
		return strings.Join(all, ","), nil
	case map[string]any:
		place := s.bind(&Config{})
		_, isTree := place.(tree)
		if s.Nested || isTree {
			text, err := json.Marshal(v)
			return string(text), err
		}
	}
	return "", errors.New("expected a value or a list, not an object")
}
