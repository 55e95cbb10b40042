// Package prompt turns a task into a question to a model, and the reply into
// JSON that can be relied on.
//
// A task is a set of files: its instruction in one or more languages and the
// JSON schema of its reply. What is judged never enters the instruction: it is
// written as one line of JSON between two marks that carry the nonce of the
// call, with everything escaped that could hide in it or pass for a mark. A
// reply is believed when it is one JSON object that echoes the nonce, follows
// the schema and passes the caller's check; one that is not gets one turn to be
// mended.
package prompt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	file := name + ".schema.json"
	raw, err := readFile(fsys, file)
	if err != nil {
		return nil, err
	}
	p := &Prompt{name: name, words: map[string]words{}, window: DefaultWindow}
	if p.schema, err = compile(file, raw); err != nil {
		return nil, err
	}
	var parts map[string]string
	if p.frames, parts, err = loadFrames(); err != nil {
		return nil, err
	}
	parts[file], parts["format"] = raw, format
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
	p.hash = hash(parts)
	return p, nil
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
