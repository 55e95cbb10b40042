package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// A Setting is one entry of a configuration.
type Setting struct {
	// Key is the name in a file, with a dot for nesting: "chunk.size". The
	// flag has a dash instead ("--chunk-size"), the environment variable is
	// "ASSAY_CHUNK_SIZE".
	Key string
	// Aliases are other names that a file may use; "_" and "-" are the same in
	// a file.
	Aliases []string
	// Default is as a user would write it.
	Default string
	// Doc says what the setting does, in one line without a full stop.
	Doc string
	// Section is the heading in a configuration file.
	Section string
	// Choices gives the allowed values, in the order in which help lists them;
	// nil allows any. Values that belong to another table are read from it here:
	// report.FileFormats, for instance.
	Choices func() []string
	// Else is what the error about any other value adds.
	Else string
	// Nested settings are maps: a file writes them below the key, and there is
	// no flag for them.
	Nested bool
	// Example is what a file could write below the key, as YAML, where a default
	// says nothing.
	Example string
	// Free settings move no number: a run that is resumed may have others.
	Free bool
	// Secret settings never leave the process. They are shown as [secret], and
	// a run that is resumed has those of now.
	Secret bool
	// Request settings may be set by a request over HTTP. All others are the
	// server's alone: they name a file, a command, an address, a variable or a
	// provider.
	Request bool
	// Model settings name a model as PROVIDER:MODEL, File settings a file or a
	// folder.
	Model, File bool
	// Stored settings also apply to a stored run: they do not change what was asked
	// and scored. Verdict settings say what a run must meet and where the verdict is
	// written.
	Stored, Verdict bool
	// Implies is the adapter that the setting belongs to: it is chosen when the
	// setting is given and no adapter is.
	Implies string
	// Option is the flag's name where the key does not give it.
	Option string
	// Shorts are flags that set one entry of a map.
	Shorts []Short
	bind   func(*Config) value
}

// A Short is a flag that sets one entry of a setting that is a map.
type Short struct{ Flag, Entry, Doc string }

// value is a setting's place in a Config; it has the methods of a flag.
type value interface {
	Set(string) error
	String() string
	Type() string
}

// Flag is the setting's name on the command line, without the dashes.
func (s Setting) Flag() string {
	if s.Option != "" {
		return s.Option
	}
	return strings.ReplaceAll(s.Key, ".", "-")
}

// Env is the setting's environment variable; "" for a map, which has none.
func (s Setting) Env() string {
	if s.Entries() {
		return ""
	}
	return variableOf(s.Key)
}

// envs are the variables that set it: its own comes last, and wins over the one
// that is named like a flag with another name than the key's.
func (s Setting) envs() []string {
	env := s.Env()
	if env == "" {
		return nil
	}
	if other := variableOf(s.Flag()); other != env {
		return []string{other, env}
	}
	return []string{env}
}

func variableOf(name string) string {
	return "ASSAY_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
}

// Type names the kind of a setting's value in help texts: "string", "list",
// "int", "float", "duration", or "NAME=VALUE" for a map.
func (s Setting) Type() string { return s.bind(&Config{}).Type() }

// Entries reports whether the setting is a map whose entries are set one by
// one, each under a key of its own: "thresholds.composite". Its flag may be
// repeated.
func (s Setting) Entries() bool {
	_, ok := s.bind(&Config{}).(entries)
	return ok
}

// Words gives the allowed values; nil when any value is.
func (s Setting) Words() []string {
	if s.Choices == nil {
		return nil
	}
	return s.Choices()
}

// Completions gives the values that a shell can offer: the allowed values, or the words
// beside which other values are allowed too.
func (s Setting) Completions() []string {
	if v, ok := s.bind(&Config{}).(stage); ok {
		return v.words
	}
	return s.Words()
}

// Keys gives the keys of the settings that fit, in the order of a configuration
// file.
func Keys(fits func(Setting) bool) []string {
	var keys []string
	for _, s := range Settings {
		if fits(s) {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// Usage is the setting's line in a help text: what it does, the words that are
// allowed, the default.
func (s Setting) Usage() string {
	u := s.Doc
	if words := s.Words(); words != nil {
		u += ": " + strings.Join(words, ", ")
	}
	if s.Entries() {
		u += " (repeatable)"
	}
	if s.Default != "" && s.Default != "0" {
		u += " (default " + s.Default + ")"
	}
	return u
}

// Find returns the setting with the given key, or the map that an entry such as
// "thresholds.composite" belongs to; when there is none the error suggests the
// nearest.
func Find(key string) (Setting, error) {
	s, _, err := lookup(key)
	return s, err
}

// lookup also gives the entry's name, in its usual spelling.
func lookup(key string) (Setting, string, error) {
	for _, s := range Settings {
		if s.Key == key {
			return s, "", nil
		}
		if name, ok := strings.CutPrefix(key, s.Key+"."); ok && s.Entries() {
			name, err := s.bind(&Config{}).(entries).name(name)
			if err != nil {
				return Setting{}, "", fmt.Errorf("%s: %w", s.Key, err)
			}
			return s, name, nil
		}
	}
	var names []string
	for _, s := range Settings {
		names = append(append(names, s.Key), s.Aliases...)
	}
	best := text.Nearest(dashed(key), names)
	if best == "" {
		return Setting{}, "", fmt.Errorf("unknown setting %q", key)
	}
	return Setting{}, "", fmt.Errorf("unknown setting %q: did you mean %q?", key, best)
}

// dashed is a key as files may also write it.
func dashed(key string) string { return strings.ReplaceAll(key, "_", "-") }

// canonical gives the key that a key of a file stands for, and how the value of
// an alias becomes that of its setting; nil when it is the same.
func canonical(key string) (string, func(string) (string, error)) {
	k := dashed(key)
	for _, s := range Settings {
		if slices.ContainsFunc(s.Aliases, func(a string) bool { return dashed(a) == k }) {
			return s.Key, conversions[k]
		}
	}
	for _, s := range Settings {
		if s.Key == k {
			return k, nil
		}
		if s.Entries() && strings.HasPrefix(k, s.Key+".") {
			// The name of an entry is the user's own.
			return s.Key + key[len(s.Key):], nil
		}
	}
	return key, nil
}

// below lists the keys that stand below the given one, as they are written there.
func below(key string) []string {
	var out []string
	for _, s := range Settings {
		if under, ok := strings.CutPrefix(s.Key, dashed(key)+"."); ok {
			out = append(out, under)
		}
	}
	return out
}

// isSection reports whether keys stand below the given one.
func isSection(key string) bool {
	below := dashed(key) + "."
	return slices.ContainsFunc(Settings, func(s Setting) bool {
		return s.Entries() && dashed(key) == s.Key || strings.HasPrefix(s.Key, below) ||
			slices.ContainsFunc(s.Aliases, func(a string) bool { return strings.HasPrefix(dashed(a), below) })
	})
}

// conversions say how the value of an alias becomes that of its setting.
var conversions = map[string]func(string) (string, error){
	"output.directory": func(dir string) (string, error) {
		return strings.TrimRight(dir, "/") + "/eval_report", nil
	},
	"comparison.embedding-model": func(model string) (string, error) {
		if strings.TrimPrefix(model, "sentence-transformers/") != "all-MiniLM-L6-v2" {
			return "", fmt.Errorf(`embedding model %q: want all-MiniLM-L6-v2, which is built in as "minilm"; the setting embedder names others`,
				model)
		}
		return "minilm", nil
	},
}
