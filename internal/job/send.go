package job

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/assay-eval/assay/internal/secret"
)

// send reads the template of what is sent: the one of the settings, else the
// other.
func (j *Job) send(otherwise any) (any, error) {
	if j.cfg.Send == "" {
		return otherwise, nil
	}
	v, err := readTemplate(j.cfg.Send)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	return v, nil
}

// readTemplate reads JSON or YAML with placeholders. A placeholder may stand
// where JSON wants a value, as in {"k": {{top_k}}}: it is taken as if it were
// quoted.
func readTemplate(text string) (v any, err error) {
	defer func() {
		// The parser panics on some texts, which are mistakes of a user.
		if r := recover(); r != nil {
			err = fmt.Errorf("want JSON with placeholders, such as {\"question\": \"{{question}}\"}: %v", r)
		}
	}()
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "[") && (!strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "{{")) {
		return text, nil
	}
	if err := yaml.Unmarshal([]byte(quotePlaceholders(text)), &v); err != nil {
		return nil, fmt.Errorf("want JSON with placeholders, such as {\"question\": \"{{question}}\"}: %s", strings.TrimSpace(err.Error()))
	}
	return v, nil
}

// quotePlaceholders quotes the placeholders that stand outside of quotes.
func quotePlaceholders(text string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' && i+1 < len(text) {
				b.WriteByte(c)
				i++
				c = text[i]
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.HasPrefix(text[i:], "{{"):
			if end := strings.Index(text[i:], "}}"); end > 0 {
				b.WriteString(`"` + strings.ReplaceAll(text[i:i+end+2], `"`, `\"`) + `"`)
				i += end + 1
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func hidden(key string) secret.Secret { return secret.New(key) }
