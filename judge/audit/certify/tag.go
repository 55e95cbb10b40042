package certify

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// The parts of the data that are no phenomenon of it.
const (
	longContext = "long context"
	numbers     = "numbers"
	partial     = "labelled partly"
	conflict    = "contradicted or not found"
)

// longRunes is the length from which a context is long, in characters.
const longRunes = 2000

// phenomenonTags are the words in phenomena of data sets that make a part.
var phenomenonTags = []struct {
	tag   string
	words []string
}{
	{"negation", []string{"negation"}},
	{"role swap", []string{"object_swap", "passive"}},
	{"modality", []string{"under_verb", "if_clause", "under_if", "since", "adverb", "conditionals"}},
	{"quantifiers", []string{"_monotone"}},
	{numbers, []string{"cardinal", "ordinal", "Num-mod"}},
	{"names", []string{"countries", "nationalities", "planets", "entity_modification"}},
	{"words of opposite meaning", []string{"antonym"}},
	{"conjunction", []string{"conjunction", "disjunction"}},
}

// tagsOf lists the parts of the data that an item belongs to.
func tagsOf(x Item, phenomena []string) []string {
	tags := []string{"data set " + x.Dataset}
	n := 0
	for _, s := range x.Sources {
		n += utf8.RuneCountInString(s)
	}
	if x.Kind == Passage {
		n = utf8.RuneCountInString(x.Text)
	}
	if n > longRunes {
		tags = append(tags, longContext)
	}
	if text.HasDigits(x.Text) {
		tags = append(tags, numbers)
	}
	if x.Label == Partly {
		tags = append(tags, partial)
	}
	for _, p := range phenomena {
		if strings.HasSuffix(p, "no_negation") {
			continue
		}
		known := false
		for _, t := range phenomenonTags {
			if slices.ContainsFunc(t.words, func(w string) bool { return strings.Contains(p, w) }) {
				tags, known = append(tags, t.tag), true
			}
		}
		if !known {
			tags = append(tags, p)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
