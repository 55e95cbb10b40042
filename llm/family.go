package llm

import (
	"slices"
	"strings"
	"unicode"
)

// families are the families of models, with the words that names of their models have.
var families = []struct {
	name  string
	words []string
}{
	{"claude", []string{"claude"}},
	{"command", []string{"command"}},
	{"deepseek", []string{"deepseek"}},
	{"gemini", []string{"gemini"}},
	{"gemma", []string{"gemma"}},
	{"glm", []string{"glm", "chatglm"}},
	{"gpt", []string{"gpt", "chatgpt", "o", "davinci"}},
	{"granite", []string{"granite"}},
	{"grok", []string{"grok"}},
	{"kimi", []string{"kimi", "moonshot"}},
	{"llama", []string{"llama"}},
	{"mistral", []string{"mistral", "mixtral", "ministral", "magistral", "codestral"}},
	{"nova", []string{"nova"}},
	{"phi", []string{"phi"}},
	{"qwen", []string{"qwen", "qwq"}},
	{"yi", []string{"yi"}},
}

// Family returns the family of a model by its name, such as "gpt" for "gpt-4.1-mini" and for
// "o3"; "" if it is not known. Of the names of several families in one, as those of distilled
// models have, the first counts.
func Family(model string) string {
	for _, word := range strings.FieldsFunc(strings.ToLower(model), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		// "qwen3" and "gpt4o" are a name with a version.
		name := word
		if i := strings.IndexFunc(word, unicode.IsDigit); i >= 0 {
			name = word[:i]
		}
		if name == "o" && !isVersion(word[1:]) {
			continue
		}
		for _, f := range families {
			if slices.Contains(f.words, name) {
				return f.name
			}
		}
	}
	return ""
}

// isVersion reports whether s is one digit.
func isVersion(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' }
