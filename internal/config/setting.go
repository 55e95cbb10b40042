package config

import (
	"fmt"
	"slices"
	"strconv"
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
	// Default is the default as a user would write it.
	Default string
	// Doc says what the setting does, in one line without a full stop: the text of
	// settings.txt.
	Doc string
	// Section is the heading in a configuration file.
	Section string
	// Choices returns the allowed values in the order of the help text; nil
	// allows any. Values that another package defines are read from its table:
	// report.FileFormats, for instance.
	Choices func() []string
	// Else is appended to the error about any other value.
	Else string
	// Nested settings are maps: a file writes them below the key, and there is
	// no flag for them.
	Nested bool
	// Example is YAML for the text below the key, for settings whose default
	// does not show their form.
	Example string
	// Free settings affect no number, so a resumed run may have different ones. Of a file that
	// is not free the content may not differ either.
	Free bool
	// Secret settings never leave the process. They are shown as [secret], and
	// a resumed run takes the current ones.
	Secret bool
	// Request settings may be set by an HTTP request. All others belong to the
	// server, because they name a file, a command, an address, a variable or a
	// provider.
	Request bool
	// Model settings name a model as PROVIDER:MODEL, File settings a file or a
	// folder.
	Model, File bool
	// Stored settings also apply to a stored run: they do not change what was
	// asked and scored. Verdict settings define the requirements for a run and
	// where the verdict is written.
	Stored, Verdict bool
	// Compared settings are about a comparison of runs alone.
	Compared bool
	// Implies is the adapter that the setting belongs to: it is chosen if the
	// setting is set and no adapter is.
	Implies string
	// Usual settings have a flag of their own; see [Setting.Flagged]. First settings are of these the ones
	// that the first help text of a command with many flags shows.
	Usual, First bool
	// Option is the name of the flag if it is not derived from the key.
	Option string
	// Shorts are flags that set one entry of a map.
	Shorts []Short
	bind   func(*Config) value
}

// A Short is a flag that sets one entry of a setting that is a map.
type Short struct{ Flag, Entry, Doc string }

// value is the field of a setting in a Config: one text, or entries. Type is that of its
// flag.
type value interface{ Type() string }

// single is a value that is one text.
type single interface {
	value
	Set(string) error
	String() string
}

// Flag returns the setting's name on the command line, without the dashes.
func (s Setting) Flag() string {
	if s.Option != "" {
		return s.Option
	}
	return strings.ReplaceAll(s.Key, ".", "-")
}

// Flagged reports whether the setting has a flag of its own wherever it applies. So have the usual
// ones, and maps, whose entries are set one by one. The command line sets all others by --set.
func (s Setting) Flagged() bool { return s.Usual || s.Entries() }

// Typed returns how the setting is named on a command line: "--top-k" or "--set judge-rpm".
func (s Setting) Typed() string {
	if s.Flagged() {
		return "--" + s.Flag()
	}
	return "--set " + s.Key
}

// Env returns the setting's environment variable; "" for a map, which has none.
func (s Setting) Env() string {
	if s.Entries() {
		return ""
	}
	return variableOf(s.Key)
}

// envs returns the variables that set it. Its own comes last and takes
// precedence over the one named like a flag whose name differs from the key's.
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

// blank is a configuration that nothing changes.
var blank = new(Config)

// kind returns the setting's place in a blank configuration, for what depends on the
// type of its value alone.
func (s Setting) kind() value { return s.bind(blank) }

// Type returns the kind of a setting's value in help texts: "string", "list",
// "int", "float", "duration", or "NAME=VALUE" for a map.
func (s Setting) Type() string { return s.kind().Type() }

// Entries reports whether the setting is a map whose entries are set one by
// one, each under a key of its own: "thresholds.composite". Its flag may be
// repeated.
func (s Setting) Entries() bool {
	_, ok := s.kind().(entries)
	return ok
}

// Words returns the allowed values; nil if any value is allowed.
func (s Setting) Words() []string {
	if s.Choices == nil {
		return nil
	}
	return s.Choices()
}

// Completions returns the values that a shell can offer: the allowed values, or
// the predefined words of a setting that allows other values too.
func (s Setting) Completions() []string {
	if v, ok := s.kind().(stage); ok {
		return v.words
	}
	return s.Words()
}

// Keys returns the keys of the settings that match, in the order of a
// configuration file.
func Keys(fits func(Setting) bool) []string {
	var keys []string
	for _, s := range Settings {
		if fits(s) {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// Usage returns the setting's line in a help text: its description, the allowed
// words, the default.
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
// "thresholds.composite" belongs to. If there is none, the error suggests the
// nearest.
func Find(key string) (Setting, error) {
	s, _, err := lookup(key)
	return s, err
}

// lookup also returns the entry's name, in its canonical spelling.
func lookup(key string) (Setting, string, error) {
	for _, s := range Settings {
		if s.Key == key {
			return s, "", nil
		}
		if name, ok := strings.CutPrefix(key, s.Key+"."); ok && s.Entries() {
			name, err := s.kind().(entries).name(name)
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

// Named returns the setting with the given key, spelled as in a file, or with that flag; and the
// entry of a map that the key names.
func Named(key string) (s Setting, entry string, err error) {
	for _, s := range Settings {
		if !s.Nested && dashed(s.Key) == dashed(key) || s.Flag() == dashed(key) {
			return s, "", nil
		}
		if slices.Contains(s.Aliases, key) {
			return s, "", fmt.Errorf("%q is a name for files: use %s", key, s.Key)
		}
	}
	return lookup(key)
}

// dashed returns the key with dashes, which files may also use.
func dashed(key string) string { return strings.ReplaceAll(key, "_", "-") }

// canonical returns the key that a key of a file refers to, and the conversion
// from the value of an alias to that of its setting; nil if they are the same.
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
			// The name of an entry is chosen by the user.
			return s.Key + key[len(s.Key):], nil
		}
	}
	return key, nil
}

// below returns the keys nested below the given one, as written there.
func below(key string) []string {
	var out []string
	for _, s := range Settings {
		if under, ok := strings.CutPrefix(s.Key, dashed(key)+"."); ok {
			out = append(out, under)
		}
	}
	return out
}

// isSection reports whether keys are nested below the given one.
func isSection(key string) bool {
	below := dashed(key) + "."
	return slices.ContainsFunc(Settings, func(s Setting) bool {
		return s.Entries() && dashed(key) == s.Key || strings.HasPrefix(s.Key, below) ||
			slices.ContainsFunc(s.Aliases, func(a string) bool { return strings.HasPrefix(dashed(a), below) })
	})
}

// conversions convert the value of an alias to that of its setting.
var conversions = map[string]func(string) (string, error){
	"output.directory": func(dir string) (string, error) {
		return strings.TrimRight(dir, "/") + "/eval_report", nil
	},
	"retry.max-attempts": func(attempts string) (string, error) {
		n, err := strconv.Atoi(attempts)
		if err != nil || n < 1 {
			return "", fmt.Errorf("%q must be a whole number, 1 or more: it counts the first attempt too", attempts)
		}
		return strconv.Itoa(n - 1), nil
	},
	"comparison.embedding-model": func(model string) (string, error) {
		if strings.TrimPrefix(model, "sentence-transformers/") != "all-MiniLM-L6-v2" {
			return "", fmt.Errorf(`embedding model %q: expected all-MiniLM-L6-v2, which is built in as "minilm"; the setting embedder names others`,
				model)
		}
		return "minilm", nil
	},
}
