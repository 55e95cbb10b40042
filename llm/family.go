package llm

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// families has the words in names of models whose family has another name; further names are
// those of families.
var families = map[string]string{
	"chatglm": "glm", "chatgpt": "gpt", "codestral": "mistral", "davinci": "gpt", "magistral": "mistral", "ministral": "mistral",
	"mixtral": "mistral", "moonshot": "kimi", "o": "gpt", "qwq": "qwen",
}

var familyNames = text.Set("claude command deepseek gemini gemma glm gpt granite grok kimi llama mistral nova phi qwen yi")

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
		if family := cmp.Or(families[name], name); familyNames[family] {
			return family
		}
	}
	return ""
}

// isVersion reports whether s is one digit.
func isVersion(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' }
