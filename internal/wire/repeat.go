package wire

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/stats"
)

// clash returns an error if the id of a case equals that of a draw of another.
func clash(cases *assay.Cases, repeat int) error {
	if repeat <= 1 {
		return nil
	}
	of := map[string]string{}
	for _, c := range cases.All() {
		for draw := 1; draw < repeat; draw++ {
			of[c.Repeated(draw).ID] = c.ID
		}
	}
	for _, c := range cases.All() {
		if other, ok := of[c.ID]; ok {
			return fmt.Errorf("case %q: with --repeat %d a draw of case %q gets the same id; use a different id", c.ID, repeat, other)
		}
	}
	return nil
}

// draws returns the cases in the order in which they are asked: all of them
// once, then all again. This way a change over time affects all cases and does
// not hide in the draws of one. A case that is asked once is unchanged.
func draws(cases *assay.Cases, repeat int) *assay.Cases {
	if repeat <= 1 {
		return cases
	}
	all := &assay.Cases{}
	for draw := range repeat {
		for _, c := range cases.All() {
			again := c.Repeated(draw)
			all.Add(&again)
		}
	}
	return all
}

// same warns of draws that cannot differ.
func (p *Prepared) same() []string {
	switch {
	case p.cfg.Repeat <= 1 || !p.target.Free:
		return nil
	case p.redraw == nil:
		return []string{"the target calls no model: responses and scores are the same in every draw"}
	}
	return []string{"the target calls no model: only the judge can differ between draws"}
}

// joined warns of clusters that leave little to compute an interval from.
func (p *Prepared) joined() (out []string) {
	if p.cfg.GroupBy == string(dataset.ByNone) {
		return nil
	}
	asked, again := map[text.Key]bool{}, 0
	for _, c := range p.cases.All() {
		if c.Group == "" && c.Question != "" && c.Audio == "" {
			if key := text.KeyOf(c.Question); asked[key] {
				again++
			} else {
				asked[key] = true
			}
		}
	}
	if again > 0 {
		out = append(out, fmt.Sprintf("cases that repeat the question of an earlier one count as independent, so intervals may be too narrow: "+
			"give the cases of a question one group (%d of %d cases)", again, p.cases.Len()))
	}
	c := p.clusters
	if c == nil {
		return out
	}
	switch {
	case c.Largest == c.Cases:
		out = append(out, fmt.Sprintf("all %d cases are one cluster, so there are no intervals: give the cases groups, or with --group-by none "+
			"each counts as independent", c.Cases))
	case 2*c.Largest > c.Cases:
		out = append(out, fmt.Sprintf("%d of %d cases are one cluster: intervals are wide, and a difference of fewer than %d clusters has none; "+
			"give the cases groups, or with --group-by none each counts as independent",
			c.Largest, c.Cases, stats.LeastClusters(1-p.cfg.Level)))
	case c.Same:
		out = append(out, "shared expected documents join more than half of the cases: only cases that expect exactly the same documents "+
			"are a cluster, so intervals may be too narrow: a group in the dataset says which cases depend on each other")
	}
	return out
}
