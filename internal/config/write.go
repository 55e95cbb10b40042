package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/scan"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/yaml"
)

// A Line is one resolved setting, or one entry of a map.
type Line struct {
	Key string `json:"key"`
	// Value is the value as returned by Get: variables by name, secrets as
	// [secret].
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// Lines returns every setting and entry in the order of a file: all of them, or
// only those that were set.
func (r *Resolved) Lines(all bool) []Line {
	var out []Line
	for _, key := range r.Keys() {
		if all || r.From(key) != FromDefault {
			out = append(out, Line{key, r.Get(key), r.Origins[key]})
		}
	}
	return out
}

// FindAlias is [Find] for a key as written in a file.
func FindAlias(key string) (Setting, error) {
	is, _ := canonical(key)
	return Find(is)
}

// Shown returns the line of one setting or entry, by any of its names, or those
// of all entries of a map; none if it is not set and has no default.
func (r *Resolved) Shown(key string) []Line {
	is, _ := canonical(key)
	s, entry, err := lookup(is)
	if err != nil {
		return nil
	}
	var out []Line
	for _, l := range r.Lines(true) {
		if l.Key == s.Key && l.Value != "" || entry != "" && l.Key == s.Key+"."+entry || entry == "" && s.Entries() &&
			strings.HasPrefix(l.Key, s.Key+".") {
			out = append(out, l)
		}
	}
	return out
}

// YAML returns a configuration file with the same settings: all of them, or
// only those that were set. A secret is a comment there and must be filled in.
func (r *Resolved) YAML(all bool) string {
	var b strings.Builder
	var open []string
	for _, l := range r.Lines(all) {
		s, entry, err := lookup(l.Key)
		if err != nil { // it is one of ours
			continue
		}
		above, leaf := strings.Split(s.Key, "."), entry
		if entry == "" {
			above, leaf = above[:len(above)-1], above[len(above)-1]
		}
		is := s.literal(entry, l.Value)
		if is == "" {
			continue
		}
		if s.redacts(entry) && strings.Contains(l.Value, hidden) {
			fmt.Fprintf(&b, "# %s: %s (from %s)\n", l.Key, is, l.Origin)
			continue
		}
		same := 0
		for same < len(open) && same < len(above) && open[same] == above[same] {
			same++
		}
		for i := same; i < len(above); i++ {
			fmt.Fprintf(&b, "%s%s:\n", strings.Repeat("  ", i), above[i])
		}
		open = above
		fmt.Fprintf(&b, "%s%s: %s\n", strings.Repeat("  ", len(above)), quoted(leaf), is)
	}
	return b.String()
}

// literal returns a value as YAML, on one line; "" if there is no value.
func (s Setting) literal(entry, v string) string {
	place := s.bind(&Config{})
	switch kind := place.Type(); {
	case entry == "" && v == "":
		// An empty value in a file has no effect.
		return ""
	case kind == "list":
		all := scan.Items(v)
		for i, item := range all {
			all[i] = quoted(item)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case kind == "JSON" || s.Nested:
		// JSON is YAML, except for values that the parser reads differently,
		// such as 1e3. These are written as JSON in a string.
		if n, err := yaml.Parse("", []byte(v)); err == nil {
			if is, err := plain(n, 0); err == nil {
				if same, err := compact(is); err == nil && same == v {
					return v
				}
			}
		}
	case numeric(kind):
		return v
	}
	return quoted(v)
}

// simple matches a text that is a YAML string without quotes. Keywords and
// numbers do not match.
var simple = lazyregexp.New(`^[A-Za-z_./][A-Za-z0-9_./@()-]*(:[A-Za-z0-9_./@()-]+)*$`)

// reserved lists the words that some version of YAML does not read as text.
var reserved = map[string]bool{"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "null": true, "y": true,
	"n": true, "nan": true, "inf": true}

func quoted(s string) string {
	if simple().MatchString(s) && !reserved[strings.Trim(strings.ToLower(s), ".")] {
		return s
	}
	b, err := json.Marshal(s)
	if err != nil { // a text has always one
		return `""`
	}
	return string(b)
}

// StoreFlag returns the flag by which a command finds a store, without a password and with a blank before it; "" for the
// default store.
func StoreFlag(path string) string {
	if path == "" || path == Default().Store {
		return ""
	}
	return " --store=" + text.Shell(shownAddress(path))
}
