package report

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/summary"
)

// A usual metric is a column of the table at the top of a comparison.
type usual struct {
	title string
	row   summary.ComparisonRow
}

// families are the prefixes of the retrieval metrics: scored by documents, by the text
// of passages, by source. A table of strategies shows one family.
var families = []string{"", "passage_", "src_"}

// usual returns those of MRR, recall@5, hit@5 and precision@5 that were compared, for
// the table at the top of a comparison. They are of the family that has most of them;
// a tie goes to the plain one. Without an MRR over all passages it is that at the first cut-off that was compared, which its
// name has.
func (c *Comparison) usual() (best []usual) {
	for _, family := range families {
		var found []usual
		for _, title := range []string{"MRR", "Recall@5", "Hit@5", "Precision@5"} {
			if row, ok := c.row(family + strings.ToLower(title)); ok {
				found = append(found, usual{title, row})
			} else if i := slices.IndexFunc(c.Rows, func(r summary.ComparisonRow) bool { return strings.HasPrefix(r.Name, family+"mrr@") }); i >= 0 && title == "MRR" {
				found = append(found, usual{title + strings.TrimPrefix(c.Rows[i].Name, family+"mrr"), c.Rows[i]})
			}
		}
		if len(found) > len(best) {
			best = found
		}
	}
	return best
}

func (c *Comparison) row(name string) (summary.ComparisonRow, bool) {
	for _, row := range c.Rows {
		if row.Name == name {
			return row, true
		}
	}
	return summary.ComparisonRow{}, false
}
