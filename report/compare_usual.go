package report

import (
	"strings"

	"github.com/assay-eval/assay/summary"
)

// A usual metric stands in the table that heads a comparison.
type usual struct {
	title string
	row   summary.ComparisonRow
}

// families are the ways in which retrieval can be scored: by documents, by the
// text of passages, by source. A table of strategies shows one of them.
var families = []string{"", "passage_", "src_"}

// usual gives the metrics of the table that heads a comparison: MRR, recall@5,
// hit@5 and precision@5, those of them that were compared, in the family that
// has most of them, the plain one if it is no worse. An MRR of another depth
// than all passages is named with it.
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

// reciprocal gives the row of the reciprocal rank: over all passages, else to
// the first depth that was compared.
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
