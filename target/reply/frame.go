package reply

import (
	"regexp"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// frames are what models put around one word: a code fence, \boxed{}, JSON with one field or
// none, a label such as "Answer:".
var frames = []func() *regexp.Regexp{
	lazyregexp.New("(?s)^```\\w*\\s*(.*?)\\s*```$"),
	lazyregexp.New(`^\$*\\boxed\{(?:\\text\{(.*?)\}|(.*?))\}\$*$`),
	lazyregexp.New(`^\{\s*"[^"]*"\s*:\s*"?([^"{},]*?)"?\s*\}$`),
	lazyregexp.New(`(?is)^[*_#\s]*(?:final\s+)?(?:answer|verdict|result)[*_\s]*[:：][*_\s]*(.*)$`),
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
