package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/yaml"
)

// Parse reads a profile from a file: JSON when its name ends in ".json" or it
// begins with "{", else YAML. Keys are name, templates, and hash and default,
// which are not believed. Unknown keys are errors, and so is all that
// [Profile.Validate] refuses; line ends become "\n".
func Parse(file string, data []byte) (Profile, error) {
	var v struct {
		Name      string            `json:"name" yaml:"name"`
		Templates map[string]string `json:"templates" yaml:"templates"`
		Hash      string            `json:"hash" yaml:"hash"`
		Default   bool              `json:"default" yaml:"default"`
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if strings.EqualFold(path.Ext(file), ".json") || bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			return Profile{}, fmt.Errorf("%s: %w", file, err)
		}
		if d.More() {
			return Profile{}, fmt.Errorf("%s: more than one JSON value: expected one object", file)
		}
	} else if _, err := yaml.Read(file, data, &v); err != nil {
		return Profile{}, err
	}
	p := Profile{Name: v.Name, Templates: v.Templates}
	for step, template := range p.Templates {
		p.Templates[step] = strings.ReplaceAll(template, "\r\n", "\n")
	}
	if err := p.Validate(); err != nil {
		return Profile{}, in(file, err)
	}
	return p, nil
}

// in puts the file before each line of an error.
func in(file string, err error) error {
	return fmt.Errorf("%s: %s", file, strings.ReplaceAll(err.Error(), "\n", "\n"+file+": "))
}

// YAML gives the profile as a YAML file whose texts can be edited: what each is
// for and which placeholders it has stands above it.
func (p Profile) YAML() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "name: %s\ntemplates:\n", quote(p.Name))
	for i, name := range p.order() {
		if i > 0 {
			b.WriteByte('\n')
		}
		if s, err := Find(name); err == nil {
			fmt.Fprintf(&b, "  # %s %s.\n", s.Name, s.Doc)
			for _, h := range s.Placeholders {
				must := ""
				if h.Required {
					must = " (must be there)"
				}
				fmt.Fprintf(&b, "  #   {{%s}} %s%s\n", h.Name, h.Doc, must)
			}
		}
		fmt.Fprintf(&b, "  %s: %s\n", key(name), scalar(p.Templates[name]))
	}
	return b.Bytes()
}

// key gives a key of YAML; the names of steps need no quotes.
func key(name string) string {
	if _, err := Find(name); err == nil {
		return name
	}
	return string(quote(name))
}

// scalar gives a text as YAML: as a block where one can hold it as it is, else in
// quotes.
func scalar(s string) string {
	body := strings.TrimRight(s, "\n")
	mark := map[int]string{0: "|-", 1: "|"}[len(s)-len(body)]
	plain := mark != "" && body != "" && !strings.ContainsRune(" \t\n", rune(body[0]))
	for line := range strings.SplitSeq(body, "\n") {
		// Editors and parsers drop blanks at the end of a line.
		plain = plain && strings.TrimRightFunc(line, unicode.IsSpace) == line && !strings.ContainsFunc(
			line, func(r rune) bool { return !strconv.IsPrint(r) },
		)
	}
	if !plain {
		return string(quote(s))
	}
	var b strings.Builder
	b.WriteString(mark)
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}
