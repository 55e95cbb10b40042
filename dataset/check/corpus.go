package check

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/internal/text"
)

// missingDocuments finds expected documents that are not in the corpus, so they
// can never be found.
func missingDocuments(_ context.Context, l *look) ([]Finding, error) {
	var out []Finding
	for i := range l.Cases {
		c := &l.Cases[i]
		for _, label := range relevant(c) {
			if _, ok := l.document(label); ok {
				continue
			}
			says := fmt.Sprintf("the expected document %q is not in the corpus", label)
			if near := l.nearest(label); near != "" {
				says += fmt.Sprintf(": did you mean %q?", near)
			}
			out = append(out, found(Wrong, says, c))
		}
	}
	return out, nil
}

// missingPassages finds reference passages that are in no document. Half of a
// passage in one document is enough, because corpora are cleaned and split.
func missingPassages(ctx context.Context, l *look) ([]Finding, error) {
	const enough = 0.5
	var out []Finding
	for i := range l.Cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := &l.Cases[i]
	passages:
		for _, p := range c.Want.Passages {
			if len(l.holding(p)) > 0 {
				continue
			}
			least := text.MatchLengthFor(p)
			for _, d := range l.akin(p) {
				if text.Coverage(p, []string{l.forms[d]}, least) >= enough {
					continue passages
				}
			}
			out = append(out, found(Wrong, fmt.Sprintf("no document contains the passage %q", text.Shorten(p, 80)), c))
		}
	}
	return out, nil
}

// boilerplate finds reference passages that are in so many documents that finding
// one means little: in more than 1 % of the corpus, and in at least three,
// because in a corpus of fifty one document is more than 1 % (metrics.md §1.5).
func boilerplate(_ context.Context, l *look) ([]Finding, error) {
	var out []Finding
	for i := range l.Cases {
		c := &l.Cases[i]
		for _, p := range c.Want.Passages {
			if n := len(l.holding(p)); n >= 3 && 100*n > len(l.Documents) {
				out = append(out, found(Wrong, fmt.Sprintf("the passage %q is in %d of %d documents", text.Shorten(p, 80), n,
					len(l.Documents)), c))
			}
		}
	}
	return out, nil
}
