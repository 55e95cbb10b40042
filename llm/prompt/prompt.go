// Package prompt asks a model a question and reads the reply. All prompts of the
// program go through it: those of the judge, of generated ground truth, of
// accuracy tests and of the built-in pipeline.
//
// A [Prompt] is a task in files: its instruction in one or more languages and
// the JSON schema of its reply. Material never enters the instruction. It stands
// between two marks that carry the nonce of the call, escaped so that nothing in
// it can hide or pass for a mark: as one line of JSON ([Prompt.Ask]) or as XML
// elements ([Prompt.AskElements]).
//
// An [Exchange] is the loop around a call: it has an unusable reply repaired,
// repeats calls that failed, and waits between tries as its [Retry] says.
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

// format counts the changes of this package that move what a model reads: the
// order of the parts, the escapes, the repair turn.
const format = "1"

// DefaultWindow is the length of a model's window, in tokens, when nobody says.
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

// Load reads the prompt of a name such as "support.v1" from the top of fsys:
// support.v1.schema.json, the schema of the reply, and a file for each language,
// such as support.v1.en.md, with the sections "# Instruction" and "# Reminder".
// English must be among them. The name before the version is the operation.
func Load(fsys fs.FS, name string) (*Prompt, error) {
	p, parts, err := load(fsys, name, "json", "Notice", "Reminder", "Repair", "Shorter")
	if err != nil {
		return nil, err
	}
	file := name + ".schema.json"
	if parts[file], err = readFile(fsys, file); err != nil {
		return nil, err
	}
	if p.schema, err = compile(file, parts[file]); err != nil {
		return nil, err
	}
	p.hash = hash(parts)
	return p, nil
}

// LoadElements reads a prompt as [Load] does, for material that is written as
// elements. Its replies need not echo the nonce. The schema is sent and not
// checked; a prompt without that file asks for a text.
func LoadElements(fsys fs.FS, name string) (*Prompt, error) {
	p, parts, err := load(fsys, name, "elements", "Notice", "Reminder", "Repair")
	if err != nil {
		return nil, err
	}
	file := name + ".schema.json"
	switch raw, err := readFile(fsys, file); {
	case err == nil:
		p.schema.raw, parts[file] = json.RawMessage(raw), raw
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	p.hash = hash(parts)
	return p, nil
}

// load reads the words of a prompt and those of its frame, and gives the texts
// that they were read from.
func load(fsys fs.FS, name, frame string, frameSections ...string) (*Prompt, map[string]string, error) {
	p := &Prompt{name: name, words: map[string]words{}, window: DefaultWindow}
	var parts map[string]string
	var err error
	if p.frames, parts, err = loadFrames(frame, frameSections); err != nil {
		return nil, nil, err
	}
	parts["format"] = format
	files, err := fs.Glob(fsys, name+".*.md")
	if err != nil {
		return nil, nil, fmt.Errorf("prompt %q: %w", name, err)
	}
	for _, file := range files {
		raw, err := readFile(fsys, file)
		if err != nil {
			return nil, nil, err
		}
		parts[file] = raw
		s, err := sections(file, raw, "Instruction", "Reminder")
		if err != nil {
			return nil, nil, err
		}
		lang := strings.TrimSuffix(strings.TrimPrefix(file, name+"."), ".md")
		p.words[lang] = words{instruction: s["Instruction"], reminder: s["Reminder"]}
	}
	if _, ok := p.words[fallback]; !ok {
		return nil, nil, fmt.Errorf("prompt %q: want a file %s.%s.md", name, name, fallback)
	}
	return p, parts, nil
}

// LoadAll reads the prompts of a folder of fsys, one for each task, such as
// "support", in the version that is named, such as "v1", for a model whose
// window holds that many tokens (see [Prompt.Within]).
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

// Name is what the prompt was loaded by, such as "support.v1".
func (p *Prompt) Name() string { return p.name }

// Operation is the task without its version, such as "support".
func (p *Prompt) Operation() string {
	operation, _, _ := strings.Cut(p.name, ".")
	return operation
}

// Hash is "sha256:" and hexadecimal digits over everything that a model reads
// but the data: the words in all languages, the schema, the frame around the
// data and the version of the format.
func (p *Prompt) Hash() string { return p.hash }

// Within returns the prompt for a model whose window holds that many tokens;
// data that are longer are cut. 0 or less stands for [DefaultWindow].
func (p *Prompt) Within(tokens int) *Prompt {
	if tokens <= 0 {
		tokens = DefaultWindow
	}
	q := *p
	q.window = tokens
	return &q
}

// Retrying returns the prompt with another rule for asking again.
func (p *Prompt) Retrying(r Retry) *Prompt {
	q := *p
	q.retry = r
	return &q
}

// HashAll combines the hashes of prompts that are used together. Their order
// does not matter.
func HashAll(prompts ...*Prompt) string {
	parts := map[string]string{}
	for _, p := range prompts {
		parts[p.name] = p.hash
	}
	return hash(parts)
}

// in gives what there is in a language; English where there is nothing.
func in[T any](texts map[string]T, lang string) T {
	if t, ok := texts[lang]; ok {
		return t
	}
	return texts[fallback]
}

const fallback = "en"

// hash is over names and contents, each with its length before it so that
// nothing can move from one to the other.
func hash(parts map[string]string) string {
	h := sha256.New()
	for _, name := range slices.SortedFunc(maps.Keys(parts), cmp.Compare[string]) {
		fmt.Fprintf(h, "%d %s\n%d %s\n", len(name), name, len(parts[name]), parts[name])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// readFile reads a text with the line ends that it has in the repository,
// whatever a checkout made of them.
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

// sections splits a text at its headings of the first level. Each of want must
// be there, once and not blank, and no other.
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
