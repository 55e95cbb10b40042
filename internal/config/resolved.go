package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/secret"
)

// An Origin is the kind of source of a value.
type Origin string

// The origins, from the weakest to the strongest.
const (
	FromDefault Origin = "default"
	// FromHeader is RAG_AUTH_HEADER, which a file can override.
	FromHeader Origin = "header"
	// FromShared is a variable shared with other programs: RAG_EVAL_…, which a file can
	// override.
	FromShared      Origin = "sibling"
	FromFile        Origin = "file"
	FromEnvironment Origin = "environment"
	// FromNamed is a named configuration, one of those that are compared.
	FromNamed Origin = "config"
	FromFlag  Origin = "flag"
)

// order ranks origins by strength.
var order = []Origin{FromDefault, FromHeader, FromShared, FromFile, FromEnvironment, FromNamed, FromFlag}

// Resolved is a configuration with the origin of every value.
type Resolved struct {
	Config
	// Variables are the values for "${NAME}" in a file, for settings from the
	// environment, and for keys of providers. nil has none.
	Variables *Variables
	// Uses reports whether a setting is used: of the others a file may name variables that
	// are not set. nil uses all.
	Uses func(Setting) bool
	// Origins maps keys to the source of their value, such as
	// "eval-config.yaml:4" or "environment ASSAY_TOP_K". Each entry of a map
	// has its own.
	Origins map[string]string
	strong  map[string]Origin
	// written holds the values in which variables were expanded, as written in
	// the file.
	written map[string]string
	// found holds the values of variables whose names indicate a secret.
	found []string
	named []named
	// notes are the contradictions between the file and the environment.
	notes []string
}

// Default returns the configuration with all defaults.
func Default() *Resolved {
	r := &Resolved{Origins: map[string]string{}, strong: map[string]Origin{}, written: map[string]string{}}
	for _, s := range Settings {
		if s.Default != "" {
			if err := s.bind(&r.Config).(single).Set(s.Default); err != nil {
				panic(fmt.Sprintf("setting %q: default %q: %v", s.Key, s.Default, err))
			}
		}
		r.Origins[s.Key], r.strong[s.Key] = string(FromDefault), FromDefault
	}
	return r
}

// Set sets one setting, or one entry of a map ("thresholds.composite"), unless
// a stronger origin has set it. where is the place of the value, for messages
// and for [Resolved.Origins]. "${NAME}" in the value is literal.
func (r *Resolved) Set(key, v string, from Origin, where string) error {
	return r.set(key, v, "", from, where)
}

// SetTyped sets the argument of a setting's flag. For a map it is one entry, as
// "NAME=VALUE" or "Name: value".
func (r *Resolved) SetTyped(s Setting, typed string, from Origin, where string) error {
	e, ok := s.bind(&r.Config).(entries)
	if !ok {
		return r.Set(s.Key, typed, from, where)
	}
	name, v, err := e.split(typed)
	if err != nil {
		if s.Secret {
			return err
		}
		return fmt.Errorf("%q: %w", typed, err)
	}
	return r.Set(s.Key+"."+name, v, from, where)
}

// set also stores the value as written, if that differs.
func (r *Resolved) set(key, v, written string, from Origin, where string) error {
	s, entry, err := lookup(key)
	if err != nil {
		return err
	}
	if entry != "" {
		key = s.Key + "." + entry
	}
	if slices.Index(order, from) < slices.Index(order, r.strong[key]) {
		return nil
	}
	place := s.bind(&r.Config)
	if err := s.allowed(v, place.Type()); err != nil {
		return fmt.Errorf("%s %q: %w", key, shownFirst(written, v), err)
	}
	if e, ok := place.(entries); ok {
		if entry == "" {
			return fmt.Errorf("%s: name one entry, such as %s.NAME", key, key)
		}
		err = e.set(entry, v)
	} else {
		err = place.(single).Set(v)
	}
	if err != nil {
		if errors.Is(err, errNoVariable) || s.Nested || s.Secret || place.Type() == "JSON" || place.Type() == "NAME=CHECK" {
			// The value may be a secret, or very long.
			return fmt.Errorf("%s: %w", key, err)
		}
		return fmt.Errorf("%s %q: %w", key, shownFirst(written, v), err)
	}
	r.Origins[key], r.strong[key] = where, from
	delete(r.written, key)
	if written != "" && !numeric(place.Type()) {
		r.written[key] = written
	}
	return nil
}

// numeric reports whether a kind of value cannot hold a secret and affects
// numbers. The value of a variable is then part of the record of the run.
func numeric(kind string) bool {
	return slices.Contains([]string{"int", "float", "duration", "bool", "METRIC=NUMBER"}, kind)
}

func shownFirst(written, v string) string {
	if written != "" {
		return written
	}
	return v
}

// allowed checks a value, or each item of a list, against the words.
func (s Setting) allowed(v, kind string) error {
	words := s.Words()
	if words == nil {
		return nil
	}
	items := []string{v}
	if kind == "list" {
		items = strings.Split(v, ",")
	}
	for _, item := range items {
		if !slices.Contains(words, strings.TrimSpace(item)) {
			err := fmt.Errorf("expected one of %q", words)
			if s.Else != "" {
				err = fmt.Errorf("%w; %s", err, s.Else)
			}
			return err
		}
	}
	return nil
}

// raw returns the value itself.
func (r *Resolved) raw(s Setting, entry string) string {
	place := s.bind(&r.Config)
	if e, ok := place.(entries); ok {
		return e.get(entry)
	}
	return place.(single).String()
}

// Keys returns the keys of all settings in the order of a configuration file,
// with the keys of its entries in place of a map.
func (r *Resolved) Keys() []string {
	var keys []string
	for _, s := range Settings {
		e, ok := s.bind(&r.Config).(entries)
		if !ok {
			keys = append(keys, s.Key)
			continue
		}
		for _, name := range e.names() {
			keys = append(keys, s.Key+"."+name)
		}
	}
	return keys
}

// Get returns the value of a setting or an entry as a user would write it:
// variables by name, secrets as [secret]. For a map it returns all entries.
func (r *Resolved) Get(key string) string {
	s, entry, err := lookup(key)
	if err != nil {
		return ""
	}
	if e, ok := s.bind(&r.Config).(entries); ok && entry == "" {
		var all []string
		for _, name := range e.names() {
			all = append(all, name+"="+r.Get(s.Key+"."+name))
		}
		return strings.Join(all, ",")
	}
	if entry != "" {
		key = s.Key + "." + entry
	}
	written, ok := r.written[key]
	if !ok {
		written = escape(r.raw(s, entry))
	}
	return s.shown(entry, written)
}

// From returns the origin of a setting or an entry.
func (r *Resolved) From(key string) Origin {
	if from, ok := r.strong[key]; ok {
		return from
	}
	return FromDefault
}

// Map returns every setting that is not empty, for the header of a run: the
// entries of maps one by one, and no secrets.
func (r *Resolved) Map() map[string]string {
	out := map[string]string{}
	for _, key := range r.Keys() {
		if v := r.Get(key); v != "" {
			out[key] = v
		}
	}
	return out
}

// Environment sets the settings of environment variables: ASSAY_TOP_K and the
// like, and those shared with other programs (see [Siblings]).
func (r *Resolved) Environment() error {
	for _, s := range Settings {
		for _, name := range s.envs() {
			if v := r.Variables.Get(name); v != "" {
				from, place, was := r.From(s.Key), r.Origins[s.Key], r.raw(s, "")
				if err := r.Set(s.Key, v, FromEnvironment, r.Variables.where(name)); err != nil {
					return fmt.Errorf("%s: %w", r.Variables.where(name), err)
				}
				if from == FromFile && r.raw(s, "") != was {
					r.notes = append(r.notes, fmt.Sprintf("%s replaces %s of %s", r.Variables.where(name), s.Key, place))
				}
			}
		}
	}
	return r.siblings()
}

// Notes tells where the file and the environment set the same: which of them holds. Values
// are not repeated.
func (r *Resolved) Notes() []string { return slices.Clone(r.notes) }

// renamed maps the key of a setting to the key under which earlier versions
// stored it, if that key now names another setting.
var renamed = map[string]string{"recording-language": "language"}

// Restore returns the settings of a stored run, as returned by [Resolved.Map].
// Secrets, which are not stored, are taken from the current configuration, and
// variables are looked up in its variables. where names the run.
func Restore(saved map[string]string, now *Resolved, where string) (*Resolved, error) {
	r := Default()
	r.Variables = now.Variables
	saved = maps.Clone(saved)
	for key, was := range renamed {
		if v, ok := saved[was]; ok && saved[key] == "" {
			saved[key] = v
			delete(saved, was)
		}
	}
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(saved)) {
		s, entry, err := lookup(key)
		switch {
		case err != nil:
		case s.Secret:
			// All of them are taken from the current configuration, below.
		case s.redacts(entry) && strings.Contains(saved[key], hidden):
			if now.Get(key) != saved[key] {
				err = fmt.Errorf("%s was %q, and its secret was not stored: give it again in the file or as a flag", key, saved[key])
				break
			}
			err = r.Take(now, key)
		default:
			err = r.setWritten(key, saved[key], FromFlag, where)
		}
		if err != nil {
			problems = append(problems, errors.New(r.scrub(err.Error())))
		}
	}
	for _, key := range now.Keys() {
		if s, _, err := lookup(key); err == nil && s.Secret {
			problems = append(problems, r.Take(now, key))
		}
	}
	r.found = append(r.found, now.found...)
	return r, errors.Join(problems...)
}

// Take copies a value, its origin and its written form from another
// configuration, unless a stronger origin has set it here.
func (r *Resolved) Take(o *Resolved, key string) error {
	s, entry, err := lookup(key)
	if err != nil {
		return err
	}
	return r.set(key, o.raw(s, entry), o.written[key], o.From(key), o.Origins[key])
}

// redacts reports whether Shown may redact a part of the setting's value.
func (s Setting) redacts(entry string) bool {
	switch p := s.kind().(type) {
	case address, tree:
		return true
	case texts:
		return p.loose && secret.Named(entry)
	}
	return s.Secret
}

// setWritten sets a value after expanding its variables.
func (r *Resolved) setWritten(key, written string, from Origin, where string) error {
	s, _, err := lookup(key)
	if err != nil {
		return err
	}
	if !strings.Contains(written, "${") {
		return r.set(key, written, "", from, where)
	}
	in := func(text string) (string, error) { return r.expand(text) }
	is := ""
	if s.isTree(written) {
		// The value of a variable must not become part of the syntax.
		v, err := parseTree(written)
		if err == nil {
			v, err = expandAll(v, in)
		}
		if err == nil {
			is, err = compact(v)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	} else if is, err = in(written); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return r.set(key, is, written, from, where)
}

// isTree reports whether a value is parsed as JSON or YAML, with variables
// expanded in the texts within it.
func (s Setting) isTree(written string) bool {
	switch p := s.kind().(type) {
	case tree, checkMap:
		return true
	case texts:
		return p.loose && strings.ContainsAny(written[:1], "{[") && json.Valid([]byte(written))
	}
	return s.Nested
}

// scrub removes the values of secret variables from a message.
func (r *Resolved) scrub(text string) string {
	for _, s := range r.found {
		text = secret.New(s).Scrub(text)
	}
	return text
}

// expand expands variables in a text and records those that are secret.
func (r *Resolved) expand(text string) (string, error) {
	is, err := expand(text, r.Variables)
	if err != nil {
		return "", err
	}
	for _, name := range references(text) {
		if secret.Named(name) {
			r.found = append(r.found, r.Variables.Get(name))
		}
	}
	return is, nil
}
