package stage

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// Asserted returns the sentences of an answer that neither ask nor, by the words that keep a reference from
// being stated, deny, limit or doubt what they say. Such words of a label, and of the question but for
// "or", do not count, nor do denials if the label has one.
func Asserted(question, answer, label string) string {
	question, label = text.MatchForm(question), text.MatchForm(label)
	other := func(word string) bool {
		p := text.NewPhrase(word)
		return !p.In(label) && (parting[word] || !p.In(question))
	}
	var kept []string
	negative := slices.ContainsFunc(text.Folded(label), denies)
	for _, p := range text.Sentences(answer) {
		form := text.MatchForm(p.Of(answer))
		if !strings.Contains(form, "?") && !slices.ContainsFunc(limit().FindAllString(form, -1), other) &&
			(negative || !slices.ContainsFunc(text.Folded(form), func(t text.Token) bool { return denies(t) && other(t.Text) })) {
			kept = append(kept, p.Of(answer))
		}
	}
	return strings.Join(kept, " ")
}
