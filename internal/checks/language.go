package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

func languages(v any) error {
	want := "one of " + strings.Join(text.Languages, ", ") + ", or a list of them"
	all := textsOf(v)
	if len(all) == 0 {
		return &Problem{"value", what(v), want}
	}
	for _, one := range all {
		if !slices.Contains(text.Languages, one) {
			return &Problem{"value", fmt.Sprintf("%q", text.Shorten(one, 80)), want}
		}
	}
	return nil
}

// inLanguage compares the language of the answer, as far as its script and its words of
// grammar tell.
func inLanguage(_ context.Context, c assay.Check, s Subject, _ float64) verdict {
	is := text.Language(s.Response.Answer)
	if is == "" {
		return verdict{skipped: "the answer does not have enough words to tell its language"}
	}
	return verdict{passed: slices.Contains(textsOf(c.Value), is), why: fmt.Sprintf("is in %s, not in %s", is, quoted(textsOf(c.Value)))}
}
