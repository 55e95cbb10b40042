package reply

import (
	"regexp"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// answerName is a name that says that what follows is the answer. A field of another name,
// such as "incorrect", says something else of it.
const answerName = `(?:(?:final|the|my)[\s_-]*)?(?:answer|verdict|result|judge?ment|label|decision|output|response)`

// frames are what models put around one word: a code fence, \boxed{}, JSON with one field that
// is the answer, a label such as "Answer:", a last sentence "Final answer: …", an element.
var frames = []func() *regexp.Regexp{
	lazyregexp.New("(?s)^```\\w*\\s*(.*?)\\s*```$"),
	lazyregexp.New(`^\$*\\boxed\{(?:\\text\{(.*?)\}|(.*?))\}\$*$`),
	lazyregexp.New(`(?i)^\{\s*"(?:` + answerName + `|value|entails|(?:is[\s_-]*)?(?:correct|true|equivalent|supported|entailed))"` +
		`\s*:\s*"?([^"{},]*?)"?\s*\}$`),
	lazyregexp.New(`(?is)^[*_#\s]*` + answerName + `[*_\s]*[:：][*_\s]*(.*)$`),
	lazyregexp.New(`(?is)^.*(?:\n|[.!?。…]\s*)[*_#\s]*final\s+(?:answer|verdict)[*_\s]*[:：][*_\s]*(\pL+[*_.。!\s]*)$`),
	lazyregexp.New(`(?is)^<` + answerName + `>(.*)</` + answerName + `>$`),
	lazyregexp.New(`(?is)^(?:` + token + `\s*(?:(?:assistant|model)\b\s*)?)*(.*?)(?:\s*` + token + `)*$`),
}

// Unframed returns a reply without its reasoning and without what models put around the one
// word that they were asked for.
func Unframed(text string) string {
	text, _ = Split(text)
	if ends := closing().FindAllStringIndex(text, -1); ends != nil {
		text = text[ends[len(ends)-1][1]:]
	}
	for range frames {
		for _, f := range frames {
			text = f().ReplaceAllString(strings.TrimSpace(text), "${1}${2}")
		}
	}
	return text
}
