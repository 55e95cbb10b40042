package judged

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// ContextEntityRecall is the share of the reference's names and numbers that
// was retrieved.
var ContextEntityRecall = define(metric.Def{
	Name:  "context_entity_recall",
	Title: "Context entity recall",
	Doc: "How many of the names, numbers and dates of the reference answer occur in the passages, with the missing ones listed. " +
		"An estimate of context_recall that needs no judge: it looks at capitals and digits, not at meaning.",
	Formula: "distinct names and numbers of the reference that occur in the passages / distinct names and numbers of the reference",
	Edges: "A name is a run of words that begin with a capital; a single such word at the beginning of a sentence is a name " +
		"unless it is a common word. Names in scripts without capitals are not recognised: of Chinese answers only the numbers count. " +
		"Compared after NFKC and case folding, numbers by their value. " +
		"A reference without any gives no value; an empty list scores 0; passages without text give no value. " +
		"Only the first reference answer is used.",
	Source:   "Ragas context_entity_recall, with rules in place of a model's list, normalised and each once",
	Group:    metric.Passage,
	Estimate: true,
	Needs:    metric.NeedAnswers,
	Reads:    metric.ReadPassages, Version: 2,
}, func(in metric.Input, _ metric.Params) (assay.Score, error) {
	if len(in.Case.Want.Answers) == 0 {
		return assay.None(noReference), nil
	}
	names, numbers := entities(in.Case.Want.Answers[0])
	if len(names)+len(numbers) == 0 {
		return assay.None("the reference answer has no name or number"), nil
	}
	return search(in, func(t *tally) {
		var passages []string
		stated := map[string]bool{}
		for _, p := range in.Response.Passages {
			passages = append(passages, text.MatchForm(p.Text))
			for _, n := range text.Numbers(p.Text) {
				stated[n.Key] = true
			}
		}
		all := strings.Join(passages, "\n")
		for _, n := range names {
			t.found("missing", n, text.HasKeyword(all, n))
		}
		for _, n := range numbers {
			t.found("missing", n.Text, stated[n.Key])
		}
	}), nil
})

// capital matches a word that begins with a capital, capitals a run of them
// with the small words that join names.
const capital = `\p{Lu}[\p{L}\p{M}\p{Nd}'’&-]*`

var capitals = lazyregexp.New(capital + `(?:[ \t]+(?:(?:of|the|de|la|le|du|van|von|der|and|&)[ \t]+){0,2}` + capital + `)*`)

// common holds words that begin sentences and name nothing, and those of dates,
// which are compared as numbers.
var common = sync.OnceValue(func() map[string]bool {
	return text.Set(`
		a an the this that these those it its he she they we you i his her their our your my there here
		in on at by for from to of with without as if when while where after before during since until because
		although though but and or so yes no not what who whom whose which why how
		is are was were be been do does did has have had can could may might must shall should will would
		january february march april june july august september october november december
		monday tuesday wednesday thursday friday saturday sunday
		one two three some many most all each every both several few other another such
		only also then thus however therefore according first second finally`)
})

// entities returns the names and the numbers of a text, each once.
func entities(s string) (names []string, numbers []text.Number) {
	seen := map[string]bool{}
	for _, run := range capitals().FindAllString(s, -1) {
		name := nameOf(run)
		key := text.MatchForm(name)
		if name == "" || seen[key] {
			continue
		}
		seen[key] = true
		names = append(names, name)
	}
	for _, n := range text.Numbers(s) {
		if key := fmt.Sprint("number ", n.Key); !seen[key] {
			seen[key] = true
			numbers = append(numbers, n)
		}
	}
	return names, numbers
}

// nameOf drops the common words at the beginning of a run. A name that is too
// short is "".
func nameOf(run string) string {
	words := strings.Fields(run)
	for len(words) > 0 && common()[strings.ToLower(strings.TrimFunc(words[0], func(r rune) bool { return !unicode.IsLetter(r) }))] {
		words = words[1:]
	}
	name := strings.TrimSuffix(strings.TrimSuffix(strings.Join(words, " "), "'s"), "’s")
	if len([]rune(name)) < 2 {
		return ""
	}
	return name
}
