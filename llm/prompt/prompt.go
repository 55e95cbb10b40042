// Package prompt asks a model a question and reads the reply. All prompts of the
// program use it: those of the judge, of generated ground truth, of accuracy tests and
// of the built-in pipeline.
//
// A [Prompt] is a task loaded from files: its instruction in one or more languages and
// the JSON schema of its reply. Data never enters the instruction. It is placed between
// two delimiters that contain the nonce of the call, and escaped so that no part of it
// is invisible or looks like a delimiter: as one line of JSON ([Prompt.Ask]) or as XML
// elements ([Prompt.AskElements]).
//
// An [Exchange] is the loop around a call: it requests the repair of an unusable reply,
// repeats failed calls, and waits between tries as configured by [Retry].
//
// A reply to [Prompt.Ask] is accepted when it is one JSON object that echoes the
// nonce, follows the schema and passes the caller's check.
package prompt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// format is incremented when a change of this package alters what a model reads: the
// order of the parts, the escapes, the repair turn.
const format = "1"

// DefaultWindow is the default size of a model's context window, in tokens.
const DefaultWindow = 100_000

// A Prompt is one task, in each of its languages. It is immutable and safe for
// concurrent use.
type Prompt struct {
	name   string
	words  map[string]words
	frames map[string]frame
	schema schema
	hash   string
	window int
	retry  Retry
}

// words are the parts of a prompt in one language.
type words struct {
	instruction, reminder string
}

// Load reads the prompt with a name such as "support.v1" from the root of fsys:
// support.v1.schema.json, the schema of the reply, and a file for each language, such
// as support.v1.en.md, with the sections "# Instruction" and "# Reminder". English must
// be among them. The name before the version is the operation.
func Load(fsys fs.FS, name string) (*Prompt, error) {
	p, err := load(fsys, name, "json", "Notice", "Reminder", "Repair", "Shorter")
	if err != nil {
		return nil, err
	}
	p.schema, err = compile(name+".schema.json", string(p.schema.raw))
	return p, err
}

// LoadElements is like [Load] for data written as XML elements. Replies need not echo
// the nonce. The schema is sent but not checked; a prompt without a schema file
// requests plain text.
func LoadElements(fsys fs.FS, name string) (*Prompt, error) {
	return load(fsys, name, "elements", "Notice", "Reminder", "Repair")
}

// load reads the texts of a prompt and of its frame, and the schema as it is.
func load(fsys fs.FS, name, frame string, frameSections ...string) (*Prompt, error) {
	p := &Prompt{name: name, words: map[string]words{}, window: DefaultWindow}
	var parts map[string]string
	var err error
	if p.frames, parts, err = loadFrames(frame, frameSections); err != nil {
		return nil, err
	}
	parts["format"] = format
	files, err := fs.Glob(fsys, name+".*.md")
	if err != nil {
		return nil, fmt.Errorf("prompt %q: %w", name, err)
	}
	for _, file := range files {
		raw, err := readFile(fsys, file)
		if err != nil {
			return nil, err
		}
		parts[file] = raw
		s, err := sections(file, raw, "Instruction", "Reminder")
		if err != nil {
			return nil, err
		}
		lang := strings.TrimSuffix(strings.TrimPrefix(file, name+"."), ".md")
		p.words[lang] = words{instruction: s["Instruction"], reminder: s["Reminder"]}
	}
	if _, ok := p.words[fallback]; !ok {
		return nil, fmt.Errorf("prompt %q: want a file %s.%s.md", name, name, fallback)
	}
	file := name + ".schema.json"
	switch raw, err := readFile(fsys, file); {
	case err == nil:
		p.schema.raw, parts[file] = json.RawMessage(raw), raw
	case frame == "json" || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	p.hash = hash(parts)
	return p, nil
}

// LoadAll reads the prompts of a folder of fsys, one for each task, such as "support",
// in the given versions, such as "v1", for a model with a window of that many tokens
// (see [Prompt.Within]).
func LoadAll(fsys fs.FS, folder string, versions map[string]string, window int) (map[string]*Prompt, error) {
	files, err := fs.Sub(fsys, folder)
	if err != nil {
		return nil, fmt.Errorf("prompt: %w", err)
	}
	out := make(map[string]*Prompt, len(versions))
	for _, task := range slices.Sorted(maps.Keys(versions)) {
		p, err := Load(files, task+"."+versions[task])
		if err != nil {
			return nil, err
		}
		out[task] = p.Within(window)
	}
	return out, nil
}

// Name returns the name that the prompt was loaded by, such as "support.v1".
func (p *Prompt) Name() string { return p.name }

// Operation returns the name without the version, such as "support".
func (p *Prompt) Operation() string {
	operation, _, _ := strings.Cut(p.name, ".")
	return operation
}

// Hash returns "sha256:" and the hexadecimal hash of everything that a model reads
// except the data: the texts in all languages, the schema, the frame around the data
// and the version of the format.
func (p *Prompt) Hash() string { return p.hash }

// Within returns the prompt for a model with a window of that many tokens; longer data
// is truncated. 0 or less means [DefaultWindow].
func (p *Prompt) Within(tokens int) *Prompt {
	if tokens <= 0 {
		tokens = DefaultWindow
	}
	q := *p
	q.window = tokens
	return &q
}

// Retrying returns the prompt with another retry policy.
func (p *Prompt) Retrying(r Retry) *Prompt {
	q := *p
	q.retry = r
	return &q
}

// HashAll combines the hashes of prompts. Their order does not matter.
func HashAll(prompts ...*Prompt) string {
	parts := map[string]string{}
	for _, p := range prompts {
		parts[p.name] = p.hash
	}
	return hash(parts)
}

// in returns the entry for a language, or the English one if there is none.
func in[T any](texts map[string]T, lang string) T {
	if t, ok := texts[lang]; ok {
		return t
	}
	return texts[fallback]
}

const fallback = "en"

// hash returns the hash of names and contents. Each is prefixed with its length, so the
// boundaries are part of the hash.
func hash(parts map[string]string) string {
	h := sha256.New()
	for _, name := range slices.SortedFunc(maps.Keys(parts), cmp.Compare[string]) {
		fmt.Fprintf(h, "%d %s\n%d %s\n", len(name), name, len(parts[name]), parts[name])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// readFile reads a text and normalizes line endings that a checkout changed.
func readFile(fsys fs.FS, name string) (string, error) {
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return "", fmt.Errorf("prompt: %w", err)
	}
	if !utf8.Valid(b) {
		return "", fmt.Errorf("prompt: %s: want UTF-8", name)
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n"), nil
}

// sections splits a text at its first-level headings. The headings must be those in
// want, each once and with text.
func sections(file, s string, want ...string) (map[string]string, error) {
	out := map[string]string{}
	name := ""
	for i, line := range strings.SplitAfter(s, "\n") {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			name = strings.TrimSpace(title)
			if _, twice := out[name]; twice || !slices.Contains(want, name) {
				return nil, fmt.Errorf("prompt: %s:%d: section %q: want each of %q once", file, i+1, name, want)
			}
			out[name] = ""
			continue
		}
		if name == "" && strings.TrimSpace(line) != "" {
			return nil, fmt.Errorf("prompt: %s:%d: text before the first section: want \"# %s\"", file, i+1, want[0])
		}
		if name != "" {
			out[name] += line
		}
	}
	for _, w := range want {
		if out[w] = strings.TrimSpace(out[w]); out[w] == "" {
			return nil, fmt.Errorf("prompt: %s: want a section \"# %s\" with text", file, w)
		}
	}
	return out, nil
}
