package profile

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// Values are what placeholders are filled with, by name.
type Values map[string]string

// Render fills in the template of a step. Values stand in the result as they
// are: what looks like a placeholder in one is text. Errors: a step that is
// unknown or missing, a template that [Profile.Validate] refuses, a placeholder
// without a value.
func (p Profile) Render(step string, values Values) (string, error) {
	s, err := Find(step)
	if err != nil {
		return "", err
	}
	template, ok := p.Templates[step]
	if !ok {
		return "", fmt.Errorf("profile %q: %s: missing: expected a template", p.Name, step)
	}
	if problems := s.check(template); len(problems) > 0 {
		return "", fmt.Errorf("profile %q: %w", p.Name, problems[0])
	}
	parts, _ := parse(template)
	var b strings.Builder
	for _, part := range parts {
		if part.name == "" {
			b.WriteString(part.literal)
			continue
		}
		v, ok := values[part.name]
		if !ok {
			return "", fmt.Errorf("profile %q: %s: no value for {{%s}}", p.Name, step, part.name)
		}
		b.WriteString(v)
	}
	return b.String(), nil
}

// A part is a piece of a template: text, or a placeholder when name is not empty.
type part struct {
	literal, name string
	line, column  int
}

// wrong says what is wrong with a placeholder that the step does not have.
func (p part) wrong(s Step) error {
	var names []string
	for _, h := range s.Placeholders {
		names = append(names, h.Name)
	}
	hint := ""
	if near := text.Nearest(p.name, names); near != "" {
		hint = fmt.Sprintf(": did you mean {{%s}}?", near)
	}
	all := "it has none"
	if len(names) > 0 {
		all = "it has: {{" + strings.Join(names, "}}, {{") + "}}"
	}
	return fmt.Errorf(
		"line %d, column %d: unknown placeholder %q%s  (%s; \"{{{{\" writes \"{{\")", p.line, p.column, text.Shorten(p.name, maxName), hint,
		all,
	)
}

// parse splits a template at its placeholders. Columns count characters from 1.
func parse(template string) (parts []part, problems []error) {
	line, column := 1, 1
	advance := func(s string) {
		if n := strings.Count(s, "\n"); n > 0 {
			line, column = line+n, 1
			s = s[strings.LastIndexByte(s, '\n')+1:]
		}
		column += len([]rune(s))
	}
	literal := func(s string) {
		if s != "" {
			parts = append(parts, part{literal: s})
		}
	}
	rest := template
	for {
		before, after, open := strings.Cut(rest, "{{")
		literal(before)
		advance(before)
		if !open {
			return parts, problems
		}
		if quoted, ok := strings.CutPrefix(after, "{{"); ok {
			literal("{{")
			advance("{{{{")
			rest = quoted
			continue
		}
		name, after, closed := strings.Cut(after, "}}")
		if !closed || strings.ContainsAny(name, "{\n") {
			problems = append(
				problems,
				fmt.Errorf("line %d, column %d: %q is not closed: expected a name and \"}}\", or \"{{{{\" for a text with \"{{\"", line, column, "{{"),
			)
			return parts, problems
		}
		bare := strings.TrimFunc(name, unicode.IsSpace)
		if bare == "" {
			problems = append(problems, fmt.Errorf("line %d, column %d: {{}}: expected the name of a placeholder", line, column))
		} else {
			parts = append(parts, part{name: bare, line: line, column: column})
		}
		advance("{{" + name + "}}")
		rest = after
	}
}
