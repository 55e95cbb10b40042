package certify

import (
	"slices"
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
	tags = append(tags, phenomena...)
	slices.Sort(tags)
	return slices.Compact(tags)
}
