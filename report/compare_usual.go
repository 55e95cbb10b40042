package report

import (
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
// a tie goes to the plain one. An MRR with a cut-off has it in its name.
func (c *Comparison) usual() []usual {
	var best []usual
	for _, f := range families {
		var found []usual
		if row, ok := c.reciprocal(f); ok {
			title := "MRR"
			if _, k, cut := strings.Cut(row.Name, "@"); cut {
				title += "@" + k
			}
			found = append(found, usual{title, row})
		}
		for _, m := range [][2]string{{"recall@5", "Recall@5"}, {"hit@5", "Hit@5"}, {"precision@5", "Precision@5"}} {
			if row, ok := c.row(f + m[0]); ok {
				found = append(found, usual{m[1], row})
			}
		}
		if len(found) > len(best) {
			best = found
		}
	}
	return best
}

// reciprocal returns the row of the reciprocal rank over all passages, or else at the
// first cut-off that was compared.
func (c *Comparison) reciprocal(family string) (summary.ComparisonRow, bool) {
	if row, ok := c.row(family + "mrr"); ok {
		return row, true
	}
	for _, row := range c.Rows {
		if strings.HasPrefix(row.Name, family+"mrr@") {
			return row, true
		}
	}
	return summary.ComparisonRow{}, false
}

func (c *Comparison) row(name string) (summary.ComparisonRow, bool) {
	for _, row := range c.Rows {
		if row.Name == name {
			return row, true
		}
	}
	return summary.ComparisonRow{}, false
}
