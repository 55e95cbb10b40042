package dataset

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// yaml writes the value as YAML in block style. Strings that could be read as
// another type are quoted as in JSON, which YAML reads alike.
func (n *node) yaml(w io.Writer) error {
	var b bytes.Buffer
	n.yamlBlock(&b, 0, false)
	_, err := w.Write(b.Bytes())
	return err
}

// yamlBlock writes a value and a line break. inline means that the value starts
// on the current line, after "- ".
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

// yamlValue writes the value after a name.
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
		// Older versions of YAML read 1e+20 as text.
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
	// plainText matches strings that need no quotes: they start with a letter and
	// contain no YAML syntax.
	plainText = lazyregexp.New(`^[\pL][\pL\pN _.,/()?!'%+=-]*$`)
	// otherMeaning matches words that some version of YAML reads as a boolean or
	// null.
	otherMeaning = lazyregexp.New(`(?i)^(y|yes|n|no|true|false|on|off|null|nan|inf)$`)
)

func yamlText(s string) string {
	if plainText().MatchString(s) && !otherMeaning().MatchString(s) && !strings.HasSuffix(s, " ") {
		return s
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string always encodes.
	_ = enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
