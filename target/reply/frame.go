package reply

import (
	"regexp"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// wordNames are the names of a field of JSON that holds the one word. Those of other fields, such as "incorrect" or
// "is_false", give it another meaning.
const wordNames = `(?:final[_ ]?)?(?:answer|verdict|result|output|response|value|ruling|judge?ment|label|decision)|` +
	`(?:is[_ ]?)?(?:correct|equivalent|true|right|supported|entailed)|entailment`

// frames are what models put around one word: the end of reasoning that began elsewhere, tokens of their templates, a
// code fence, an element, \boxed{}, JSON with one field, a label such as "Answer:".
var frames = []func() *regexp.Regexp{
	lazyregexp.New("(?s)^```\\w*\\s*(.*?)\\s*```$"),
	lazyregexp.New(`^\$*\\boxed\{(?:\\text\{(.*?)\}|(.*?))\}\$*$`),
	lazyregexp.New(`(?is)^.*</(?:think|thinking|reasoning|thought)>(.*)$`),
	lazyregexp.New(`(?is)^(.*?)(?:<\|\w+\|>|</s>|<eos>|<end_of_turn>)+$`),
	lazyregexp.New(`(?is)^<(?:final_)?(?:answer|verdict|result)>(.*)</(?:final_)?(?:answer|verdict|result)>$`),
	lazyregexp.New(`(?i)^\{\s*"(?:` + wordNames + `)"\s*:\s*"?([^"{},]*?)"?\s*\}$`),
	lazyregexp.New(`(?is)^[*_#\s]*(?:final\s+)?(?:answer|verdict|result)[*_\s]*[:：][*_\s]*(.*)$`),
	lazyregexp.New(`(?is)^.*\bfinal answer[*_\s]*[:：][*_\s]*(.*)$`),
}

// Unframed returns a reply without its reasoning and without what models put around the one
// word that they were asked for.
func Unframed(text string) string {
	text, _ = Split(text)
	for range frames {
		for _, f := range frames {
			text = f().ReplaceAllString(strings.TrimSpace(text), "${1}${2}")
		}
	}
	return text
}
