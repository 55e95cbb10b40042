package dataset

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
)

// yaml writes the value as YAML in block style. Texts that could be read as
// something else stand in quotes, in the form that JSON gives them, which YAML
// reads alike.
func (n *node) yaml(w io.Writer) error {
	var b bytes.Buffer
	n.yamlBlock(&b, 0, false)
	_, err := w.Write(b.Bytes())
	return err
}

// yamlBlock writes a value and a line break. inline means that the value begins
// in a line that has begun, behind "- ".
func (n *node) yamlBlock(b *bytes.Buffer, indent int, inline bool) {
	pad := strings.Repeat("  ", indent)
	switch {
	case n.kind == object && len(n.fields) > 0:
		for i, f := range n.fields {
			if i > 0 || !inline {
				b.WriteString(pad)
			}
			b.WriteString(yamlText(f.name) + ":")
			f.value.yamlValue(b, indent+1)
		}
	case n.kind == list && len(n.items) > 0:
		for i, item := range n.items {
			if i > 0 || !inline {
				b.WriteString(pad)
			}
			b.WriteString("-")
			if item.isBlock() {
				b.WriteString(" ")
				item.yamlBlock(b, indent+1, true)
			} else {
				item.yamlValue(b, indent+1)
			}
		}
	default:
		b.WriteString(n.yamlScalar() + "\n")
	}
}

// yamlValue writes what stands behind a name.
func (n *node) yamlValue(b *bytes.Buffer, indent int) {
	if n.isBlock() {
		b.WriteString("\n")
		n.yamlBlock(b, indent, false)
		return
	}
	b.WriteString(" " + n.yamlScalar() + "\n")
}

func (n *node) isBlock() bool {
	return n.kind == object && len(n.fields) > 0 || n.kind == list && len(n.items) > 0
}

func (n *node) yamlScalar() string {
	switch n.kind {
	case boolean:
		if n.yes {
			return "true"
		}
		return "false"
	case number:
		// Older versions of YAML take 1e+20 for a text.
		if mantissa, exponent, ok := strings.Cut(n.text, "e"); ok && !strings.Contains(mantissa, ".") {
			return mantissa + ".0e" + exponent
		}
		return n.text
	case str:
		return yamlText(n.text)
	case list:
		return "[]"
	case object:
		return "{}"
	}
	return "null"
}

var (
	// plainText needs no quotes: it begins with a letter, and holds nothing
	// that YAML gives a meaning to.
	plainText = regexp.MustCompile(`^[\pL][\pL\pN _.,/()?!'%+=-]*$`)
	// otherMeaning is read as a truth value or as nothing by some version.
	otherMeaning = regexp.MustCompile(`(?i)^(y|yes|n|no|true|false|on|off|null|nan|inf)$`)
)

func yamlText(s string) string {
	if plainText.MatchString(s) && !otherMeaning.MatchString(s) && !strings.HasSuffix(s, " ") {
		return s
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string always encodes.
	_ = enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
