package redact

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/yaml"
)

const (
	longestName = 40
	// pseudonymDigits is the number of hexadecimal digits of a pseudonym: among 10,000 values
	// two have the same one in 1 of 90 cases.
	pseudonymDigits = 8
	// leastKey is the least length of a key in bytes.
	leastKey = 32
	example  = "{name: order, pattern: 'ORD-[0-9]{8}'}"
)

var validName = lazyregexp.New(`^[a-z][a-z0-9_-]*$`)

// fileRules is a file of rules.
type fileRules struct {
	Recognise []string `yaml:"recognise"`
	Replace   []struct {
		Name    string `yaml:"name"`
		Pattern string `yaml:"pattern"`
	} `yaml:"replace"`
	Drop       []string `yaml:"drop"`
	Pseudonyms string   `yaml:"pseudonyms"`
}

// Load reads rules from a file. name is the file's name in messages. Every problem is
// reported with its line.
func Load(path, name string) (*Rules, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var f fileRules
	file, err := yaml.Read(name, data, &f)
	if err != nil {
		return nil, err
	}
	if len(f.Recognise)+len(f.Replace)+len(f.Drop) == 0 {
		return nil, fmt.Errorf("%s: no rules: expected recognise, replace or drop", name)
	}
	b := builder{file: file, rules: &Rules{ids: make([]byte, leastKey)}}
	if _, err := rand.Read(b.rules.ids); err != nil {
		return nil, err
	}
	b.patterns(&f)
	b.recognisers(&f)
	b.dropped(&f)
	b.pseudonyms(&f, filepath.Dir(path))
	b.rules.marks = regexp.MustCompile(fmt.Sprintf(`\[(?:%s)(?::[0-9a-f]{%d})?\]`, strings.Join(b.names, "|"), pseudonymDigits))
	return b.rules, errors.Join(b.problems...)
}

// A builder makes rules of a file, and collects what is wrong in it.
type builder struct {
	file  *yaml.File
	rules *Rules
	// names are those of the rules.
	names    []string
	problems []error
}

func (b *builder) fail(field, format string, values ...any) {
	b.problems = append(b.problems, fmt.Errorf("%s: %s: %s", b.file.At(field), field, fmt.Sprintf(format, values...)))
}

// recognisers adds the recognisers in an order of their own: one that takes a part of what
// another finds comes after it.
func (b *builder) recognisers(f *fileRules) {
	for i, name := range f.Recognise {
		field := fmt.Sprintf("recognise[%d]", i)
		switch {
		case !slices.Contains(recogniserNames(), name):
			b.fail(field, "unknown recogniser %q: expected one of %s", name, strings.Join(recogniserNames(), ", "))
		case slices.Contains(f.Recognise[:i], name):
			b.fail(field, "%s is named twice: expected it once", name)
		}
	}
	for _, r := range Recognisers() {
		if slices.Contains(f.Recognise, r.Name) {
			b.add(r.compiled())
		}
	}
}

func (b *builder) add(r Recogniser) {
	b.rules.rules = append(b.rules.rules, r)
	b.names = append(b.names, r.Name)
}

// patterns adds the expressions of the file. They come before the recognisers: an order
// number is not searched for a phone number.
func (b *builder) patterns(f *fileRules) {
	for i, one := range f.Replace {
		field := fmt.Sprintf("replace[%d]", i)
		switch {
		case one.Name == "" || one.Pattern == "":
			b.fail(field, "name or pattern is missing: expected both, as in %s", example)
			continue
		case !validName().MatchString(one.Name) || len(one.Name) > longestName:
			b.fail(field+".name", "%q: expected at most %d small letters, digits, - and _, the first a letter", one.Name, longestName)
			continue
		case slices.Contains(recogniserNames(), one.Name):
			b.fail(field+".name", "%q is a recogniser; choose another name", one.Name)
			continue
		case slices.Contains(b.names, one.Name):
			b.fail(field+".name", "%q is the name of another entry; choose another name, or one pattern as in a|b", one.Name)
			continue
		}
		expression, err := regexp.Compile(one.Pattern)
		if err != nil {
			b.fail(field+".pattern", "%v: expected a regular expression of RE2, as in %s", err, example)
			continue
		}
		if slices.ContainsFunc(append(expression.FindAllString("", -1), expression.FindAllString("aa 1", -1)...), func(m string) bool { return m == "" }) {
			b.fail(field+".pattern", "%q matches the empty text, so it is found everywhere; use + instead of *, or no ?", one.Pattern)
			continue
		}
		b.add(Recogniser{Name: one.Name, pattern: expression})
	}
}

// dropped adds the names of attributes that are removed.
func (b *builder) dropped(f *fileRules) {
	for i, glob := range f.Drop {
		field := fmt.Sprintf("drop[%d]", i)
		if strings.Trim(glob, "*?. ") == "" {
			b.fail(field, "%q would remove every attribute; give a name, as in user.* or enduser.id", glob)
			continue
		}
		b.rules.drops = append(b.rules.drops, drop{"drop " + glob, globOf(glob)})
	}
}

// globOf returns the expression of names in which "*" stands for any text and "?" for one character.
func globOf(glob string) *regexp.Regexp {
	quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(glob))
	return regexp.MustCompile("(?s)^" + quoted + "$")
}

// pseudonyms reads the key of pseudonyms; its place is relative to the file of rules.
func (b *builder) pseudonyms(f *fileRules, dir string) {
	if f.Pseudonyms == "" {
		return
	}
	path := f.Pseudonyms
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	key, err := os.ReadFile(path)
	switch {
	case err != nil:
		b.fail("pseudonyms", "%s: no key can be read: expected a file with a random key, as `openssl rand -hex 32 > %s` writes one",
			f.Pseudonyms, f.Pseudonyms)
	case len(strings.TrimSpace(string(key))) < leastKey:
		b.fail("pseudonyms", "%s: the key has less than %d bytes: expected a random one, as `openssl rand -hex 32 > %s` writes",
			f.Pseudonyms, leastKey, f.Pseudonyms)
	default:
		b.rules.key = []byte(strings.TrimSpace(string(key)))
		b.rules.ids = b.rules.key
	}
}
