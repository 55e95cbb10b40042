package attack

import (
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// Defuse removes from a response the text that seems to address the judge, see [Detect], and
// returns what it removed, with where it was; nothing if the response has no such text.
func Defuse(r assay.Response) (clean assay.Response, found []string) {
	without := func(where, s string) string {
		spans := Detect(s)
		for _, p := range spans {
			found = append(found, fmt.Sprintf("%s: %q", where, text.Shorten(p.Of(s), 80)))
		}
		return Clean(s, spans)
	}
	r.Answer = without("answer", r.Answer)
	r.Passages = slices.Clone(r.Passages)
	for i := range r.Passages {
		r.Passages[i].Text = without(fmt.Sprintf("passage %d", i+1), r.Passages[i].Text)
	}
	return r, found
}
